package dev.paimoninplace.conversion;

/**
 * A commit user seen in the retained snapshots; one that committed lately is likely a running job.
 *
 * @param name commit user as the snapshots name it
 * @param lastSnapshotId newest retained snapshot of that user
 * @param lastCommitMillis time of that snapshot, epoch milliseconds
 * @param lastKind commit kind of that snapshot, as Paimon names it
 */
public record CommitUser(
        String name, long lastSnapshotId, long lastCommitMillis, String lastKind) {}
