package dev.paimoninplace.plan;

import java.util.List;
import java.util.Map;
import org.apache.paimon.format.avro.AvroSchemaConverter;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.manifest.FileKind;
import org.apache.paimon.manifest.ManifestEntry;
import org.apache.paimon.shade.org.apache.avro.Schema;

/**
 * Where the attributes that a conversion looks at lie in the bytes of a manifest entry in Avro's
 * binary encoding. The bytes of all others are passed over without making an object of them.
 *
 * <p>One instance reads one entry after the other; not safe for use by many threads.
 */
public final class AvroEntryLayout {

    /** The schema with which Paimon 2.0 writes manifest entries. */
    public static final Schema SCHEMA =
            AvroSchemaConverter.convertToSchema(ManifestEntry.MANIFEST_ROW_TYPE, Map.of());

    private final List<Schema.Field> fields = SCHEMA.getFields();

    private byte[] bytes = new byte[0];
    private int position;
    private int start;
    private int end;
    private boolean add;
    private int partitionStart;
    private int partitionEnd;
    private int fileNameStart;
    private int fileNameEnd;
    private long rowCount;
    private int sequencesStart;
    private int sequencesEnd;
    private int sourceStart;
    private int sourceEnd;
    private boolean source;
    private int rowIdStart;
    private int rowIdEnd;
    private boolean rowId;
    private boolean writeCols;

    /**
     * Reads the entry that begins at a position.
     *
     * @param block bytes of one or more entries
     * @param from where the entry begins
     * @return where the next one begins
     */
    int read(byte[] block, int from) {
        bytes = block;
        start = from;
        position = from;
        for (Schema.Field field : fields) {
            switch (field.name()) {
                case ManifestEntry.KIND -> add = readLong() == FileKind.ADD.toByteValue();
                case ManifestEntry.PARTITION -> {
                    int length = Math.toIntExact(readLong());
                    partitionStart = position;
                    position += length;
                    partitionEnd = position;
                }
                case ManifestEntry.FILE -> readFile(field.schema());
                default -> skip(field.schema());
            }
        }
        end = position;
        return end;
    }

    private void readFile(Schema file) {
        for (Schema.Field field : file.getFields()) {
            int before = position;
            switch (field.name()) {
                case DataFileMeta.FILE_NAME -> {
                    int length = Math.toIntExact(readLong());
                    fileNameStart = position;
                    position += length;
                    fileNameEnd = position;
                }
                case DataFileMeta.ROW_COUNT -> rowCount = readLong();
                case DataFileMeta.MIN_SEQUENCE_NUMBER -> {
                    sequencesStart = before;
                    readLong();
                }
                case DataFileMeta.MAX_SEQUENCE_NUMBER -> {
                    readLong();
                    sequencesEnd = position;
                }
                case DataFileMeta.FILE_SOURCE -> {
                    source = skipUnion(field.schema());
                    sourceStart = before;
                    sourceEnd = position;
                }
                case DataFileMeta.FIRST_ROW_ID -> {
                    rowId = skipUnion(field.schema());
                    rowIdStart = before;
                    rowIdEnd = position;
                }
                case DataFileMeta.WRITE_COLS -> writeCols = skipUnion(field.schema());
                default -> skip(field.schema());
            }
        }
    }

    private void skip(Schema schema) {
        switch (schema.getType()) {
            case INT, LONG -> readLong();
            case BYTES, STRING -> {
                int length = Math.toIntExact(readLong());
                position += length;
            }
            case UNION -> skipUnion(schema);
            case RECORD -> schema.getFields().forEach(field -> skip(field.schema()));
            case ARRAY -> skipArray(schema.getElementType());
            case NULL -> {}
            default -> throw new IllegalStateException("No manifest entry has a " + schema);
        }
    }

    /** Passes over a nullable value; whether it is there. */
    private boolean skipUnion(Schema union) {
        Schema branch = union.getTypes().get(Math.toIntExact(readLong()));
        skip(branch);
        return branch.getType() != Schema.Type.NULL;
    }

    private void skipArray(Schema element) {
        long count = readLong();
        while (count != 0) {
            if (count < 0) {
                int length = Math.toIntExact(readLong());
                position += length;
            } else {
                for (long i = 0; i < count; i++) {
                    skip(element);
                }
            }
            count = readLong();
        }
    }

    /** Avro's variable-length zig-zag number, of an int or a long. */
    private long readLong() {
        long value = 0;
        int shift = 0;
        byte next;
        do {
            next = bytes[position++];
            value |= (next & 0x7fL) << shift;
            shift += 7;
        } while (next < 0);
        return (value >>> 1) ^ -(value & 1);
    }

    /** The array that holds the entry, and more; positions count from its begin. */
    public byte[] bytes() {
        return bytes;
    }

    public int start() {
        return start;
    }

    /** Exclusive. */
    public int end() {
        return end;
    }

    public boolean isAdd() {
        return add;
    }

    /** Begin of the serialised partition. */
    public int partitionStart() {
        return partitionStart;
    }

    /** End of the serialised partition, exclusive. */
    public int partitionEnd() {
        return partitionEnd;
    }

    /** Whether the name of the data file contains some ASCII characters. */
    public boolean fileNameContains(String part) {
        int last = fileNameEnd - part.length();
        for (int from = fileNameStart; from <= last; from++) {
            int same = 0;
            while (same < part.length() && bytes[from + same] == part.charAt(same)) {
                same++;
            }
            if (same == part.length()) {
                return true;
            }
        }
        return false;
    }

    public long rowCount() {
        return rowCount;
    }

    /** Begin of the smallest sequence number; the largest one follows it. */
    public int sequencesStart() {
        return sequencesStart;
    }

    /** End of the largest sequence number, exclusive. */
    public int sequencesEnd() {
        return sequencesEnd;
    }

    public boolean hasSource() {
        return source;
    }

    /** Begin of the file source with its union branch. */
    public int sourceStart() {
        return sourceStart;
    }

    /** Exclusive. */
    public int sourceEnd() {
        return sourceEnd;
    }

    public boolean hasRowId() {
        return rowId;
    }

    /** Begin of the row id with its union branch. */
    public int rowIdStart() {
        return rowIdStart;
    }

    /** Exclusive. */
    public int rowIdEnd() {
        return rowIdEnd;
    }

    /** Whether the file names the columns that it holds. */
    public boolean hasWriteCols() {
        return writeCols;
    }
}
