package dev.paimoninplace.commit;

import java.util.ArrayList;
import java.util.List;
import org.apache.paimon.data.BinaryString;
import org.apache.paimon.data.InternalArray;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.data.Timestamp;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.manifest.ManifestEntry;
import org.apache.paimon.shade.guava30.com.google.common.hash.Hasher;
import org.apache.paimon.types.ArrayType;
import org.apache.paimon.types.DataField;
import org.apache.paimon.types.DataType;
import org.apache.paimon.types.RowType;
import org.jspecify.annotations.Nullable;

/**
 * Feeds the values of a row to a hash function, as its type says and however the row keeps them:
 * rows of different formats with the same values give the same hash.
 */
final class RowHash {

    /** A manifest entry without its file. */
    static final RowHash ENTRY = new RowHash(withoutFile());

    /** The data file of a manifest entry. */
    static final RowHash FILE = new RowHash(DataFileMeta.SCHEMA);

    /** Feeds one value; null is told apart from every value. */
    private interface ValueHash {

        void put(Hasher hasher, Object value);
    }

    private final int[] positions;
    private final InternalRow.FieldGetter[] getters;
    private final ValueHash[] hashes;

    private RowHash(RowType type) {
        this(type, type);
    }

    private RowHash(RowType type, RowType whole) {
        int count = type.getFieldCount();
        this.positions = new int[count];
        this.getters = new InternalRow.FieldGetter[count];
        this.hashes = new ValueHash[count];
        for (int i = 0; i < count; i++) {
            DataField field = type.getFields().get(i);
            positions[i] = whole.getFieldIndex(field.name());
            getters[i] = InternalRow.createFieldGetter(field.type(), positions[i]);
            hashes[i] = hashOf(field.type());
        }
    }

    private RowHash(List<DataField> fields) {
        this(new RowType(fields), ManifestEntry.MANIFEST_ROW_TYPE);
    }

    private static List<DataField> withoutFile() {
        List<DataField> fields = new ArrayList<>(ManifestEntry.MANIFEST_ROW_TYPE.getFields());
        fields.removeIf(field -> field.name().equals(ManifestEntry.FILE));
        return fields;
    }

    void put(Hasher hasher, InternalRow row) {
        putWithout(hasher, row, -1);
    }

    /**
     * @param leftOut position of a field that counts as null; -1 for none
     */
    void putWithout(Hasher hasher, InternalRow row, int leftOut) {
        for (int i = 0; i < getters.length; i++) {
            Object value = positions[i] == leftOut ? null : getters[i].getFieldOrNull(row);
            put(hasher, hashes[i], value);
        }
    }

    private static void put(Hasher hasher, ValueHash hash, @Nullable Object value) {
        hasher.putBoolean(value != null);
        if (value != null) {
            hash.put(hasher, value);
        }
    }

    private static ValueHash hashOf(DataType type) {
        return switch (type.getTypeRoot()) {
            case TINYINT -> (hasher, value) -> hasher.putByte((Byte) value);
            case INTEGER -> (hasher, value) -> hasher.putInt((Integer) value);
            case BIGINT -> (hasher, value) -> hasher.putLong((Long) value);
            case VARCHAR -> (hasher, value) -> putBytes(hasher, ((BinaryString) value).toBytes());
            case VARBINARY -> (hasher, value) -> putBytes(hasher, (byte[]) value);
            case TIMESTAMP_WITHOUT_TIME_ZONE ->
                    (hasher, value) -> putTimestamp(hasher, (Timestamp) value);
            case ROW -> {
                RowHash nested = new RowHash((RowType) type);
                yield (hasher, value) -> nested.put(hasher, (InternalRow) value);
            }
            case ARRAY -> arrayHash(((ArrayType) type).getElementType());
            default -> throw new IllegalStateException("No attribute of a file is a " + type);
        };
    }

    private static ValueHash arrayHash(DataType elementType) {
        InternalArray.ElementGetter getter = InternalArray.createElementGetter(elementType);
        ValueHash element = hashOf(elementType);
        return (hasher, value) -> {
            InternalArray array = (InternalArray) value;
            hasher.putInt(array.size());
            for (int i = 0; i < array.size(); i++) {
                put(hasher, element, getter.getElementOrNull(array, i));
            }
        };
    }

    private static void putBytes(Hasher hasher, byte[] bytes) {
        hasher.putInt(bytes.length);
        hasher.putBytes(bytes);
    }

    private static void putTimestamp(Hasher hasher, Timestamp timestamp) {
        hasher.putLong(timestamp.getMillisecond());
        hasher.putInt(timestamp.getNanoOfMillisecond());
    }
}
