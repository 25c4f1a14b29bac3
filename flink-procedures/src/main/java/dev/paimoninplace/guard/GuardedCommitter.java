package dev.paimoninplace.guard;

import dev.paimoninplace.fence.StaleWriterException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.paimon.flink.sink.Committable;
import org.apache.paimon.flink.sink.Committer;
import org.apache.paimon.manifest.ManifestCommittable;
import org.apache.paimon.operation.FileStoreCommit;
import org.apache.paimon.table.FileStoreTable;

/**
 * Paimon's committer behind a look at the table: it refuses to commit once the table was converted
 * under it, and makes what a writer from before the conversion left in a checkpoint fit.
 */
final class GuardedCommitter implements Committer<Committable, ManifestCommittable> {

    private final Committer<Committable, ManifestCommittable> stock;
    private final FileStoreTable table;
    private final String commitUser;
    private final GuardMetrics metrics;

    GuardedCommitter(
            Committer<Committable, ManifestCommittable> stock,
            FileStoreTable table,
            Context context,
            GuardMetrics metrics) {
        this.stock = stock;
        this.table = table;
        this.commitUser = context.commitUser();
        this.metrics = metrics;
    }

    /**
     * @throws StaleWriterException if the table was converted since this committer was opened, or
     *     if a writer that was opened before it compacted
     */
    @Override
    public void commit(List<ManifestCommittable> committables)
            throws IOException, InterruptedException {
        try {
            checkNotConverted();
            if (evolves() && committables.stream().anyMatch(Committables::compacts)) {
                throw Stale.compaction(table);
            }
            stock.commit(fitting(committables));
        } catch (StaleWriterException e) {
            metrics.countRefusal();
            throw e;
        }
    }

    /**
     * Commits what is still open of a checkpoint. Compactions in it that began before the
     * conversion are dropped, and their files deleted once the rest is committed: until then the
     * checkpoint is restored with them.
     *
     * @throws StaleWriterException if the table was converted since this committer was opened
     */
    @Override
    public int filterAndCommit(
            List<ManifestCommittable> committables,
            boolean checkAppendFiles,
            boolean partitionMarkDoneRecoverFromState)
            throws IOException {
        try {
            checkNotConverted();
            DroppedCompactions dropped = new DroppedCompactions(table);
            int committed =
                    stock.filterAndCommit(
                            fitting(withoutStaleCompactions(committables, dropped)),
                            checkAppendFiles,
                            partitionMarkDoneRecoverFromState);
            dropped.delete();
            return committed;
        } catch (StaleWriterException e) {
            metrics.countRefusal();
            throw e;
        }
    }

    private void checkNotConverted() {
        if (PlannedTable.conversion(table).isPresent()) {
            throw Stale.committer(table);
        }
    }

    private boolean evolves() {
        return table.coreOptions().dataEvolutionEnabled();
    }

    private List<ManifestCommittable> fitting(List<ManifestCommittable> committables) {
        if (!table.coreOptions().rowTrackingEnabled()) {
            return committables;
        }
        return committables.stream().map(Committables::withSequencesToAssign).toList();
    }

    private List<ManifestCommittable> withoutStaleCompactions(
            List<ManifestCommittable> committables, DroppedCompactions dropped) {
        if (!evolves() || committables.stream().noneMatch(Committables::compacts)) {
            return committables;
        }
        // Those of a committed one are live.
        Set<Long> open = openIdentifiers(committables);
        List<ManifestCommittable> result = new ArrayList<>();
        for (ManifestCommittable committable : committables) {
            boolean drop =
                    open.contains(committable.identifier()) && Committables.compacts(committable);
            if (drop) {
                dropped.add(committable);
            }
            result.add(drop ? Committables.withoutCompactions(committable) : committable);
        }
        return result;
    }

    private Set<Long> openIdentifiers(List<ManifestCommittable> committables) {
        List<ManifestCommittable> sorted =
                committables.stream()
                        .sorted(Comparator.comparingLong(ManifestCommittable::identifier))
                        .toList();
        try (FileStoreCommit commit = table.store().newCommit(commitUser, table)) {
            return commit.filterCommitted(sorted).stream()
                    .map(ManifestCommittable::identifier)
                    .collect(Collectors.toSet());
        }
    }

    @Override
    public boolean forceCreatingSnapshot() {
        return stock.forceCreatingSnapshot();
    }

    @Override
    public ManifestCommittable combine(
            long checkpointId, long watermark, List<Committable> committables) throws IOException {
        return stock.combine(checkpointId, watermark, committables);
    }

    @Override
    public ManifestCommittable combine(
            long checkpointId,
            long watermark,
            ManifestCommittable combined,
            List<Committable> committables) {
        return stock.combine(checkpointId, watermark, combined, committables);
    }

    @Override
    public Map<Long, List<Committable>> groupByCheckpoint(Collection<Committable> committables) {
        return stock.groupByCheckpoint(committables);
    }

    @Override
    public void snapshotState() throws Exception {
        stock.snapshotState();
    }

    @Override
    public void close() throws Exception {
        stock.close();
    }
}
