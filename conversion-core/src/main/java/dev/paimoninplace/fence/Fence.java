package dev.paimoninplace.fence;

import java.util.Optional;
import org.apache.paimon.Snapshot;

/**
 * Decides whether a snapshot may be written, from that snapshot alone, right before its
 * compare-and-set.
 *
 * <p>A snapshot names the schema that was the latest one after its base was read. So whatever is
 * prepared above the seal of a conversion names the converted schema, and whatever was prepared
 * below it loses the compare-and-set. That leaves no moment in between.
 */
final class Fence {

    private final GuardedBranch table;
    private final long nextRowIdAtOpen;

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
        // Without row tracking, the next row id rises by a conversion only.
        if (tracking == Tracking.NONE && GuardedBranch.nextRowId(snapshot) <= nextRowIdAtOpen) {
            return;
        }
        Delta delta = Delta.read(table, snapshot);
        Optional<Delta.Flaw> flaw = delta.flaw(tracking);
        if (flaw.isPresent()) {
            throw StaleWriterException.of(
                    table.name(),
                    ConversionSearch.first(table, snapshot, nextRowIdAtOpen),
                    flaw.get().file(),
                    flaw.get().text());
        }
    }
}
