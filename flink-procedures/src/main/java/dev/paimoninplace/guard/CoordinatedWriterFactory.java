package dev.paimoninplace.guard;

import org.apache.flink.runtime.jobgraph.OperatorID;
import org.apache.flink.runtime.operators.coordination.OperatorCoordinator;
import org.apache.flink.runtime.operators.coordination.OperatorEventGateway;
import org.apache.flink.streaming.api.operators.CoordinatedOperatorFactory;
import org.apache.flink.streaming.api.operators.StreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.paimon.flink.sink.Committable;
import org.apache.paimon.flink.sink.Committer;
import org.apache.paimon.flink.sink.CoordinatorCommittingRowDataStoreWriteOperator;
import org.apache.paimon.flink.sink.StoreSinkWrite;
import org.apache.paimon.flink.sink.coordinator.CommittingWriteOperatorCoordinator;
import org.apache.paimon.manifest.ManifestCommittable;
import org.apache.paimon.table.FileStoreTable;

/** The same for writers whose files are committed on the JobManager. */
final class CoordinatedWriterFactory extends WriterFactory
        implements CoordinatedOperatorFactory<Committable> {

    private static final long serialVersionUID = 1L;

    private final Committer.Factory<Committable, ManifestCommittable> committerFactory;

    CoordinatedWriterFactory(
            FileStoreTable table,
            StoreSinkWrite.Provider provider,
            String commitUser,
            Committer.Factory<Committable, ManifestCommittable> committerFactory) {
        super(table, provider, commitUser);
        this.committerFactory = committerFactory;
    }

    @Override
    public OperatorCoordinator.Provider getCoordinatorProvider(
            String operatorName, OperatorID operatorId) {
        // Checkpoints are required by this mode, and writers start over after a recovery, both as
        // in the stock sink.
        return new CommittingWriteOperatorCoordinator.Provider(
                operatorId, committerFactory, true, initialCommitUser, true);
    }

    @Override
    @SuppressWarnings("unchecked")
    public <T extends StreamOperator<Committable>> T createStreamOperator(
            StreamOperatorParameters<Committable> parameters) {
        OperatorEventGateway gateway =
                parameters
                        .getOperatorEventDispatcher()
                        .getOperatorEventGateway(parameters.getStreamConfig().getOperatorID());
        return (T)
                new CoordinatorCommittingRowDataStoreWriteOperator(
                        parameters,
                        currentTable(),
                        storeSinkWriteProvider,
                        initialCommitUser,
                        gateway);
    }

    @Override
    @SuppressWarnings("rawtypes")
    public Class<? extends StreamOperator> getStreamOperatorClass(ClassLoader classLoader) {
        return CoordinatorCommittingRowDataStoreWriteOperator.class;
    }
}
