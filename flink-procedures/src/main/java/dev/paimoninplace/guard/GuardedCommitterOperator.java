package dev.paimoninplace.guard;

import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.paimon.flink.sink.Committable;
import org.apache.paimon.flink.sink.Committer;
import org.apache.paimon.flink.sink.CommitterOperator;
import org.apache.paimon.manifest.ManifestCommittable;
import org.jspecify.annotations.Nullable;

/**
 * The committer of a guarded sink. It looks at the table before each commit ({@link
 * GuardedCommitter}), and keeps the commit of the end of the input over a restart until the last
 * writer has ended.
 */
public final class GuardedCommitterOperator
        extends CommitterOperator<Committable, ManifestCommittable> {

    private static final long serialVersionUID = 1L;

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
}
