package dev.paimoninplace.verify;

import dev.paimoninplace.plan.EntryReader;
import dev.paimoninplace.plan.FileShapes;
import dev.paimoninplace.plan.FileShapes.Shape;
import dev.paimoninplace.rowid.FileChange;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.manifest.BinaryManifestEntry;
import org.apache.paimon.manifest.FileEntry;
import org.apache.paimon.manifest.ManifestFileMeta;
import org.apache.paimon.utils.FileStorePathFactory;
import org.jspecify.annotations.Nullable;

/** Reads one manifest, reports what is wrong with single files, and collects their ranges. */
final class ManifestCheck {

    /**
     * What the files of a manifest are, for the checks that need all of them.
     *
     * @param files live files
     * @param rows rows of the live files with all columns
     */
    record Content(
            long files, long rows, FileRanges full, FileRanges partial, FileRanges dedicated) {

        static Content sum(List<Content> contents) {
            FileRanges full = new FileRanges();
            FileRanges partial = new FileRanges();
            FileRanges dedicated = new FileRanges();
            long files = 0;
            long rows = 0;
            for (Content content : contents) {
                files += content.files;
                rows += content.rows;
                full.addAll(content.full);
                partial.addAll(content.partial);
                dedicated.addAll(content.dedicated);
            }
            return new Content(files, rows, full, partial, dedicated);
        }
    }

    /** What is taken as mended in each live file. */
    interface Mended {

        /** Takes every file as it is. */
        Mended NOTHING = file -> FileChange.NONE;

        FileChange changeOf(DataFileMeta file);
    }

    /** What else is checked on each live file. */
    interface LiveCheck {

        void check(BinaryManifestEntry entry);
    }

    private final EntryReader entries;
    private final FileShapes shapes;
    private final FileStorePathFactory paths;
    private final Set<FileEntry.Identifier> deleted;
    private final long nextRowId;
    private final long snapshotId;
    private final Findings findings;
    private final LiveCheck liveCheck;
    private final Mended mended;

    ManifestCheck(
            EntryReader entries,
            FileShapes shapes,
            FileStorePathFactory paths,
            Set<FileEntry.Identifier> deleted,
            long nextRowId,
            long snapshotId,
            Findings findings,
            LiveCheck liveCheck,
            Mended mended) {
        this.mended = mended;
        this.entries = entries;
        this.shapes = shapes;
        this.paths = paths;
        this.deleted = deleted;
        this.nextRowId = nextRowId;
        this.snapshotId = snapshotId;
        this.findings = findings;
        this.liveCheck = liveCheck;
    }

    Content check(ManifestFileMeta manifest) {
        Reading reading = new Reading(manifest);
        entries.read(manifest, reading::accept);
        reading.checkRange();
        return reading.content();
    }

    /** Whether an entry adds a file that no manifest deletes. */
    static boolean isLive(BinaryManifestEntry entry, Set<FileEntry.Identifier> deleted) {
        return entry.isAdd() && (deleted.isEmpty() || !deleted.contains(entry.identifier()));
    }

    private final class Reading {

        private final ManifestFileMeta manifest;
        private final FileRanges full = new FileRanges();
        private final FileRanges partial = new FileRanges();
        private final FileRanges dedicated = new FileRanges();
        private long files;
        private long rows;
        private boolean allHaveIds = true;
        private long minRowId = Long.MAX_VALUE;
        private long maxRowId = Long.MIN_VALUE;

        Reading(ManifestFileMeta manifest) {
            this.manifest = manifest;
        }

        void accept(BinaryManifestEntry entry) {
            DataFileMeta file = entry.file();
            Long first = file.firstRowId();
            if (first == null) {
                allHaveIds = false;
            } else {
                minRowId = Math.min(minRowId, first);
                maxRowId = Math.max(maxRowId, first + file.rowCount() - 1);
            }
            if (isLive(entry, deleted)) {
                live(entry, file, first);
            }
        }

        private void live(BinaryManifestEntry entry, DataFileMeta file, @Nullable Long known) {
            FileChange change = mended.changeOf(file);
            Long first = change.restoredRowId() == null ? known : change.restoredRowId();
            Shape shape = shapes.of(file);
            liveCheck.check(entry);
            files++;
            rows += shape == Shape.FULL ? file.rowCount() : 0;
            if (first == null) {
                // A new row id mends a file with all columns only.
                if (!change.rowId() || shape != Shape.FULL || FileShapes.idsInside(file)) {
                    stray(entry, file, shape);
                }
                return;
            }
            long end = first + file.rowCount();
            if (file.rowCount() > 0) {
                FileRanges ranges =
                        switch (shape) {
                            case FULL -> full;
                            case PARTIAL -> partial;
                            case DEDICATED -> dedicated;
                        };
                long sequence = change.sequences() ? FileChange.SEQUENCE : file.maxSequenceNumber();
                ranges.add(first, end, sequence);
            }
            if (end > nextRowId) {
                report(
                        FindingCode.ROW_ID_BEYOND_NEXT,
                        entry,
                        file,
                        "its last row id is " + (end - 1) + ", the next row id " + nextRowId);
            }
            boolean outOfRange =
                    file.minSequenceNumber() <= 0 || file.maxSequenceNumber() > snapshotId;
            if (shape == Shape.FULL && outOfRange && !change.sequences()) {
                report(
                        FindingCode.SEQUENCE_OUT_OF_RANGE,
                        entry,
                        file,
                        String.format(
                                "its sequence numbers are %d to %d, the newest snapshot is %d",
                                file.minSequenceNumber(), file.maxSequenceNumber(), snapshotId));
            }
        }

        private void stray(BinaryManifestEntry entry, DataFileMeta file, Shape shape) {
            if (FileShapes.idsInside(file)) {
                report(
                        FindingCode.IDS_INSIDE_FILE,
                        entry,
                        file,
                        "its row ids are a column inside the file");
            } else if (shape == Shape.FULL) {
                report(FindingCode.STRAY_FILE, entry, file, "it has no row id");
            } else {
                report(
                        FindingCode.PARTIAL_WITHOUT_ROW_ID,
                        entry,
                        file,
                        "it holds " + file.writeCols() + " only and has no row id");
            }
        }

        private void report(
                FindingCode code, BinaryManifestEntry entry, DataFileMeta file, String detail) {
            findings.add(
                    Finding.of(
                            code,
                            Optional.of(file.fileName()),
                            Optional.of(paths.getPartitionString(entry.partition())),
                            Optional.empty(),
                            detail));
        }

        void checkRange() {
            Long min = manifest.minRowId();
            Long max = manifest.maxRowId();
            boolean empty = minRowId > maxRowId;
            if (min == null || max == null) {
                if (allHaveIds && !empty) {
                    manifest(FindingCode.MANIFEST_RANGE_MISSING, "it has no row-id range");
                }
            } else if (!allHaveIds || (!empty && (min > minRowId || max < maxRowId))) {
                manifest(
                        FindingCode.MANIFEST_RANGE_WRONG,
                        String.format(
                                "its row-id range is %d to %d, its files have %s",
                                min,
                                max,
                                allHaveIds ? minRowId + " to " + maxRowId : "none in part"));
            }
        }

        private void manifest(FindingCode code, String detail) {
            findings.add(
                    Finding.of(
                            code,
                            Optional.of(manifest.fileName()),
                            Optional.empty(),
                            Optional.empty(),
                            detail));
        }

        Content content() {
            return new Content(files, rows, full, partial, dedicated);
        }
    }
}
