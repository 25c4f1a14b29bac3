package dev.paimoninplace.guard;

import org.apache.flink.streaming.api.operators.StreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.paimon.flink.sink.Committable;
import org.apache.paimon.flink.sink.Committer;
import org.apache.paimon.flink.sink.CommitterOperatorFactory;
import org.apache.paimon.manifest.ManifestCommittable;
import org.jspecify.annotations.Nullable;

/** Creates {@link GuardedCommitterOperator}. */
final class GuardedCommitterOperatorFactory
        extends CommitterOperatorFactory<Committable, ManifestCommittable> {

    private static final long serialVersionUID = 1L;

    private final PendingCommittables pending;

    GuardedCommitterOperatorFactory(
            boolean streamingCheckpointEnabled,
            String commitUser,
            Committer.Factory<Committable, ManifestCommittable> committerFactory,
            PendingCommittables pending,
            @Nullable Long endInputWatermark) {
        super(
                streamingCheckpointEnabled,
                true,
                commitUser,
                committerFactory,
                pending,
                endInputWatermark);
        this.pending = pending;
    }

    @Override
    @SuppressWarnings("unchecked")
    public <T extends StreamOperator<Committable>> T createStreamOperator(
            StreamOperatorParameters<Committable> parameters) {
        return (T)
                new GuardedCommitterOperator(
                        parameters,
                        streamingCheckpointEnabled,
                        initialCommitUser,
                        committerFactory,
                        pending,
                        endInputWatermark);
    }

    @Override
    @SuppressWarnings("rawtypes")
    public Class<? extends StreamOperator> getStreamOperatorClass(ClassLoader classLoader) {
        return GuardedCommitterOperator.class;
    }
}
