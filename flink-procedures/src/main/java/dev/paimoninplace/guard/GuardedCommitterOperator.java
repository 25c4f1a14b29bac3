package dev.paimoninplace.guard;

import java.util.List;
import java.util.NavigableMap;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.paimon.flink.sink.Committable;
import org.apache.paimon.flink.sink.Committer;
import org.apache.paimon.flink.sink.CommitterOperator;
import org.apache.paimon.manifest.ManifestCommittable;
import org.jspecify.annotations.Nullable;

/**
 * The committer of a guarded sink. It looks at the table before each commit ({@link
 * GuardedCommitter}), and makes the commit of the end of the input once only, with the first
 * checkpoint that holds what the last writer left: over a restart, and when that writer ends while
 * a checkpoint completes.
 */
public final class GuardedCommitterOperator
        extends CommitterOperator<Committable, ManifestCommittable> {

    private static final long serialVersionUID = 1L;

    private transient boolean ended;
    private transient long endCheckpoint;

    GuardedCommitterOperator(
            StreamOperatorParameters<Committable> parameters,
            boolean streamingCheckpointEnabled,
            String commitUser,
            Committer.Factory<Committable, ManifestCommittable> committerFactory,
            PendingCommittables pending,
            @Nullable Long endInputWatermark) {
        super(
                parameters,
                streamingCheckpointEnabled,
                true,
                commitUser,
                committerFactory,
                pending,
                endInputWatermark);
        pending.keepEndOfInput(
                committable ->
                        committablesPerCheckpoint.put(committable.identifier(), committable));
    }

    @Override
    public void initializeState(StateInitializationContext context) throws Exception {
        ended = false;
        endCheckpoint = Long.MAX_VALUE;
        super.initializeState(context);
    }

    @Override
    public void endInput() throws Exception {
        if (streamingCheckpointEnabled) {
            ended = true;
        } else {
            super.endInput();
        }
    }

    @Override
    public void snapshotState(StateSnapshotContext context) throws Exception {
        if (ended && endCheckpoint == Long.MAX_VALUE) {
            // From here on Paimon's operator commits the end with whatever checkpoint completes.
            super.endInput();
            endCheckpoint = context.getCheckpointId();
        }
        super.snapshotState(context);
    }

    @Override
    public void notifyCheckpointComplete(long checkpointId) throws Exception {
        if (endCheckpoint == Long.MAX_VALUE || checkpointId >= endCheckpoint) {
            super.notifyCheckpointComplete(checkpointId);
            return;
        }
        NavigableMap<Long, ManifestCommittable> due =
                committablesPerCheckpoint.headMap(checkpointId, true);
        if (!due.isEmpty()) {
            committer.commit(List.copyOf(due.values()));
            due.clear();
        }
    }
}
