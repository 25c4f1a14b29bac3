package dev.paimoninplace.guard;

import java.util.function.Function;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.jspecify.annotations.Nullable;

/** Hands on every element in another form, without state; null drops one. */
final class PassThrough<I, O> extends AbstractStreamOperator<O>
        implements OneInputStreamOperator<I, O> {

    private static final long serialVersionUID = 1L;

    // Created where it runs, never serialised.
    private final transient Function<I, @Nullable O> form;

    PassThrough(StreamOperatorParameters<O> parameters, Function<I, @Nullable O> form) {
        super(parameters);
        this.form = form;
    }

    @Override
    public void processElement(StreamRecord<I> element) {
        O handedOn = form.apply(element.getValue());
        if (handedOn != null) {
            output.collect(new StreamRecord<>(handedOn));
        }
    }
}
