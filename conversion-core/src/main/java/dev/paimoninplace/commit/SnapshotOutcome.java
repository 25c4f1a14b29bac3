package dev.paimoninplace.commit;

/** How a compare-and-set on the newest snapshot ended. */
sealed interface SnapshotOutcome {

    /**
     * The snapshot is there.
     *
     * @param snapshotId its id
     */
    record Committed(long snapshotId) implements SnapshotOutcome {}

    /** Somebody else's snapshot came first; ours surely did not land. */
    record Lost() implements SnapshotOutcome {}

    /**
     * The write failed and no snapshot is to be seen; it may still land.
     *
     * @param cause why the write failed
     */
    record Unknown(Throwable cause) implements SnapshotOutcome {}
}
