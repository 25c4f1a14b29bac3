package dev.paimoninplace.testing;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.paimon.data.BinaryArray;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.data.BinaryString;
import org.apache.paimon.data.GenericArray;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.data.Timestamp;
import org.apache.paimon.io.CompactIncrement;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.io.DataFileMetaSerializer;
import org.apache.paimon.io.DataIncrement;
import org.apache.paimon.manifest.FileKind;
import org.apache.paimon.manifest.FileSource;
import org.apache.paimon.manifest.ManifestEntry;
import org.apache.paimon.stats.SimpleStats;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.sink.CommitMessage;
import org.apache.paimon.table.sink.CommitMessageImpl;
import org.apache.paimon.utils.SerializationUtils;
import org.jspecify.annotations.Nullable;

/** Data files that exist on paper only, attribute by attribute as Paimon's schema names them. */
public final class DataFiles {

    private static final DataFileMetaSerializer SERIALIZER = new DataFileMetaSerializer();

    private DataFiles() {}

    /** A plain append file: all columns, counters as sequence numbers, no row id. */
    public static DataFileMeta plain(String name, long rowCount) {
        return DataFileMeta.forAppend(
                name,
                1000L + rowCount,
                rowCount,
                SimpleStats.EMPTY_STATS,
                0,
                rowCount - 1,
                0,
                List.of(),
                null,
                FileSource.APPEND,
                null,
                null,
                null,
                null);
    }

    /** A file in which every attribute has a value that no other attribute has. */
    public static DataFileMeta full() {
        GenericRow row = new GenericRow(DataFileMeta.SCHEMA.getFieldCount());
        values(0).forEach((field, value) -> row.setField(indexOf(field), value));
        return SERIALIZER.fromRow(row);
    }

    /** Every attribute with a value that differs from the one in {@link #full}. */
    public static Map<String, Object> otherValues() {
        return values(1);
    }

    /** The same file with another value of one attribute, as Paimon keeps it in a row. */
    public static DataFileMeta with(DataFileMeta file, String field, @Nullable Object value) {
        GenericRow row = (GenericRow) SERIALIZER.toRow(file);
        row.setField(indexOf(field), value);
        return SERIALIZER.fromRow(row);
    }

    /** Every attribute by name, in a form that can be compared. */
    public static Map<String, String> attributes(DataFileMeta file) {
        InternalRow row = SERIALIZER.toRow(file);
        Map<String, String> attributes = new LinkedHashMap<>();
        for (int i = 0; i < DataFileMeta.SCHEMA.getFieldCount(); i++) {
            Object value =
                    InternalRow.createFieldGetter(DataFileMeta.SCHEMA.getTypeAt(i), i)
                            .getFieldOrNull(row);
            attributes.put(DataFileMeta.SCHEMA.getFields().get(i).name(), text(value));
        }
        return attributes;
    }

    public static ManifestEntry added(BinaryRow partition, DataFileMeta file) {
        return ManifestEntry.create(FileKind.ADD, partition, 0, -1, file);
    }

    /** One commit that adds files, whether they exist or not. */
    public static void commit(FileStoreTable table, List<ManifestEntry> files) {
        List<CommitMessage> messages = new ArrayList<>();
        for (ManifestEntry entry : files) {
            messages.add(
                    new CommitMessageImpl(
                            entry.partition(),
                            entry.bucket(),
                            entry.totalBuckets(),
                            new DataIncrement(List.of(entry.file()), List.of(), List.of()),
                            CompactIncrement.emptyIncrement()));
        }
        TestTable.commit(table, messages);
    }

    private static int indexOf(String field) {
        return DataFileMeta.SCHEMA.getFieldIndex(field);
    }

    private static String text(@Nullable Object value) {
        if (value instanceof byte[] bytes) {
            return java.util.Arrays.toString(bytes);
        }
        if (value instanceof GenericArray array) {
            return java.util.Arrays.toString(array.toObjectArray());
        }
        if (value instanceof InternalRow stats && stats.getFieldCount() == 3) {
            return text(stats.getBinary(0)) + text(stats.getBinary(1)) + nullCounts(stats);
        }
        return String.valueOf(value);
    }

    private static String nullCounts(InternalRow stats) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < stats.getArray(2).size(); i++) {
            text.append(' ')
                    .append(stats.getArray(2).isNullAt(i) ? null : stats.getArray(2).getLong(i));
        }
        return text.toString();
    }

    private static Map<String, Object> values(int n) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put(DataFileMeta.FILE_NAME, BinaryString.fromString("data-" + n + ".parquet"));
        values.put(DataFileMeta.FILE_SIZE, 1000L + n);
        values.put(DataFileMeta.ROW_COUNT, 100L + n);
        values.put(DataFileMeta.MIN_KEY, bytes("min-key-" + n));
        values.put(DataFileMeta.MAX_KEY, bytes("max-key-" + n));
        values.put(DataFileMeta.KEY_STATS, stats("k" + n).toRow());
        values.put(DataFileMeta.VALUE_STATS, stats("v" + n).toRow());
        values.put(DataFileMeta.MIN_SEQUENCE_NUMBER, 30L + n);
        values.put(DataFileMeta.MAX_SEQUENCE_NUMBER, 40L + n);
        values.put(DataFileMeta.SCHEMA_ID, 50L + n);
        values.put(DataFileMeta.LEVEL, 3 + n);
        values.put(DataFileMeta.EXTRA_FILES, names("extra-" + n));
        values.put(DataFileMeta.CREATION_TIME, Timestamp.fromEpochMillis(1_700_000_000_000L + n));
        values.put(DataFileMeta.DELETE_ROW_COUNT, 5L + n);
        values.put(DataFileMeta.EMBEDDED_FILE_INDEX, new byte[] {1, 2, (byte) n});
        values.put(
                DataFileMeta.FILE_SOURCE,
                (n == 0 ? FileSource.APPEND : FileSource.COMPACT).toByteValue());
        values.put(DataFileMeta.VALUE_STATS_COLS, names("stats-column-" + n));
        values.put(DataFileMeta.EXTERNAL_PATH, BinaryString.fromString("file:/elsewhere/" + n));
        values.put(DataFileMeta.FIRST_ROW_ID, 700L + n);
        values.put(DataFileMeta.WRITE_COLS, names("written-column-" + n));
        return values;
    }

    private static byte[] bytes(String key) {
        return SerializationUtils.serializeBinaryRow(BinaryRow.singleColumn(key));
    }

    /** One name, as Paimon keeps a list of columns in a row. */
    public static GenericArray names(String name) {
        return new GenericArray(new Object[] {BinaryString.fromString(name)});
    }

    private static SimpleStats stats(String name) {
        return new SimpleStats(
                BinaryRow.singleColumn(name + "-low"),
                BinaryRow.singleColumn(name + "-top"),
                BinaryArray.fromLongArray(new Long[] {(long) name.hashCode()}));
    }
}
