package dev.paimoninplace.fence;

import java.util.List;
import org.apache.paimon.Snapshot;
import org.apache.paimon.catalog.SnapshotCommit;
import org.apache.paimon.partition.PartitionStatistics;
import org.apache.paimon.utils.SnapshotManager;
import org.jspecify.annotations.Nullable;

/** The compare-and-set of one committer, with the fence before it. */
final class GuardedSnapshotCommit implements SnapshotCommit {

    private final SnapshotCommit stock;
    private final Fence fence;
    private final SnapshotManager snapshots;

    private GuardedSnapshotCommit(SnapshotCommit stock, Fence fence, SnapshotManager snapshots) {
        this.stock = stock;
        this.fence = fence;
        this.snapshots = snapshots;
    }

    /**
     * Opens it; what the table looks like now is what the committer counts as its own view.
     *
     * @param name name of the table, for people
     * @param snapshots the committer's own
     */
    static GuardedSnapshotCommit open(
            SnapshotCommit stock, String name, SnapshotManager snapshots) {
        GuardedBranch branch = new GuardedBranch(name, snapshots);
        return new GuardedSnapshotCommit(stock, Fence.open(branch), snapshots);
    }

    @Override
    public boolean commit(
            @Nullable String baseSnapshotUuid,
            Snapshot snapshot,
            String branch,
            List<PartitionStatistics> statistics)
            throws Exception {
        try {
            fence.check(snapshot);
        } catch (FenceException e) {
            if (!RollbackFence.CODE.equals(e.code())) {
                Refusal.handOver(e, snapshots);
            }
            // A rollback is tried once: what is thrown surfaces by itself.
            throw e;
        }
        return stock.commit(baseSnapshotUuid, snapshot, branch, statistics);
    }

    @Override
    public void close() throws Exception {
        stock.close();
    }
}
