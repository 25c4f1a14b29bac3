package dev.paimoninplace.guard;

import java.util.Map;
import org.apache.paimon.flink.sink.Committable;
import org.apache.paimon.flink.sink.Committer;
import org.apache.paimon.flink.sink.StoreCommitter;
import org.apache.paimon.manifest.ManifestCommittable;
import org.apache.paimon.table.FileStoreTable;
import org.jspecify.annotations.Nullable;

/** Creates committers that open the table as it is when they start. */
final class GuardedCommitterFactory implements Committer.Factory<Committable, ManifestCommittable> {

    private static final long serialVersionUID = 1L;

    private final PlannedTable planned;

    // The map comes from the planner and is serialisable.
    @SuppressWarnings("serial")
    private final @Nullable Map<String, String> overwritePartition;

    GuardedCommitterFactory(
            PlannedTable planned, @Nullable Map<String, String> overwritePartition) {
        this.planned = planned;
        this.overwritePartition = overwritePartition;
    }

    @Override
    public Committer<Committable, ManifestCommittable> create(Committer.Context context) {
        return new GuardedCommitter(
                planned,
                table -> stock(table, context),
                context,
                GuardMetrics.register(context, planned));
    }

    private StoreCommitter stock(FileStoreTable table, Committer.Context context) {
        return new StoreCommitter(
                table,
                table.newCommit(context.commitUser())
                        .withOverwrite(overwritePartition)
                        // As in the stock sink: a streaming job tells by the snapshot of an empty
                        // commit whether that was successful.
                        .ignoreEmptyCommit(!context.streamingCheckpointEnabled()),
                context);
    }
}
