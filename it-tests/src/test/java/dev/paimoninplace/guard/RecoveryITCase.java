package dev.paimoninplace.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.paimoninplace.testing.TableProof;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.table.api.StatementSet;
import org.apache.flink.test.junit5.InjectMiniCluster;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.paimon.Snapshot;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Failures at awkward moments, with a conversion and without. */
final class RecoveryITCase {

    @RegisterExtension static final MiniClusterExtension CLUSTER = Scenario.cluster();

    private static final int STEP = 2_000;

    @TempDir Path warehouse;
    private MiniCluster cluster;

    @BeforeEach
    void on(@InjectMiniCluster MiniCluster injected) {
        cluster = injected;
    }

    @ParameterizedTest(name = "converted: {0}")
    @ValueSource(booleans = {false, true})
    void keepsTheRowsOfAWriterThatEndedBeforeTheFailure(boolean converted) throws Exception {
        try (Scenario scenario = Scenario.partitioned(cluster, warehouse, 2)) {
            scenario.start();
            scenario.writeAndCommit(STEP);
            if (converted) {
                scenario.convert();
            }
            scenario.emit(2 * STEP);
            scenario.tap().end(0);
            scenario.job().checkpointUntilOneTaskFinished();

            scenario.tap().fail("a failure of the test");
            scenario.awaitRestarts(1);
            scenario.emit(3 * STEP);
            scenario.tap().end(1);
            scenario.job().checkpointUntilFinished();

            // The first source ended at 2 * STEP: of the rest, only odd numbers come.
            int end = 2 * STEP + STEP / 2;
            assertEquals(end, TableProof.rowCount(scenario.table().files()));
            assertEquals(end, scenario.table().rows().size());
            if (converted) {
                TableProof.assertConverted(scenario.table(), scenario.table().rows());
                TableProof.assertUpdatesAreVisible(scenario.table());
            }
        }
    }

    @ParameterizedTest(name = "converted: {0}")
    @ValueSource(booleans = {false, true})
    void commitsWhatAnAbortedCheckpointHeldWithTheNextOne(boolean converted) throws Exception {
        Tap held = Tap.closed();
        try (Scenario scenario = Scenario.withShortCheckpoints(cluster, warehouse)) {
            scenario.session().numbers("others", held, 1);
            scenario.session()
                    .sql("CREATE TEMPORARY TABLE nowhere (n INT) WITH ('connector'='blackhole')");
            StatementSet set = scenario.session().tables().createStatementSet();
            set.addInsertSql(GuardedSession.insert("guarded.db.t", "numbers"));
            set.addInsertSql("INSERT INTO nowhere SELECT n FROM others");
            scenario.run(set);
            scenario.writeAndCommit(STEP);

            held.holdCheckpoints();
            scenario.emit(2 * STEP);
            assertThrows(ExecutionException.class, () -> scenario.job().completeCheckpoint());
            held.releaseCheckpoints();
            if (converted) {
                scenario.convert();
            }
            scenario.writeAndCommit(3 * STEP);

            List<Long> identifiers =
                    TableProof.snapshots(scenario.table().load()).stream()
                            .filter(s -> scenario.jobUsers().contains(s.commitUser()))
                            .filter(s -> s.commitKind() == Snapshot.CommitKind.APPEND)
                            .map(Snapshot::commitIdentifier)
                            .toList();
            assertEquals(List.of(1L, 2L, 3L), identifiers);
            assertEquals(1, scenario.jobUsers().size());
            scenario.job().cancel();
            if (!converted) {
                scenario.convert();
            }
            scenario.prove(3 * STEP);
        }
    }

    @ParameterizedTest(name = "converted: {0}")
    @ValueSource(booleans = {false, true})
    void commitsOnceWhenTheReplyIsLost(boolean converted) throws Exception {
        try (Scenario scenario =
                Scenario.unpartitioned(
                        cluster, warehouse, "commit.custom-listeners", LostReply.IDENTIFIER)) {
            scenario.start();
            scenario.writeAndCommit(STEP);
            Set<String> user = scenario.jobUsers();
            if (converted) {
                scenario.convert();
                scenario.writeAndCommit(STEP + 1);
            }
            int starts = scenario.tap().starts();

            LostReply.loseNext();
            scenario.writeAndCommit(2 * STEP);
            scenario.writeAndCommit(3 * STEP);

            assertEquals(starts + 1, scenario.tap().starts());
            assertEquals(user, scenario.jobUsers());
            scenario.job().cancel();
            if (!converted) {
                scenario.convert();
            }
            scenario.prove(3 * STEP);
        }
    }

    @Test
    void followsAConversionThatComesWhileItRestarts() throws Exception {
        try (Scenario scenario = Scenario.unpartitioned(cluster, warehouse)) {
            scenario.start();
            scenario.writeAndCommit(STEP);
            scenario.emit(2 * STEP);

            scenario.tap().fail("a failure of the test");
            scenario.convert();
            scenario.awaitRestarts(1);
            scenario.writeAndCommit(3 * STEP);

            scenario.endAndProve(3 * STEP);
        }
    }
}
