package dev.paimoninplace.guard;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.apache.flink.api.dag.Transformation;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.DataStreamSink;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.transformations.OneInputTransformation;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.flink.sink.RowDataStoreWriteOperator;

/** A sink of Paimon in a job that is being planned, as the chain from its end to its writer. */
final class StockSink {

    private final StreamExecutionEnvironment environment;
    private final List<Transformation<?>> chain;
    private final Transformation<InternalRow> input;

    private StockSink(
            StreamExecutionEnvironment environment,
            List<Transformation<?>> chain,
            Transformation<InternalRow> input) {
        this.environment = environment;
        this.chain = chain;
        this.input = input;
    }

    /**
     * @throws IllegalStateException if the sink has no writer of rows
     */
    static StockSink of(DataStreamSink<?> sink, StreamExecutionEnvironment environment) {
        List<Transformation<?>> chain = new ArrayList<>();
        Transformation<?> step = sink.getTransformation();
        while (step.getInputs().size() == 1) {
            chain.add(step);
            if (step instanceof OneInputTransformation<?, ?> operator
                    && operator.getOperatorFactory() instanceof RowDataStoreWriteOperator.Factory) {
                return new StockSink(environment, chain, rows(operator));
            }
            step = step.getInputs().get(0);
        }
        throw new IllegalStateException(
                "Cannot guard the sink: Paimon built none with a writer of rows. Use the catalog"
                        + " type paimon for this job.");
    }

    // The writer's factory takes this type.
    @SuppressWarnings("unchecked")
    private static Transformation<InternalRow> rows(OneInputTransformation<?, ?> writer) {
        return (Transformation<InternalRow>) writer.getInputs().get(0);
    }

    /** Takes the sink out of the job and returns what it was to write. */
    DataStream<InternalRow> takeInput() {
        Set<Transformation<?>> gone = Collections.newSetFromMap(new IdentityHashMap<>());
        gone.addAll(chain);
        environment.getTransformations().removeIf(gone::contains);
        return new DataStream<>(environment, input);
    }
}
