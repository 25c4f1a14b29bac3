package dev.paimoninplace.plan;

import dev.paimoninplace.rowid.ManifestSummary;
import java.util.Set;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.manifest.FileEntry;
import org.apache.paimon.manifest.ManifestFileMeta;

/**
 * What one reading of a manifest found.
 *
 * @param meta the manifest
 * @param summary what the assignment needs of it
 * @param cancelled files added here that a deletion in some manifest cancels
 * @param cancelledAdditions additions of these files here; more than {@code cancelled} means that
 *     one file was added twice
 * @param partitions partitions of its entries
 * @param findings live files that stand in the way
 * @param mendedFiles live files with a row id whose sequence numbers change
 * @param fullRanges id ranges of live files that hold all columns
 * @param partialRanges id ranges of live files that hold some columns only
 */
record ScannedManifest(
        ManifestFileMeta meta,
        ManifestSummary summary,
        Set<FileEntry.Identifier> cancelled,
        long cancelledAdditions,
        Set<BinaryRow> partitions,
        FileFindings findings,
        long mendedFiles,
        RowIdRanges fullRanges,
        RowIdRanges partialRanges) {

    /**
     * Whether another reading under other deletions would find the same.
     *
     * @param newlyDeleted deletions that were not known at the first reading
     * @param deleted all deletions of the new snapshot
     */
    boolean holdsUnder(Set<FileEntry.Identifier> newlyDeleted, Set<FileEntry.Identifier> deleted) {
        return deleted.containsAll(cancelled)
                && newlyDeleted.stream().noneMatch(id -> partitions.contains(id.partition));
    }
}
