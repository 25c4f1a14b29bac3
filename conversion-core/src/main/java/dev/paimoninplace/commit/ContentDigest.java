package dev.paimoninplace.commit;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.paimon.manifest.ManifestEntry;
import org.apache.paimon.manifest.ManifestEntrySerializer;
import org.apache.paimon.shade.guava30.com.google.common.hash.HashCode;
import org.apache.paimon.shade.guava30.com.google.common.hash.Hashing;

/**
 * Digest of a set of manifest entries that does not depend on their order: two equal digests mean
 * the same files with the same attributes.
 *
 * <p>128-bit Murmur3 of each serialised entry, added up. Not safe for use by many threads.
 */
final class ContentDigest {

    /**
     * @param files entries
     * @param rows rows in these files
     */
    record Value(long files, long rows, long high, long low) {}

    private final ManifestEntrySerializer serializer = new ManifestEntrySerializer();
    private long files;
    private long rows;
    private long high;
    private long low;

    void add(ManifestEntry entry) {
        HashCode hash = Hashing.murmur3_128().hashBytes(bytes(entry));
        byte[] digest = hash.asBytes();
        files++;
        rows += entry.file().rowCount();
        high += word(digest, 0);
        low += word(digest, Long.BYTES);
    }

    Value value() {
        return new Value(files, rows, high, low);
    }

    private byte[] bytes(ManifestEntry entry) {
        try {
            return serializer.serializeToBytes(entry);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long word(byte[] bytes, int offset) {
        long word = 0;
        for (int i = 0; i < Long.BYTES; i++) {
            word = (word << Byte.SIZE) | (bytes[offset + i] & 0xffL);
        }
        return word;
    }
}
