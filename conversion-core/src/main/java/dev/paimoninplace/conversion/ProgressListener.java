package dev.paimoninplace.conversion;

/**
 * Hears how far a run has come. Called from worker threads, possibly at the same time; a listener
 * returns quickly and throws nothing.
 */
@FunctionalInterface
public interface ProgressListener {

    /** Ignores everything. */
    ProgressListener NONE = (stage, done, total) -> {};

    /** A stage of a run; the unit that it counts is a manifest file, or 1 for the small stages. */
    enum Stage {
        COUNT,
        REWRITE,
        COMPARE,
        COMMIT,
        FLIP,
        SEAL,
        VERIFY
    }

    /**
     * @param done units done, at most {@code total}
     * @param total units of this stage
     */
    void progress(Stage stage, long done, long total);
}
