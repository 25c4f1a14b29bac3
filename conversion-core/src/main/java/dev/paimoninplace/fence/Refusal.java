package dev.paimoninplace.fence;

import org.apache.paimon.table.Instant;
import org.apache.paimon.utils.SnapshotManager;

/**
 * Carries a refusal from the compare-and-set to the next look at the newest snapshot.
 *
 * <p>Paimon repeats a commit whatever its compare-and-set throws, for about twelve seconds, but
 * calls the loader of snapshots outside of any {@code try}. The manager of snapshots, which both
 * share, passes on an instant of a rollback as it is, so one of an own kind finds its loader.
 */
final class Refusal implements Instant {

    private static final long serialVersionUID = 1L;

    private final FenceException exception;

    private Refusal(FenceException exception) {
        this.exception = exception;
    }

    /** Hands an exception to the loader of a manager; nothing where that is not a guarded one. */
    static void handOver(FenceException exception, SnapshotManager manager) {
        try {
            manager.rollback(new Refusal(exception));
        } catch (UnsupportedOperationException e) {
            // No loader: the exception surfaces when the attempts are used up.
            exception.addSuppressed(e);
        }
    }

    FenceException exception() {
        return exception;
    }
}
