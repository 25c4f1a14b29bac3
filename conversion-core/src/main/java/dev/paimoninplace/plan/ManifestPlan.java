package dev.paimoninplace.plan;

import dev.paimoninplace.rowid.FileRule;
import dev.paimoninplace.rowid.ManifestSummary;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.paimon.manifest.FileEntry;
import org.apache.paimon.manifest.ManifestFileMeta;

/**
 * Everything that the manifests of one snapshot say about a conversion.
 *
 * @param view the table that was read
 * @param rule what changes in a file
 * @param deleted files that some manifest deletes
 * @param manifests the manifests in commit order
 * @param findings live files that stand in the way
 * @param addedTwice files that were added again after a deletion, which no order explains
 * @param repeatedRowId an id that two full-row files have
 * @param rowIdWithoutFullRow an id for which only files with some of the columns are left
 */
public record ManifestPlan(
        TableView view,
        FileRule rule,
        Set<FileEntry.Identifier> deleted,
        List<PlannedManifest> manifests,
        FileFindings findings,
        long addedTwice,
        Optional<Long> repeatedRowId,
        Optional<Long> rowIdWithoutFullRow) {

    /**
     * One manifest and what was found in it. The same instance in two plans means that nothing
     * about it has changed between them.
     */
    public record PlannedManifest(ManifestFileMeta meta, ManifestSummary summary) {

        /** Whether its row-id range covers its live files, all of which have ids. */
        public boolean rangeIsKnown() {
            Long min = meta.minRowId();
            Long max = meta.maxRowId();
            return min != null
                    && max != null
                    && min <= summary.minRowId()
                    && max >= summary.maxRowId();
        }
    }

    public ManifestPlan {
        manifests = List.copyOf(manifests);
    }

    /** The same with more files that stand in the way. */
    ManifestPlan with(List<MisleadingStrays.Stray> strays) {
        FileFindings.Collector more = new FileFindings.Collector();
        strays.forEach(stray -> more.add(stray.kind(), stray.fileName()));
        return new ManifestPlan(
                view,
                rule,
                deleted,
                manifests,
                findings.plus(more.findings()),
                addedTwice,
                repeatedRowId,
                rowIdWithoutFullRow);
    }

    public List<ManifestSummary> summaries() {
        return manifests.stream().map(PlannedManifest::summary).toList();
    }

    /** Live files of the snapshot. */
    public long liveFiles() {
        return manifests.stream().mapToLong(m -> m.summary().liveFiles()).sum();
    }

    /** Rows of the live files. */
    public long liveRows() {
        return manifests.stream().mapToLong(m -> m.summary().liveRows()).sum();
    }

    /** Live files in which something changes. */
    public long changedFiles() {
        return manifests.stream().mapToLong(m -> m.summary().changedFiles()).sum();
    }

    /** First id that is neither in use nor promised: max(nextRowId, 1 + highest id in use). */
    public long firstFreeRowId() {
        return Math.max(
                view.nextRowId(),
                manifests.stream().mapToLong(m -> m.summary().idsEnd()).max().orElse(0L));
    }

    /**
     * Whether every manifest that stays says which row ids it holds, and says it right. Readers by
     * row id look into one that says nothing, and pass over one that says something wrong.
     */
    public boolean rangesAreKnown() {
        return manifests.stream().allMatch(m -> m.summary().liveFiles() == 0 || m.rangeIsKnown());
    }

    /** Whether every live file is as Data Evolution needs it and {@code nextRowId} is above all. */
    public boolean idsAreComplete() {
        return changedFiles() == 0 && view.nextRowId() >= 1 && view.nextRowId() >= firstFreeRowId();
    }
}
