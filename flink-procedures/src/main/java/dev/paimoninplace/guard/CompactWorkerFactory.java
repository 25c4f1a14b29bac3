package dev.paimoninplace.guard;

import org.apache.flink.streaming.api.operators.StreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.types.Either;
import org.apache.paimon.append.AppendCompactTask;
import org.apache.paimon.flink.sink.AppendBypassCompactWorkerOperator;
import org.apache.paimon.flink.sink.Committable;
import org.apache.paimon.table.FileStoreTable;

/** Compacts in the job, or only hands on once the table is one with data evolution. */
final class CompactWorkerFactory extends AppendBypassCompactWorkerOperator.Factory {

    private static final long serialVersionUID = 1L;

    private final PlannedTable planned;

    CompactWorkerFactory(FileStoreTable table, String commitUser) {
        super(table, commitUser, true);
        this.planned = new PlannedTable(table);
    }

    @Override
    @SuppressWarnings("unchecked")
    public <T extends StreamOperator<Committable>> T createStreamOperator(
            StreamOperatorParameters<Committable> parameters) {
        if (!planned.evolves()) {
            return super.createStreamOperator(parameters);
        }
        // A task can come from a coordinator that started just before the conversion.
        return (T)
                new PassThrough<Either<Committable, AppendCompactTask>, Committable>(
                        parameters, either -> either.isLeft() ? either.left() : null);
    }
}
