package dev.paimoninplace.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.testutils.InMemoryReporter;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.test.junit5.InjectMiniCluster;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What the guarded committer tells monitoring. */
final class MetricITCase {

    private static final InMemoryReporter REPORTER = InMemoryReporter.createWithRetainedMetrics();

    @RegisterExtension
    static final MiniClusterExtension CLUSTER =
            new MiniClusterExtension(
                    new MiniClusterResourceConfiguration.Builder()
                            .setConfiguration(REPORTER.addToConfiguration(new Configuration()))
                            .setNumberTaskManagers(1)
                            .setNumberSlotsPerTaskManager(4)
                            .build());

    private static final int STEP = 2_000;

    @TempDir Path warehouse;

    @Test
    void countsRefusalsAndSaysThatTheJobFollowedAConversion(@InjectMiniCluster MiniCluster cluster)
            throws Exception {
        try (Scenario scenario = Scenario.unpartitioned(cluster, warehouse)) {
            scenario.start();
            scenario.writeAndCommit(STEP);
            scenario.convert();
            scenario.writeAndCommit(2 * STEP);
            scenario.job().cancel();

            // One committer before and one after the restart.
            assertEquals(List.of(0L, 1L), refusals());
            assertEquals(List.of(0, 1), follows());
        }
    }

    private static List<Long> refusals() {
        return REPORTER.findGroups("Global Committer").stream()
                .flatMap(group -> REPORTER.getMetricsByGroup(group).entrySet().stream())
                .filter(metric -> metric.getKey().equals("staleWriterRefusals"))
                .map(metric -> ((Counter) metric.getValue()).getCount())
                .sorted()
                .toList();
    }

    private static List<Integer> follows() {
        return REPORTER.findGroups("Global Committer").stream()
                .flatMap(group -> REPORTER.getMetricsByGroup(group).entrySet().stream())
                .filter(metric -> metric.getKey().equals("followsConversion"))
                .map(metric -> (Integer) ((Gauge<?>) metric.getValue()).getValue())
                .sorted()
                .toList();
    }
}
