package dev.paimoninplace.guard;

import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;
import org.apache.flink.streaming.api.functions.source.legacy.RichParallelSourceFunction;
import org.jspecify.annotations.Nullable;

/**
 * Emits the numbers from 0 as far as its tap is open, each once: subtask {@code s} of {@code p}
 * those with remainder {@code s}.
 */
final class NumberSource extends RichParallelSourceFunction<Integer>
        implements CheckpointedFunction {

    private static final long serialVersionUID = 1L;

    private static final int CHUNK = 500;

    private final String tapName;
    private transient @Nullable ListState<Integer> state;
    private transient int next;
    private volatile boolean cancelled;

    NumberSource(Tap tap) {
        this.tapName = tap.name();
    }

    private int subtask() {
        return getRuntimeContext().getTaskInfo().getIndexOfThisSubtask();
    }

    private int parallelism() {
        return getRuntimeContext().getTaskInfo().getNumberOfParallelSubtasks();
    }

    @Override
    public void initializeState(FunctionInitializationContext context) throws Exception {
        ListState<Integer> restored =
                context.getOperatorStateStore()
                        .getListState(new ListStateDescriptor<>("next", Integer.class));
        // One that had ended before the checkpoint has no state in it.
        next = context.isRestored() ? Integer.MAX_VALUE : Tap.named(tapName).first() + subtask();
        for (int value : restored.get()) {
            next = value;
        }
        state = restored;
    }

    @Override
    public void open(OpenContext context) {
        Tap.named(tapName).started(subtask());
    }

    @Override
    public void run(SourceContext<Integer> out) throws Exception {
        Tap tap = Tap.named(tapName);
        while (!cancelled) {
            String fault = tap.takeFault();
            if (fault != null) {
                throw new IllegalStateException(fault);
            }
            boolean ended = next == Integer.MAX_VALUE || tap.isEnded(subtask());
            synchronized (out.getCheckpointLock()) {
                for (int i = 0; i < CHUNK && next < tap.limit(); i++) {
                    out.collect(next);
                    next += parallelism();
                }
                tap.emittedBelow(subtask(), next);
            }
            if (next >= tap.limit()) {
                if (ended) {
                    return;
                }
                LockSupport.parkNanos(1_000_000L);
            }
        }
    }

    @Override
    public void cancel() {
        cancelled = true;
    }

    @Override
    public void snapshotState(FunctionSnapshotContext context) throws Exception {
        Tap tap = Tap.named(tapName);
        while (tap.holdsCheckpoints() && !cancelled) {
            LockSupport.parkNanos(1_000_000L);
        }
        if (state != null) {
            state.update(List.of(next));
        }
    }
}
