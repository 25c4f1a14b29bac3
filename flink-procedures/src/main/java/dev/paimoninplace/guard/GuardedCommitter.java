package dev.paimoninplace.guard;

import dev.paimoninplace.fence.StaleWriterException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.paimon.flink.sink.Committable;
import org.apache.paimon.flink.sink.Committer;
import org.apache.paimon.flink.sink.StoreCommitter;
import org.apache.paimon.manifest.ManifestCommittable;
import org.apache.paimon.operation.FileStoreCommit;
import org.apache.paimon.table.FileStoreTable;

/**
 * Paimon's committer behind a look at the table: it refuses to commit once the table was converted
 * under it, and makes what a writer from before the conversion left in a checkpoint fit.
 */
final class GuardedCommitter implements Committer<Committable, ManifestCommittable> {

    // The row ids of a conversion, its schema, and a repair in between.
    private static final int REOPENINGS = 3;

    private final PlannedTable planned;
    private final Function<FileStoreTable, StoreCommitter> opening;
    private final Context context;
    private final GuardMetrics metrics;
    private FileStoreTable table;
    private StoreCommitter stock;

    GuardedCommitter(
            PlannedTable planned,
            Function<FileStoreTable, StoreCommitter> opening,
            Context context,
            GuardMetrics metrics) {
        this.planned = planned;
        this.opening = opening;
        this.context = context;
        this.metrics = metrics;
        this.table = planned.current();
        this.stock = opening.apply(table);
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
     * Commits what is still open of a checkpoint, or all that a job without checkpoints wrote.
     * Compactions in it that began before the conversion are dropped, and their files deleted once
     * the rest is committed: until then the checkpoint is restored with them.
     *
     * <p>A job without checkpoints would lose everything with a refusal, so the table is opened
     * anew for it.
     *
     * @throws StaleWriterException if the table was converted since this committer was opened
     */
    @Override
    public int filterAndCommit(
            List<ManifestCommittable> committables,
            boolean checkAppendFiles,
            boolean partitionMarkDoneRecoverFromState)
            throws IOException {
        for (int reopened = 0; ; reopened++) {
            try {
                return commitOpen(
                        committables, checkAppendFiles, partitionMarkDoneRecoverFromState);
            } catch (StaleWriterException e) {
                metrics.countRefusal();
                if (context.streamingCheckpointEnabled() || reopened == REOPENINGS) {
                    throw e;
                }
                reopen();
            }
        }
    }

    private int commitOpen(
            List<ManifestCommittable> committables,
            boolean checkAppendFiles,
            boolean partitionMarkDoneRecoverFromState)
            throws IOException {
        checkNotConverted();
        DroppedCompactions dropped = new DroppedCompactions(table);
        int committed =
                stock.filterAndCommit(
                        fitting(withoutStaleCompactions(committables, dropped)),
                        checkAppendFiles,
                        partitionMarkDoneRecoverFromState);
        dropped.delete();
        return committed;
    }

    private void reopen() throws IOException {
        try {
            stock.close();
        } catch (Exception e) {
            throw new IOException("Cannot close the committer of " + planned.name() + ".", e);
        }
        table = planned.current();
        stock = opening.apply(table);
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
        try (FileStoreCommit commit = table.store().newCommit(context.commitUser(), table)) {
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
