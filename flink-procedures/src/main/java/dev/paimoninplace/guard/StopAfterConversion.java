package dev.paimoninplace.guard;

import java.util.List;
import java.util.Optional;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.paimon.flink.sink.listener.CommitListener;
import org.apache.paimon.manifest.ManifestCommittable;
import org.apache.paimon.table.FileStoreTable;

/**
 * Ends a job of Paimon's own sink once its table was converted: after a commit, at its next
 * checkpoint, or when Flink restarts it. For good, since such a job starts with the table as it was
 * planned, however often.
 */
public final class StopAfterConversion implements CommitListener {

    private final FileStoreTable table;

    private StopAfterConversion(FileStoreTable table) {
        this.table = table;
    }

    /**
     * The listener of a committer that starts now, before it commits anything.
     *
     * @throws SuppressRestartsException if the table was converted since the job was planned
     */
    public static Optional<CommitListener> create(FileStoreTable table) {
        StopAfterConversion listener = new StopAfterConversion(table);
        listener.check();
        return Optional.of(listener);
    }

    @Override
    public void notifyCommittable(List<ManifestCommittable> committables) {
        check();
    }

    @Override
    public void snapshotState() {
        check();
    }

    private void check() {
        if (PlannedTable.conversion(table).isPresent()) {
            throw new SuppressRestartsException(
                    new IllegalStateException(
                            "Cannot go on writing to "
                                    + table.fullName()
                                    + ": the table was converted to data evolution, and this job"
                                    + " writes files without row ids. Run enable_data_evolution"
                                    + " again for what it committed last, and submit the job again"
                                    + " from its last checkpoint through a catalog of type"
                                    + " paimon-guarded."));
        }
    }

    @Override
    public void close() {}
}
