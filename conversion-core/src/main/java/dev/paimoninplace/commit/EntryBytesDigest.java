package dev.paimoninplace.commit;

import dev.paimoninplace.plan.AvroEntryLayout;
import org.apache.paimon.manifest.FileSource;
import org.apache.paimon.shade.guava30.com.google.common.hash.Hasher;

/**
 * Digest of the bytes of manifest entries, apart from what patching puts in: row id and sequence
 * numbers do not count, and a missing file source counts as APPEND. Not safe for use by many
 * threads.
 */
final class EntryBytesDigest {

    /** Avro's encoding of a file source that is there and is APPEND. */
    static final byte[] APPEND = source(FileSource.APPEND);

    private final ContentDigest digest = new ContentDigest();

    private static byte[] source(FileSource source) {
        return new byte[] {2, (byte) (source.toByteValue() << 1)};
    }

    void add(AvroEntryLayout entry) {
        Hasher hasher = ContentDigest.newHasher();
        put(hasher, entry, entry.start(), entry.sequencesStart());
        put(hasher, entry, entry.sequencesEnd(), entry.sourceStart());
        if (entry.hasSource()) {
            put(hasher, entry, entry.sourceStart(), entry.sourceEnd());
        } else {
            hasher.putBytes(APPEND);
        }
        put(hasher, entry, entry.sourceEnd(), entry.rowIdStart());
        put(hasher, entry, entry.rowIdEnd(), entry.end());
        digest.add(hasher.hash(), entry.rowCount());
    }

    private static void put(Hasher hasher, AvroEntryLayout entry, int from, int to) {
        hasher.putBytes(entry.bytes(), from, to - from);
    }

    ContentDigest.Value value() {
        return digest.value();
    }
}
