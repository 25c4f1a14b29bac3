package dev.paimoninplace.guard;

import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.SimpleCounter;
import org.apache.paimon.flink.sink.Committer;

/** What the guarded committer counts, in the metric group of its operator or coordinator. */
final class GuardMetrics {

    /** Commits that were refused since the committer was started. */
    static final String STALE_WRITER_REFUSALS = "staleWriterRefusals";

    /** 1 if the table was converted after the job was planned, and the job followed; else 0. */
    static final String FOLLOWS_CONVERSION = "followsConversion";

    private final Counter refusals;

    private GuardMetrics(Counter refusals) {
        this.refusals = refusals;
    }

    static GuardMetrics register(Committer.Context context, PlannedTable planned) {
        Counter refusals = new SimpleCounter();
        MetricGroup group = context.metricGroup();
        if (group != null) {
            int follows = planned.wasConverted() ? 1 : 0;
            group.counter(STALE_WRITER_REFUSALS, refusals);
            group.gauge(FOLLOWS_CONVERSION, (Gauge<Integer>) () -> follows);
        }
        return new GuardMetrics(refusals);
    }

    void countRefusal() {
        refusals.inc();
    }
}
