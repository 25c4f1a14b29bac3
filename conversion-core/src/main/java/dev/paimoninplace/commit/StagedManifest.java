package dev.paimoninplace.commit;

import dev.paimoninplace.plan.ManifestPlan.PlannedManifest;
import java.util.Map;
import java.util.Optional;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.manifest.ManifestFileMeta;

/**
 * A manifest written anew and not referenced by any snapshot yet.
 *
 * @param source the manifest that it replaces
 * @param meta the new manifest; empty when no live file was left
 * @param firstIds id of the first row per partition
 * @param content digest of the live files as they were read from the source, with everything
 *     changed that is to be changed except for the row ids that they get
 * @param by how it was written
 */
record StagedManifest(
        PlannedManifest source,
        Optional<ManifestFileMeta> meta,
        Map<BinaryRow, Long> firstIds,
        ContentDigest.Value content,
        By by) {

    /** How a manifest was written, which decides what its digest is made of. */
    enum By {
        /** Entry by entry through Paimon's writer; read back once. */
        ENTRIES(1),
        /** By patching the bytes of its entries; read back as entries and as bytes. */
        BYTES(2);

        private final int readBacks;

        By(int readBacks) {
            this.readBacks = readBacks;
        }
    }

    /** How often the new manifest is read to compare it with the old one. */
    long readBacks() {
        return meta.isPresent() ? by.readBacks : 0;
    }

    /** Bytes of the new manifest; 0 when there is none. */
    long sizeBytes() {
        return meta.map(ManifestFileMeta::fileSize).orElse(0L);
    }
}
