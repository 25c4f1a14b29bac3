package dev.paimoninplace.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.paimoninplace.testing.TestTable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.table.api.StatementSet;
import org.apache.flink.test.junit5.InjectMiniCluster;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.flink.types.Row;
import org.apache.flink.util.ExceptionUtils;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Jobs that are stopped with a savepoint, and started from it after the conversion. */
final class SavepointITCase {

    @RegisterExtension static final MiniClusterExtension CLUSTER = Scenario.cluster();

    private static final int STEP = 2_000;

    @TempDir Path warehouse;
    private MiniCluster cluster;

    @BeforeEach
    void on(@InjectMiniCluster MiniCluster injected) {
        cluster = injected;
    }

    @Test
    void restoresTheSameStatementAfterTheConversion() throws Exception {
        try (Scenario scenario = Scenario.unpartitioned(cluster, warehouse)) {
            // A plan that was only looked at does not count as the first sink of the table.
            scenario.session()
                    .tables()
                    .explainSql(GuardedSession.insert("guarded.db.t", "numbers"));
            scenario.start();
            scenario.writeAndCommit(STEP);
            scenario.emit(2 * STEP);
            String savepoint = scenario.stopWithSavepoint();
            Set<String> user = scenario.jobUsers();

            scenario.convert();
            scenario.table().setOption("write-only", "true");
            scenario.resumeFrom(savepoint);
            scenario.start();
            scenario.writeAndCommit(3 * STEP);

            assertEquals(1, user.size());
            assertEquals(user, scenario.jobUsers());
            scenario.endAndProve(3 * STEP);
        }
    }

    @Test
    void restoresAStatementSetThatWritesTheTableTwice() throws Exception {
        try (Scenario scenario = Scenario.unpartitioned(cluster, warehouse)) {
            scenario.run(twice(scenario));
            scenario.write(STEP);
            scenario.awaitRows(2 * STEP);
            String savepoint = scenario.stopWithSavepoint();
            Set<String> users = scenario.jobUsers();

            scenario.convert();
            scenario.resumeFrom(savepoint);
            scenario.run(twice(scenario));
            scenario.write(2 * STEP);
            scenario.awaitRows(4 * STEP);
            Set<String> usersAfter = scenario.jobUsers();
            scenario.job().cancel();

            assertEquals(2, users.size());
            assertEquals(users, usersAfter);
            Map<Integer, TestTable.Row> expected = new TreeMap<>();
            GuardedSession.rows(0, 2 * STEP)
                    .forEach(
                            (id, row) -> {
                                expected.put(id, row);
                                expected.put(-1 - id, new TestTable.Row(-1 - id, "m", 1L, "p0"));
                            });
            assertEquals(expected, scenario.table().rows());
        }
    }

    private static StatementSet twice(Scenario scenario) {
        StatementSet set = scenario.session().tables().createStatementSet();
        set.addInsertSql(GuardedSession.insert("guarded.db.t", "numbers"));
        set.addInsertSql(
                "INSERT INTO guarded.db.t SELECT -1 - n, 'm', CAST(1 AS BIGINT), 'p0' FROM numbers");
        return set;
    }

    @Test
    void restoresASavepointOfTheStockSinkWithAUidSuffix() throws Exception {
        try (Scenario scenario =
                Scenario.unpartitioned(cluster, warehouse, "sink.operator-uid.suffix", "orders")) {
            scenario.start("stock.db.t");
            scenario.writeAndCommit(STEP);
            scenario.emit(2 * STEP);
            String savepoint = scenario.stopWithSavepoint();
            Set<String> user = scenario.jobUsers();

            scenario.convert();
            scenario.resumeFrom(savepoint);
            scenario.start();
            scenario.writeAndCommit(3 * STEP);

            assertEquals(user, scenario.jobUsers());
            scenario.endAndProve(3 * STEP);
        }
    }

    @Test
    void restoresASavepointOfTheStockSinkByTheIdOfItsCommitter() throws Exception {
        try (Scenario scenario = Scenario.unpartitioned(cluster, warehouse)) {
            scenario.start("stock.db.t");
            scenario.writeAndCommit(STEP);
            scenario.emit(2 * STEP);
            String savepoint = scenario.stopWithSavepoint();
            Set<String> user = scenario.jobUsers();
            scenario.convert();

            Row committer = operators(scenario, savepoint).get(0);
            assertEquals("committer", committer.getField(0));
            assertEquals(user, Set.of(String.valueOf(committer.getField(3))));
            scenario.resumeFrom(savepoint);
            scenario.start(
                    "guarded.db.t /*+ OPTIONS('guarded.committer-operator-id'='"
                            + committer.getField(1)
                            + "') */");
            scenario.writeAndCommit(3 * STEP);

            assertEquals(user, scenario.jobUsers());
            scenario.endAndProve(3 * STEP);
        }
    }

    @Test
    void restoresASavepointWithCommitsOnTheJobManagerByTheIdOfItsWriter() throws Exception {
        try (Scenario scenario =
                Scenario.unpartitioned(
                        cluster,
                        warehouse,
                        "write-only",
                        "true",
                        "sink.coordinator-commit.enabled",
                        "true")) {
            scenario.start("stock.db.t");
            scenario.writeAndCommit(STEP);
            scenario.emit(2 * STEP);
            String savepoint = scenario.stopWithSavepoint();
            Set<String> user = scenario.jobUsers();
            scenario.convert();

            Row writer = operators(scenario, savepoint).get(0);
            assertEquals("writer", writer.getField(0));
            assertEquals(user, Set.of(String.valueOf(writer.getField(3))));
            scenario.resumeFrom(savepoint);
            scenario.start(
                    "guarded.db.t /*+ OPTIONS('guarded.writer-operator-id'='"
                            + writer.getField(1)
                            + "', 'guarded.commit-user'='"
                            + writer.getField(3)
                            + "') */");
            scenario.writeAndCommit(3 * STEP);

            assertEquals(user, scenario.jobUsers());
            scenario.endAndProve(3 * STEP);
        }
    }

    @Test
    void refusesASavepointOfTheStockSinkWithoutThatId() throws Exception {
        try (Scenario scenario = Scenario.unpartitioned(cluster, warehouse)) {
            scenario.start("stock.db.t");
            scenario.writeAndCommit(STEP);
            scenario.resumeFrom(scenario.stopWithSavepoint());

            scenario.start();

            String failure = ExceptionUtils.stringifyException(scenario.job().awaitFailed());
            assertTrue(failure.contains("Cannot map checkpoint/savepoint state"), failure);
        }
    }

    @Test
    void saysWhichSavepointCannotBeRead() {
        Scenario scenario = Scenario.unpartitioned(cluster, warehouse);
        String missing = warehouse.resolve("no-savepoint").toUri().toString();

        Throwable failure =
                assertThrows(RuntimeException.class, () -> operators(scenario, missing));

        String text = ExceptionUtils.stringifyException(failure);
        assertTrue(text.contains("Cannot read the savepoint " + missing + ": "), text);
    }

    @Test
    void tagsSavepointsAfterTheConversion() throws Exception {
        try (Scenario scenario =
                Scenario.unpartitioned(cluster, warehouse, "sink.savepoint.auto-tag", "true")) {
            scenario.start();
            scenario.writeAndCommit(STEP);
            scenario.convert();
            scenario.writeAndCommit(2 * STEP);
            scenario.emit(3 * STEP);

            scenario.stopWithSavepoint();

            List<String> tags = scenario.table().load().tagManager().allTagNames();
            assertEquals(1, tags.size(), tags.toString());
            assertTrue(tags.get(0).startsWith("savepoint-"), tags.toString());
            scenario.prove(3 * STEP);
        }
    }

    private static List<Row> operators(Scenario scenario, String savepoint) throws Exception {
        var tables = scenario.session().tables();
        tables.useCatalog("guarded");
        List<Row> rows = new ArrayList<>();
        try (var iterator =
                tables.executeSql("CALL sys.savepoint_operators('" + savepoint + "')").collect()) {
            iterator.forEachRemaining(rows::add);
        } finally {
            tables.useCatalog("default_catalog");
        }
        return rows;
    }
}
