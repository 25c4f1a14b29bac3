package dev.paimoninplace.guard;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.test.junit5.InjectMiniCluster;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commits that are made on the JobManager stand behind the same check. */
final class CoordinatorCommitITCase {

    @RegisterExtension static final MiniClusterExtension CLUSTER = Scenario.cluster();

    private static final int STEP = 2_000;

    @TempDir Path warehouse;
    private MiniCluster cluster;

    @BeforeEach
    void on(@InjectMiniCluster MiniCluster injected) {
        cluster = injected;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void comesBackAsAWriterOfTheConvertedTable(int parallelism) throws Exception {
        try (Scenario scenario =
                Scenario.partitioned(
                        cluster,
                        warehouse,
                        parallelism,
                        "write-only",
                        "true",
                        "sink.coordinator-commit.enabled",
                        "true")) {
            scenario.start();
            scenario.writeAndCommit(STEP);

            scenario.convert();
            scenario.writeAndCommit(2 * STEP);
            scenario.writeAndCommit(3 * STEP);

            String failures = scenario.job().failures();
            assertTrue(failures.contains("StaleWriterException"), failures);
            // The refusal, and the restart that Paimon makes after a recovered commit.
            assertTrue(scenario.tap().starts() <= 3 * parallelism, scenario.tap().starts() + "");
            scenario.endAndProve(3 * STEP);
        }
    }
}
