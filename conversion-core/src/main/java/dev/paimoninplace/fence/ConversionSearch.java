package dev.paimoninplace.fence;

import java.util.Optional;
import org.apache.paimon.Snapshot;

/** Finds the snapshot of a conversion, for messages. */
final class ConversionSearch {

    private ConversionSearch() {}

    /**
     * The oldest retained snapshot whose schema promises as much as that of a refused one, or whose
     * next row id is above what the committer knew; empty when older ones have expired.
     *
     * @param refused a snapshot that was not written
     */
    static Optional<Long> first(GuardedBranch table, Snapshot refused, long nextRowIdAtOpen) {
        return first(table, refused.id(), table.tracking(refused.schemaId()), nextRowIdAtOpen);
    }

    /** The oldest retained snapshot of a conversion to data evolution that has come to its end. */
    static Optional<Long> evolution(GuardedBranch table) {
        return table.latestSnapshot()
                .flatMap(latest -> first(table, latest.id() + 1, Tracking.EVOLUTION, 0L));
    }

    private static Optional<Long> first(
            GuardedBranch table, long end, Tracking tracking, long nextRowIdAtOpen) {
        Long earliest = table.snapshots().earliestSnapshotId();
        long low = earliest == null ? end : earliest;
        long high = end;
        if (isConverted(table, low, tracking, nextRowIdAtOpen)) {
            return Optional.empty();
        }
        // The one at low is not converted; those at high and above are.
        while (high - low > 1) {
            long middle = low + (high - low) / 2;
            if (isConverted(table, middle, tracking, nextRowIdAtOpen)) {
                high = middle;
            } else {
                low = middle;
            }
        }
        return high == end ? Optional.empty() : Optional.of(high);
    }

    private static boolean isConverted(
            GuardedBranch table, long id, Tracking tracking, long nextRowIdAtOpen) {
        Optional<Snapshot> snapshot = table.snapshot(id);
        if (snapshot.isEmpty()) {
            return false;
        }
        boolean promises =
                tracking != Tracking.NONE
                        && table.tracking(snapshot.get().schemaId()).compareTo(tracking) >= 0;
        return promises
                || (tracking == Tracking.NONE
                        && GuardedBranch.nextRowId(snapshot.get()) > nextRowIdAtOpen);
    }
}
