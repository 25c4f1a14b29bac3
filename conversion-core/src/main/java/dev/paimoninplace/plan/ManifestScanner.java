package dev.paimoninplace.plan;

import dev.paimoninplace.plan.FileShapes.Shape;
import dev.paimoninplace.rowid.FileChange;
import dev.paimoninplace.rowid.FileRule;
import dev.paimoninplace.rowid.ManifestSummary;
import dev.paimoninplace.rowid.ManifestSummary.PartitionNeed;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.manifest.BinaryManifestEntry;
import org.apache.paimon.manifest.FileEntry;
import org.apache.paimon.manifest.ManifestFileMeta;

/**
 * Reads manifests for the assignment: one pass, entry by entry, only the attributes that the rules
 * look at. Safe for use by many threads.
 */
final class ManifestScanner {

    private final EntryReader entries;
    private final FileShapes shapes;
    private final AvroManifestCounter counter;

    ManifestScanner(TableHandle handle) {
        this.entries = new EntryReader(handle);
        this.shapes = new FileShapes(handle);
        this.counter = new AvroManifestCounter(handle);
    }

    /** The files that a manifest deletes; their additions may lie in any manifest. */
    List<FileEntry.Identifier> deletions(ManifestFileMeta manifest) {
        return entries.deletions(manifest);
    }

    /**
     * Reads one manifest.
     *
     * @param deleted deletions of all manifests of the snapshot
     * @param tracksRows whether the latest schema tracks rows without being Data Evolution
     */
    ScannedManifest scan(
            ManifestFileMeta manifest,
            Set<FileEntry.Identifier> deleted,
            FileRule rule,
            boolean tracksRows) {
        if (deleted.isEmpty() && !tracksRows) {
            Optional<ScannedManifest> counted = counter.count(manifest);
            if (counted.isPresent()) {
                return counted.get();
            }
        }
        Scan scan = new Scan(manifest, deleted, rule, tracksRows);
        entries.read(manifest, scan::accept);
        return scan.result();
    }

    /** The state of one reading. */
    private final class Scan {

        private final ManifestFileMeta manifest;
        private final Set<FileEntry.Identifier> deleted;
        private final FileRule rule;
        private final boolean tracksRows;
        private final Set<FileEntry.Identifier> cancelled = new HashSet<>();
        private final Set<BinaryRow> partitions = new HashSet<>();
        private final Map<BinaryRow, long[]> needs = new LinkedHashMap<>();
        private final FileFindings.Collector findings = new FileFindings.Collector();
        private final RowIdRanges fullRanges = new RowIdRanges();
        private final RowIdRanges partialRanges = new RowIdRanges();
        private long cancelledAdditions;
        private long liveFiles;
        private long liveRows;
        private long changedFiles;
        private long mendedFiles;
        private long droppedEntries;
        private long idsEnd;
        private long minRowId = Long.MAX_VALUE;
        private long maxRowId = Long.MIN_VALUE;

        Scan(
                ManifestFileMeta manifest,
                Set<FileEntry.Identifier> deleted,
                FileRule rule,
                boolean tracksRows) {
            this.manifest = manifest;
            this.deleted = deleted;
            this.rule = rule;
            this.tracksRows = tracksRows;
        }

        void accept(BinaryManifestEntry entry) {
            BinaryRow partition = entry.partition();
            partitions.add(partition);
            idsEnd = Math.max(idsEnd, FileRule.endOf(entry.file()).orElse(0L));
            if (entry.isDelete()) {
                droppedEntries++;
                return;
            }
            if (!deleted.isEmpty() && isCancelled(entry)) {
                droppedEntries++;
                return;
            }
            live(partition, entry.file());
        }

        private boolean isCancelled(BinaryManifestEntry entry) {
            FileEntry.Identifier identifier = entry.identifier();
            if (!deleted.contains(identifier)) {
                return false;
            }
            cancelled.add(identifier);
            cancelledAdditions++;
            return true;
        }

        private void live(BinaryRow partition, DataFileMeta file) {
            liveFiles++;
            liveRows += file.rowCount();
            Shape shape = shapes.of(file);
            boolean full = shape == Shape.FULL;
            find(file, shape);
            change(partition, file);
            Long restored = rule.restoredRowId(file);
            Long first = restored == null ? file.firstRowId() : restored;
            if (first != null && file.rowCount() > 0) {
                (full ? fullRanges : partialRanges)
                        .add(first, Math.addExact(first, file.rowCount()));
            }
            if (first != null) {
                minRowId = Math.min(minRowId, first);
                maxRowId = Math.max(maxRowId, first + file.rowCount() - 1);
            }
        }

        private void change(BinaryRow partition, DataFileMeta file) {
            FileChange change = rule.changeOf(file);
            if (!change.isNeeded()) {
                return;
            }
            changedFiles++;
            mendedFiles += change.sequences() && !change.rowId() ? 1 : 0;
            if (change.rowId()) {
                long[] need = needs.computeIfAbsent(partition, p -> new long[3]);
                need[0]++;
                need[1] += file.rowCount();
                need[2] = Math.addExact(need[2], FileRule.idCount(file.rowCount()));
            }
        }

        private void find(DataFileMeta file, Shape shape) {
            boolean hasId = file.firstRowId() != null;
            if (rule.restoredRowId(file) != null) {
                return;
            }
            if (FileShapes.idsInside(file) && (!hasId || tracksRows)) {
                findings.add(FileFindings.Kind.IDS_INSIDE, file.fileName());
            } else if (hasId) {
                return;
            } else if (tracksRows) {
                findings.add(FileFindings.Kind.ID_MISSING, file.fileName());
            } else if (shape == Shape.DEDICATED) {
                findings.add(FileFindings.Kind.DEDICATED_WITHOUT_ID, file.fileName());
            } else if (shape == Shape.PARTIAL) {
                findings.add(FileFindings.Kind.PARTIAL_WITHOUT_ID, file.fileName());
            }
        }

        ScannedManifest result() {
            List<PartitionNeed> list = new ArrayList<>(needs.size());
            needs.forEach((p, need) -> list.add(new PartitionNeed(p, need[0], need[1], need[2])));
            ManifestSummary summary =
                    new ManifestSummary(
                            manifest.fileName(),
                            list,
                            liveFiles,
                            liveRows,
                            changedFiles,
                            droppedEntries,
                            idsEnd,
                            minRowId,
                            maxRowId);
            return new ScannedManifest(
                    manifest,
                    summary,
                    Set.copyOf(cancelled),
                    cancelledAdditions,
                    Set.copyOf(partitions),
                    findings.findings(),
                    mendedFiles,
                    fullRanges,
                    partialRanges);
        }
    }
}
