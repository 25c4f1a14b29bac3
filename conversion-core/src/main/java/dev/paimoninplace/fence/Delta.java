package dev.paimoninplace.fence;

import dev.paimoninplace.plan.FileShapes;
import dev.paimoninplace.plan.FileShapes.Shape;
import dev.paimoninplace.plan.RowIdRanges;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.apache.paimon.Snapshot;
import org.apache.paimon.Snapshot.CommitKind;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.manifest.BinaryManifestEntry;
import org.apache.paimon.manifest.FileEntry;
import org.apache.paimon.manifest.ManifestFileMeta;
import org.jspecify.annotations.Nullable;

/** What a snapshot that is about to be written adds and removes, as far as the fence needs it. */
final class Delta {

    /**
     * What is wrong with a file that is added.
     *
     * @param text goes on from the name of the file
     */
    record Flaw(String file, String text) {}

    private final Snapshot snapshot;
    private final PreviousSnapshot before;
    private final FileShapes shapes;
    private final RowIdRanges removedFullRows = new RowIdRanges();
    private final RowIdRanges addedFullRows = new RowIdRanges();
    private final Set<FileEntry.Identifier> removed = new HashSet<>();
    private @Nullable String withoutRowId;
    private @Nullable String withIdsInside;
    private @Nullable Flaw tooNew;
    private boolean updatesRows;

    private Delta(Snapshot snapshot, PreviousSnapshot before, FileShapes shapes) {
        this.snapshot = snapshot;
        this.before = before;
        this.shapes = shapes;
    }

    /**
     * Reads the delta manifests of a snapshot.
     *
     * @param before the snapshot that it follows
     */
    static Delta read(ManifestAccess access, Snapshot snapshot, PreviousSnapshot before) {
        Delta delta = new Delta(snapshot, before, access.shapes());
        for (ManifestFileMeta manifest : access.list().readDeltaManifests(snapshot)) {
            access.entries().read(manifest, delta::accept);
        }
        return delta;
    }

    private void accept(BinaryManifestEntry entry) {
        if (entry.isAdd()) {
            added(entry.file());
        } else {
            removed.add(entry.identifier());
            addRange(removedFullRows, entry.file());
        }
    }

    private void added(DataFileMeta file) {
        Long firstRowId = file.firstRowId();
        if (firstRowId == null) {
            if (FileShapes.idsInside(file)) {
                withIdsInside = file.fileName();
            } else {
                withoutRowId = file.fileName();
            }
            return;
        }
        addRange(addedFullRows, file);
        boolean updates =
                snapshot.commitKind() != CommitKind.COMPACT && shapes.of(file) != Shape.FULL;
        if (updates && firstRowId < before.nextRowId()) {
            updatesRows = true;
        }
        long newest = file.maxSequenceNumber();
        // Paimon stamps new files with the id of their snapshot, unless their sequence numbers say
        // that they are not new: those of a writer that knows no Data Evolution count rows. What a
        // compaction writes has those of older files.
        boolean unstamped = file.writeCols() == null && newest > snapshot.id();
        if (unstamped && firstRowId >= before.nextRowId()) {
            tooNew =
                    new Flaw(
                            file.fileName(),
                            "would have sequence numbers up to "
                                    + newest
                                    + ", which hide every update of its rows before snapshot "
                                    + newest);
        }
    }

    private void addRange(RowIdRanges ranges, DataFileMeta file) {
        Long first = file.firstRowId();
        if (first != null && file.rowCount() > 0 && shapes.of(file) == Shape.FULL) {
            ranges.add(first, Math.addExact(first, file.rowCount()));
        }
    }

    /** Whether what is wrong depends on the table being Data Evolution. */
    boolean suitsRowTrackingOnly() {
        return withIdsInside != null || tooNew != null;
    }

    /**
     * Why the files that are added do not fit a table.
     *
     * @param tracking what the table promises
     */
    Optional<Flaw> flaw(Tracking tracking) {
        if (withoutRowId != null) {
            return Optional.of(new Flaw(withoutRowId, "would have no row ids"));
        }
        if (withIdsInside != null && tracking != Tracking.ROWS) {
            return Optional.of(
                    new Flaw(withIdsInside, "would have its row ids inside, where nobody looks"));
        }
        return tracking == Tracking.EVOLUTION ? Optional.ofNullable(tooNew) : Optional.empty();
    }

    /** Whether files are added that hold some of the columns of older rows. */
    boolean updatesRows() {
        return updatesRows;
    }

    /** The files that are removed. */
    Set<FileEntry.Identifier> removed() {
        return removed;
    }

    /** Whether files with all columns go and none with all columns comes for their rows. */
    boolean removesRows() {
        return removedFullRows.firstOutside(addedFullRows).isPresent();
    }

    /** Rows whose file with all columns is removed. */
    RowIdRanges removedFullRows() {
        return removedFullRows;
    }

    /** Rows whose file with all columns is added. */
    RowIdRanges addedFullRows() {
        return addedFullRows;
    }
}
