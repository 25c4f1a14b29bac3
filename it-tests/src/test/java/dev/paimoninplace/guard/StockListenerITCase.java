package dev.paimoninplace.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.paimoninplace.testing.TableProof;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.test.junit5.InjectMiniCluster;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.flink.types.Row;
import org.apache.flink.util.ExceptionUtils;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A job on the stock catalog that is told to stop after a conversion. */
final class StockListenerITCase {

    @RegisterExtension static final MiniClusterExtension CLUSTER = Scenario.cluster();

    private static final int STEP = 2_000;

    @TempDir Path warehouse;
    private MiniCluster cluster;

    @BeforeEach
    void on(@InjectMiniCluster MiniCluster injected) {
        cluster = injected;
    }

    @Test
    void endsForGoodAtTheNextCheckpointAndGoesOnThroughTheGuardedCatalog() throws Exception {
        try (Scenario scenario = listening()) {
            scenario.start("stock.db.t");
            scenario.writeAndCommit(STEP);
            scenario.convert();

            scenario.emit(2 * STEP);
            scenario.job().tryCheckpoint();
            String failure = ExceptionUtils.stringifyException(scenario.job().awaitFailed());

            assertTrue(failure.contains("Cannot go on writing to db.t: "), failure);
            assertEquals(1, scenario.tap().starts());
            TableProof.assertConverted(scenario.table(), GuardedSession.rows(0, STEP));

            String checkpoint = scenario.retainedCheckpoint();
            String committer = committerId(scenario, checkpoint);
            scenario.resumeFrom(checkpoint);
            scenario.start(
                    "guarded.db.t /*+ OPTIONS('guarded.committer-operator-id'='"
                            + committer
                            + "') */");
            scenario.writeAndCommit(3 * STEP);
            scenario.endAndProve(3 * STEP);
        }
    }

    @Test
    void commitsNothingWhenItRestartsAfterTheConversion() throws Exception {
        try (Scenario scenario = listening()) {
            scenario.start("stock.db.t");
            scenario.writeAndCommit(STEP);
            scenario.convert();

            scenario.tap().fail("a failure of the test");
            String failure = ExceptionUtils.stringifyException(scenario.job().awaitFailed());

            assertTrue(failure.contains("Cannot go on writing to db.t: "), failure);
            TableProof.assertConverted(scenario.table(), GuardedSession.rows(0, STEP));
        }
    }

    @Test
    void leavesAJobAloneWhoseTableIsNotConverted() throws Exception {
        try (Scenario scenario = listening()) {
            scenario.start("stock.db.t");
            scenario.writeAndCommit(STEP);
            scenario.tap().fail("a failure of the test");
            scenario.writeAndCommit(2 * STEP);

            assertEquals(GuardedSession.rows(0, 2 * STEP), scenario.table().rows());
        }
    }

    private Scenario listening() {
        return Scenario.unpartitioned(
                cluster, warehouse, "commit.custom-listeners", "stop-after-conversion");
    }

    private static String committerId(Scenario scenario, String checkpoint) throws Exception {
        var tables = scenario.session().tables();
        tables.useCatalog("guarded");
        List<Row> rows = new ArrayList<>();
        try (var iterator =
                tables.executeSql("CALL sys.savepoint_operators('" + checkpoint + "')").collect()) {
            iterator.forEachRemaining(rows::add);
        }
        return String.valueOf(rows.get(0).getField(1));
    }
}
