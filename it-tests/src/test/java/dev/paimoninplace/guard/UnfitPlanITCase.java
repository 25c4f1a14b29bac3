package dev.paimoninplace.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.test.junit5.InjectMiniCluster;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.flink.util.ExceptionUtils;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A job whose plan does not fit the converted table ends for good, and can be submitted again. */
final class UnfitPlanITCase {

    @RegisterExtension static final MiniClusterExtension CLUSTER = Scenario.cluster();

    private static final int STEP = 2_000;

    @TempDir Path warehouse;
    private MiniCluster cluster;

    @BeforeEach
    void on(@InjectMiniCluster MiniCluster injected) {
        cluster = injected;
    }

    @ParameterizedTest(name = "commits on the JobManager: {0}")
    @ValueSource(booleans = {false, true})
    void endsForGoodWhenTheColumnsHaveChanged(boolean onJobManager) throws Exception {
        try (Scenario scenario =
                Scenario.unpartitioned(
                        cluster,
                        warehouse,
                        "write-only",
                        "true",
                        "sink.coordinator-commit.enabled",
                        String.valueOf(onJobManager))) {
            scenario.start();
            scenario.writeAndCommit(STEP);
            scenario.table().addColumn("extra");

            scenario.convert();
            scenario.write(2 * STEP);
            String failure = ExceptionUtils.stringifyException(scenario.job().awaitFailed());

            assertTrue(
                    failure.contains(
                            "Cannot go on writing to db.t: the table was converted to data"
                                    + " evolution, and its columns are [id, name, v, pt, extra]"),
                    failure);
            assertTrue(failure.contains("Submit the job again from its last checkpoint"), failure);
            assertEquals(STEP, scenario.table().rows().size());

            scenario.resumeFrom(scenario.retainedCheckpoint());
            scenario.run(GuardedSession.insertWithColumn("guarded.db.t", "numbers"));
            scenario.awaitRows(2 * STEP);
            scenario.writeAndCommit(3 * STEP);
            scenario.endAndProve(3 * STEP);
        }
    }

    @Test
    void endsForGoodWhenItCompactsBeforeItCommits() throws Exception {
        String sink = "guarded.db.t /*+ OPTIONS('precommit-compact'='true') */";
        try (Scenario scenario = Scenario.unpartitioned(cluster, warehouse)) {
            scenario.start(sink);
            scenario.writeAndCommit(STEP);

            scenario.convert();
            scenario.write(2 * STEP);
            String failure = ExceptionUtils.stringifyException(scenario.job().awaitFailed());

            assertTrue(
                    failure.contains("the job compacts before it commits (precommit-compact)"),
                    failure);

            scenario.resumeFrom(scenario.retainedCheckpoint());
            scenario.start(sink);
            scenario.awaitRows(2 * STEP);
            scenario.writeAndCommit(3 * STEP);
            scenario.endAndProve(3 * STEP);
        }
    }

    @Test
    void goesOnWithTheOldColumnsOfATableThatIsNotConverted() throws Exception {
        try (Scenario scenario = Scenario.unpartitioned(cluster, warehouse)) {
            scenario.start();
            scenario.writeAndCommit(STEP);
            scenario.table().addColumn("extra");

            scenario.tap().fail("a failure of the test");
            scenario.writeAndCommit(2 * STEP);

            assertEquals(GuardedSession.rows(0, 2 * STEP), scenario.table().rows());
        }
    }
}
