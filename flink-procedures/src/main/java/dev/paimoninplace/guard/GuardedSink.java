package dev.paimoninplace.guard;

import java.util.Map;
import java.util.Objects;
import org.apache.flink.api.common.typeinfo.BasicTypeInfo;
import org.apache.flink.api.dag.Transformation;
import org.apache.flink.api.java.typeutils.EitherTypeInfo;
import org.apache.flink.api.java.typeutils.TupleTypeInfo;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.DataStreamSink;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.operators.OneInputStreamOperatorFactory;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.flink.FlinkConnectorOptions;
import org.apache.paimon.flink.compact.AppendPreCommitCompactCoordinatorOperator;
import org.apache.paimon.flink.compact.AppendPreCommitCompactWorkerOperator;
import org.apache.paimon.flink.sink.Committable;
import org.apache.paimon.flink.sink.CommittableStateManager;
import org.apache.paimon.flink.sink.CommittableTypeInfo;
import org.apache.paimon.flink.sink.Committer;
import org.apache.paimon.flink.sink.CommitterOperatorFactory;
import org.apache.paimon.flink.sink.CompactionTaskTypeInfo;
import org.apache.paimon.flink.sink.FlinkWriteSink;
import org.apache.paimon.flink.sink.StoreSinkWrite;
import org.apache.paimon.flink.utils.ManagedMemoryUtils;
import org.apache.paimon.flink.utils.ParallelismUtils;
import org.apache.paimon.manifest.ManifestCommittable;
import org.apache.paimon.options.ConfigOption;
import org.apache.paimon.options.Options;
import org.apache.paimon.table.BlobDescriptorReaderFactory;
import org.apache.paimon.table.FileStoreTable;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sink of an append table without buckets whose operators open the table anew each time that
 * Flink starts them.
 *
 * <p>The same operators are there before and after a conversion, so that the ids which Flink gives
 * to the other operators of the job do not change.
 */
final class GuardedSink extends FlinkWriteSink<InternalRow> {

    private static final long serialVersionUID = 1L;

    private static final Logger LOG = LoggerFactory.getLogger(GuardedSink.class);

    private final PlannedTable planned;
    private final @Nullable Integer parallelism;

    GuardedSink(
            FileStoreTable table,
            @Nullable Map<String, String> overwritePartition,
            @Nullable Integer parallelism) {
        super(table, overwritePartition);
        this.planned = new PlannedTable(table);
        this.parallelism = parallelism;
    }

    private Options options() {
        return Options.fromMap(table.options());
    }

    @Override
    public DataStream<Committable> doWrite(
            DataStream<InternalRow> input, String commitUser, @Nullable Integer unused) {
        DataStream<Committable> written = super.doWrite(input, commitUser, parallelism);
        identify(
                written.getExecutionEnvironment(),
                written.getTransformation(),
                "writer",
                GuardedOptions.WRITER_OPERATOR_ID);
        if (options().get(FlinkConnectorOptions.PRECOMMIT_COMPACT)) {
            written = compactBeforeCommit(written);
        }
        boolean compacts =
                !table.coreOptions().writeOnly()
                        && !table.coreOptions().clusteringIncrementalEnabled();
        return compacts && isStreaming(input) ? compact(written, commitUser) : written;
    }

    private void identify(
            StreamExecutionEnvironment environment,
            Transformation<?> operator,
            String role,
            ConfigOption<String> idInOldSavepoint) {
        new OperatorUids(environment, planned.name()).name(operator, role);
        options().getOptional(idInOldSavepoint).ifPresent(operator::setUidHash);
    }

    private DataStream<Committable> compactBeforeCommit(DataStream<Committable> written) {
        if (table.coreOptions().dataEvolutionEnabled()) {
            LOG.warn(
                    "Table {} has data evolution: {} is ignored.",
                    planned.name(),
                    FlinkConnectorOptions.PRECOMMIT_COMPACT.key());
            return written;
        }
        SingleOutputStreamOperator<Committable> compacted =
                written.transform(
                                "New Files Compact Coordinator: " + table.name(),
                                new EitherTypeInfo<>(
                                        new CommittableTypeInfo(),
                                        new TupleTypeInfo<>(
                                                BasicTypeInfo.LONG_TYPE_INFO,
                                                new CompactionTaskTypeInfo())),
                                new AppendPreCommitCompactCoordinatorOperator(table.coreOptions()))
                        .startNewChain()
                        .forceNonParallel()
                        .transform(
                                "New Files Compact Worker: " + table.name(),
                                new CommittableTypeInfo(),
                                new AppendPreCommitCompactWorkerOperator(table))
                        .startNewChain();
        ParallelismUtils.forwardParallelism(compacted, written);
        return compacted;
    }

    private DataStream<Committable> compact(DataStream<Committable> written, String commitUser) {
        SingleOutputStreamOperator<Committable> compacted =
                written.transform(
                                "Compact Coordinator: " + table.name(),
                                new EitherTypeInfo<>(
                                        new CommittableTypeInfo(), new CompactionTaskTypeInfo()),
                                new CompactCoordinatorFactory(table))
                        .startNewChain()
                        .forceNonParallel()
                        .transform(
                                "Compact Worker: " + table.name(),
                                new CommittableTypeInfo(),
                                new CompactWorkerFactory(table, commitUser))
                        .startNewChain();
        ParallelismUtils.setParallelism(compacted, written.getParallelism(), false);
        Options options = options();
        if (options.get(FlinkConnectorOptions.SINK_USE_MANAGED_MEMORY)) {
            ManagedMemoryUtils.declareManagedMemory(
                    compacted,
                    options.get(FlinkConnectorOptions.SINK_MANAGED_WRITER_BUFFER_MEMORY));
        }
        return compacted;
    }

    @Override
    public DataStreamSink<?> doCommit(DataStream<Committable> written, String commitUser) {
        DataStreamSink<?> sink = super.doCommit(written, commitUser);
        if (!coordinatorCommitEnabled()) {
            identify(
                    written.getExecutionEnvironment(),
                    sink.getTransformation().getInputs().get(0),
                    "committer",
                    GuardedOptions.COMMITTER_OPERATOR_ID);
        }
        return sink;
    }

    @Override
    protected boolean coordinatorCommitEnabled() {
        return options().get(FlinkConnectorOptions.SINK_COORDINATOR_COMMIT_ENABLED);
    }

    @Override
    protected OneInputStreamOperatorFactory<InternalRow, Committable> createWriteOperatorFactory(
            StoreSinkWrite.Provider provider, String commitUser) {
        StoreSinkWrite.Provider withBlobs =
                StoreSinkWrite.withBlobDescriptorReaderFactory(
                        provider, BlobDescriptorReaderFactory.create(table));
        return coordinatorCommitEnabled()
                ? new CoordinatedWriterFactory(
                        table, withBlobs, commitUser, createCommitterFactory())
                : new WriterFactory(table, withBlobs, commitUser);
    }

    @Override
    protected Committer.Factory<Committable, ManifestCommittable> createCommitterFactory() {
        return new GuardedCommitterFactory(planned, overwritePartition);
    }

    @Override
    protected CommittableStateManager<ManifestCommittable> createCommittableStateManager() {
        return new PendingCommittables(
                options().get(FlinkConnectorOptions.PARTITION_MARK_DONE_RECOVER_FROM_STATE));
    }

    @Override
    protected CommitterOperatorFactory<Committable, ManifestCommittable>
            createCommitterOperatorFactory(
                    boolean streamingCheckpointEnabled,
                    String commitUser,
                    @Nullable Long endInputWatermark) {
        return new GuardedCommitterOperatorFactory(
                streamingCheckpointEnabled,
                commitUser,
                createCommitterFactory(),
                (PendingCommittables) Objects.requireNonNull(createCommittableStateManager()),
                endInputWatermark);
    }
}
