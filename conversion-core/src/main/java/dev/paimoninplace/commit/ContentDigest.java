package dev.paimoninplace.commit;

import org.apache.paimon.data.InternalRow;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.shade.guava30.com.google.common.hash.HashCode;
import org.apache.paimon.shade.guava30.com.google.common.hash.Hasher;
import org.apache.paimon.shade.guava30.com.google.common.hash.Hashing;

/**
 * Digest of a set of manifest entries that does not depend on their order: two equal digests mean
 * the same files with the same attributes.
 *
 * <p>128-bit Murmur3 of each entry, added up. Not safe for use by many threads.
 */
final class ContentDigest {

    /**
     * @param files entries
     * @param rows rows in these files
     */
    record Value(long files, long rows, long high, long low) {}

    private long files;
    private long rows;
    private long high;
    private long low;

    /** Adds an entry with all its attributes. */
    void add(InternalRow entry) {
        add(entry, -1);
    }

    /** Adds an entry as if its file had no row id. */
    void addWithoutRowId(InternalRow entry) {
        add(entry, EntryRow.FIRST_ROW_ID);
    }

    private void add(InternalRow entry, int leftOut) {
        Hasher hasher = newHasher();
        RowHash.ENTRY.put(hasher, entry);
        InternalRow file = EntryRow.file(entry);
        RowHash.FILE.putWithout(hasher, file, leftOut);
        add(hasher.hash(), file.getLong(EntryRow.position(DataFileMeta.ROW_COUNT)));
    }

    static Hasher newHasher() {
        return Hashing.murmur3_128().newHasher();
    }

    /**
     * Adds an entry by its hash.
     *
     * @param hash 128 bits
     * @param rowCount rows of its file
     */
    void add(HashCode hash, long rowCount) {
        byte[] digest = hash.asBytes();
        files++;
        rows += rowCount;
        high += word(digest, 0);
        low += word(digest, Long.BYTES);
    }

    Value value() {
        return new Value(files, rows, high, low);
    }

    private static long word(byte[] bytes, int offset) {
        long word = 0;
        for (int i = 0; i < Long.BYTES; i++) {
            word = (word << Byte.SIZE) | (bytes[offset + i] & 0xffL);
        }
        return word;
    }
}
