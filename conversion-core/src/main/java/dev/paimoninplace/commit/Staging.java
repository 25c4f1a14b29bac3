package dev.paimoninplace.commit;

import java.util.List;
import org.apache.paimon.manifest.ManifestFileMeta;

/**
 * The manifests of the snapshot to be committed.
 *
 * @param manifests in commit order, kept and staged ones
 * @param nextRowId next row id of that snapshot, at least 1
 * @param fileCount files that got a row id
 * @param rowCount rows in these files
 * @param partitionCount partitions that hold these files
 * @param rewritten manifests that were written anew
 * @param kept manifests referenced as they were
 * @param written successors of the rewritten ones; those without a live file have none
 * @param readBacks how often a successor is read to compare it with what it replaces
 * @param bytesReadBack bytes of these readings
 * @param bytesRead bytes of the manifests that were rewritten
 * @param bytesWritten bytes of the successors
 */
record Staging(
        List<ManifestFileMeta> manifests,
        long nextRowId,
        long fileCount,
        long rowCount,
        long partitionCount,
        long rewritten,
        long kept,
        long written,
        long readBacks,
        long bytesReadBack,
        long bytesRead,
        long bytesWritten) {

    Staging {
        manifests = List.copyOf(manifests);
    }
}
