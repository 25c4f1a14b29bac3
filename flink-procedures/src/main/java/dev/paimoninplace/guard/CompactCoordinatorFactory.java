package dev.paimoninplace.guard;

import org.apache.flink.streaming.api.operators.StreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.types.Either;
import org.apache.paimon.append.AppendCompactTask;
import org.apache.paimon.flink.sink.Committable;
import org.apache.paimon.flink.source.AppendBypassCoordinateOperatorFactory;
import org.apache.paimon.table.FileStoreTable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Plans compaction in the job, or none once the table is one with data evolution. */
final class CompactCoordinatorFactory extends AppendBypassCoordinateOperatorFactory<Committable> {

    private static final long serialVersionUID = 1L;

    private static final Logger LOG = LoggerFactory.getLogger(CompactCoordinatorFactory.class);

    private final PlannedTable planned;

    CompactCoordinatorFactory(FileStoreTable table) {
        super(table);
        this.planned = new PlannedTable(table);
    }

    @Override
    @SuppressWarnings("unchecked")
    public <T extends StreamOperator<Either<Committable, AppendCompactTask>>>
            T createStreamOperator(
                    StreamOperatorParameters<Either<Committable, AppendCompactTask>> parameters) {
        if (!planned.evolves()) {
            return super.createStreamOperator(parameters);
        }
        LOG.info(
                "Table {} has data evolution, so this job does not compact it. Schedule sys.compact"
                        + " for it.",
                planned.name());
        return (T)
                new PassThrough<Committable, Either<Committable, AppendCompactTask>>(
                        parameters, Either::Left);
    }
}
