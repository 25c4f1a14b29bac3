package dev.paimoninplace.rowid;

import java.util.List;
import org.apache.paimon.data.BinaryRow;

/**
 * What the assignment must know of one manifest; its size depends on the partitions in the
 * manifest, not on its files.
 *
 * @param manifest file name of the manifest
 * @param needs what each partition needs, in order of first appearance; partitions that need
 *     nothing are absent
 * @param liveFiles live files in the manifest
 * @param liveRows rows in these files
 * @param changedFiles live files in which anything changes
 * @param droppedEntries entries that are not live: deletions and the additions they cancel
 * @param idsEnd 1 + the highest id of any entry, 0 when none has one
 * @param minRowId lowest row id of a live file; {@link Long#MAX_VALUE} when none has one
 * @param maxRowId highest row id of a live file; {@link Long#MIN_VALUE} when none has one
 */
public record ManifestSummary(
        String manifest,
        List<PartitionNeed> needs,
        long liveFiles,
        long liveRows,
        long changedFiles,
        long droppedEntries,
        long idsEnd,
        long minRowId,
        long maxRowId) {

    /**
     * Files of one partition that need a row id.
     *
     * @param fileCount files
     * @param rowCount rows in these files
     * @param idCount ids they take; at least {@code rowCount}
     */
    public record PartitionNeed(BinaryRow partition, long fileCount, long rowCount, long idCount) {}

    public ManifestSummary {
        needs = List.copyOf(needs);
    }

    /** Whether the manifest must be written anew; otherwise the new snapshot references it. */
    public boolean mustBeRewritten() {
        return changedFiles > 0 || droppedEntries > 0;
    }
}
