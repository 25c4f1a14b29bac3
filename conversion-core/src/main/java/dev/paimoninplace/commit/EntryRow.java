package dev.paimoninplace.commit;

import dev.paimoninplace.rowid.FileChange;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.manifest.BinaryManifestEntry;
import org.apache.paimon.manifest.FileSource;
import org.apache.paimon.manifest.ManifestEntry;
import org.apache.paimon.types.RowType;

/**
 * A copy of a manifest entry in which single attributes can be set. The values themselves are not
 * copied or decoded, which statistics and keys would make expensive.
 */
final class EntryRow {

    /** Position of the row id among the attributes of a data file. */
    static final int FIRST_ROW_ID = position(DataFileMeta.FIRST_ROW_ID);

    private static final RowType ENTRY_TYPE = ManifestEntry.MANIFEST_ROW_TYPE;
    private static final int FILE = ENTRY_TYPE.getFieldIndex(ManifestEntry.FILE);
    private static final int FILE_FIELDS = DataFileMeta.SCHEMA.getFieldCount();
    private static final InternalRow.FieldGetter[] ENTRY_GETTERS = getters(ENTRY_TYPE);
    private static final InternalRow.FieldGetter[] FILE_GETTERS = getters(DataFileMeta.SCHEMA);

    private final GenericRow entry;
    private final GenericRow file;

    EntryRow(InternalRow original) {
        this.entry = copy(original, ENTRY_GETTERS);
        this.file = copy(file(original), FILE_GETTERS);
        entry.setField(FILE, file);
    }

    private static InternalRow.FieldGetter[] getters(RowType type) {
        InternalRow.FieldGetter[] getters = new InternalRow.FieldGetter[type.getFieldCount()];
        for (int i = 0; i < getters.length; i++) {
            getters[i] = InternalRow.createFieldGetter(type.getTypeAt(i), i);
        }
        return getters;
    }

    private static GenericRow copy(InternalRow row, InternalRow.FieldGetter[] getters) {
        GenericRow copy = new GenericRow(getters.length);
        for (int i = 0; i < getters.length; i++) {
            copy.setField(i, getters[i].getFieldOrNull(row));
        }
        return copy;
    }

    /** The attributes of the data file of an entry. */
    static InternalRow file(InternalRow entry) {
        return entry.getRow(FILE, FILE_FIELDS);
    }

    /** Position of an attribute of a data file. */
    static int position(String attribute) {
        return DataFileMeta.SCHEMA.getFieldIndex(attribute);
    }

    /** Makes a change, apart from a new row id; a file source that is there stays. */
    void apply(FileChange change) {
        if (change.sequences()) {
            file.setField(position(DataFileMeta.MIN_SEQUENCE_NUMBER), FileChange.SEQUENCE);
            file.setField(position(DataFileMeta.MAX_SEQUENCE_NUMBER), FileChange.SEQUENCE);
        }
        int source = position(DataFileMeta.FILE_SOURCE);
        if (change.source() && file.isNullAt(source)) {
            file.setField(source, FileSource.APPEND.toByteValue());
        }
        Long restored = change.restoredRowId();
        if (restored != null) {
            setFirstRowId(restored);
            // They name the two columns of row tracking, which no reader finds in a schema.
            file.setField(position(DataFileMeta.WRITE_COLS), null);
        }
    }

    void setFirstRowId(long firstRowId) {
        file.setField(FIRST_ROW_ID, firstRowId);
    }

    InternalRow row() {
        return entry;
    }

    /** The entry as a manifest writer takes it. */
    ManifestEntry toEntry() {
        return BinaryManifestEntry.fullProjection().createEntry().replace(entry);
    }
}
