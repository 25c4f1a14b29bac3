package dev.paimoninplace.fence;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.paimon.Snapshot;
import org.apache.paimon.Snapshot.CommitKind;

/**
 * Decides whether a snapshot may be written, from that snapshot itself, right before its
 * compare-and-set.
 *
 * <p>A snapshot names the schema that was the latest one after its base was read. So whatever is
 * prepared above the seal of a conversion names the converted schema, and whatever was prepared
 * below it loses the compare-and-set. That leaves no moment in between.
 */
final class Fence {

    private static final String MEND = "Run repair_data_evolution, then commit again.";

    private final GuardedBranch table;
    private final long nextRowIdAtOpen;
    private final Map<Long, ManifestAccess> accesses = new ConcurrentHashMap<>();

    private Fence(GuardedBranch table, long nextRowIdAtOpen) {
        this.table = table;
        this.nextRowIdAtOpen = nextRowIdAtOpen;
    }

    /** The fence of a committer that opens the table now. */
    static Fence open(GuardedBranch table) {
        return new Fence(table, table.latestSnapshot().map(GuardedBranch::nextRowId).orElse(0L));
    }

    /**
     * @param snapshot about to be written; its manifests are
     * @throws FenceException when it must not be written
     */
    void check(Snapshot snapshot) {
        Tracking tracking = table.tracking(snapshot.schemaId());
        PreviousSnapshot before = new PreviousSnapshot(table, snapshot);
        if (tracking != Tracking.EVOLUTION && snapshot.commitKind() == CommitKind.OVERWRITE) {
            checkRollback(snapshot, before);
        }
        // Without row tracking, the next row id rises by a conversion only.
        if (tracking == Tracking.NONE && GuardedBranch.nextRowId(snapshot) <= nextRowIdAtOpen) {
            return;
        }
        ManifestAccess access =
                accesses.computeIfAbsent(
                        snapshot.schemaId(), schemaId -> ManifestAccess.of(table, schemaId));
        Delta delta = Delta.read(access, snapshot, before);
        checkAdded(snapshot, delta, tracking);
        if (tracking != Tracking.NONE && refersToRows(snapshot, delta, before)) {
            ResultingFiles result = new ResultingFiles(access, snapshot, delta, before);
            checkLeftOut(result, tracking);
            checkRemoved(result, delta);
        }
    }

    private static boolean refersToRows(Snapshot snapshot, Delta delta, PreviousSnapshot before) {
        String index = snapshot.indexManifest();
        boolean newIndex = index != null && !index.equals(before.indexManifest());
        return delta.updatesRows() || newIndex || delta.removesRows();
    }

    /** Only a rollback names an older schema than the snapshot that it follows. */
    private void checkRollback(Snapshot snapshot, PreviousSnapshot before) {
        boolean goesBack =
                before.get().map(known -> snapshot.schemaId() < known.schemaId()).orElse(false);
        if (goesBack) {
            new RollbackFence(table).checkSchema(snapshot.schemaId());
        }
    }

    private void checkAdded(Snapshot snapshot, Delta delta, Tracking named) {
        // What a conversion of a row-tracking table makes of it, its next row id does not tell.
        Tracking tracking =
                named == Tracking.ROWS && delta.suitsRowTrackingOnly()
                        ? table.latestTracking()
                        : named;
        Optional<Delta.Flaw> flaw = delta.flaw(tracking);
        if (flaw.isPresent()) {
            throw StaleWriterException.of(
                    table.name(),
                    ConversionSearch.first(table, snapshot, nextRowIdAtOpen),
                    flaw.get().file(),
                    flaw.get().text());
        }
    }

    private void checkLeftOut(ResultingFiles result, Tracking tracking) {
        Optional<String> stray = result.leftOut(tracking);
        if (stray.isPresent()) {
            throw new FenceException(
                    "STRAY_FILE",
                    table.name(),
                    String.format(
                            "Cannot commit to %s: file %s has no row ids, so the commit left out"
                                    + " its rows. %s",
                            table.name(), stray.get(), MEND));
        }
    }

    private void checkRemoved(ResultingFiles result, Delta delta) {
        Optional<String> orphaned =
                delta.removesRows() ? result.orphanedUpdate() : Optional.empty();
        if (orphaned.isPresent()) {
            throw new FenceException(
                    "NO_FULL_ROW_FILE",
                    table.name(),
                    String.format(
                            "Cannot commit to %s: it removes the file with all columns of rows that"
                                    + " file %s updates, and not that one. Compact such a table with"
                                    + " sys.compact, not with sys.compact_database.",
                            table.name(), orphaned.get()));
        }
    }
}
