package dev.paimoninplace.guard;

import java.util.Objects;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.DataStreamSink;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.data.RowData;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.flink.sink.FlinkSinkBuilder;
import org.apache.paimon.options.Options;
import org.apache.paimon.table.Table;
import org.jspecify.annotations.Nullable;

/**
 * Builds what Paimon builds up to the writer, and the guarded writer and committer after it. So
 * sorting, shuffles by partition and blob descriptors are Paimon's own.
 */
final class GuardedSinkBuilder extends FlinkSinkBuilder {

    private @Nullable StreamExecutionEnvironment environment;
    private @Nullable Integer sinkParallelism;

    GuardedSinkBuilder(Table table) {
        super(table);
    }

    @Override
    public FlinkSinkBuilder forRowData(DataStream<RowData> input) {
        environment = input.getExecutionEnvironment();
        return super.forRowData(input);
    }

    @Override
    public FlinkSinkBuilder parallelism(@Nullable Integer parallelism) {
        sinkParallelism = parallelism;
        return super.parallelism(parallelism);
    }

    @Override
    public DataStreamSink<?> build() {
        StreamExecutionEnvironment env =
                Objects.requireNonNull(environment, "no input was given to the sink");
        StockSink stock = StockSink.of(super.build(), env);
        DataStream<InternalRow> rows = stock.takeInput();
        GuardedSink sink = new GuardedSink(table, overwritePartition, sinkParallelism);
        String commitUser = Options.fromMap(table.options()).get(GuardedOptions.COMMIT_USER);
        return commitUser == null ? sink.sinkFrom(rows) : sink.sinkFrom(rows, commitUser);
    }
}
