package dev.paimoninplace.surfaces;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.flink.types.Row;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Paimon's own procedures on a converted table of the guarded catalog. Many of them open a catalog
 * of their own from its options.
 */
final class GuardedProceduresITCase {

    private static final int ROWS = 40;

    @RegisterExtension static final MiniClusterExtension CLUSTER = SqlSession.cluster();

    @TempDir Path warehouse;

    private SqlSession sql;
    private List<Row> rows = List.of();

    @BeforeEach
    void convert() throws Exception {
        sql = SqlSession.bare(warehouse);
        sql.run(
                "CREATE CATALOG guarded WITH ('type'='paimon-guarded', 'warehouse'='"
                        + warehouse.toUri()
                        + "')");
        sql.run("USE CATALOG guarded");
        sql.run("CREATE DATABASE db");
        sql.run("USE db");
        sql.createTable("t", ROWS, "");
        sql.run("CALL sys.create_tag('db.t', 'old', 1)");
        sql.run("CALL sys.create_branch('db.t', 'b', 'old')");
        sql.run("CALL sys.enable_data_evolution('db.t')");
        rows = sql.run("SELECT id, v, _ROW_ID FROM `t$row_tracking` ORDER BY id");
        assertEquals(ROWS, rows.size());
    }

    private void assertUnchanged() throws Exception {
        assertEquals(rows, sql.run("SELECT id, v, _ROW_ID FROM `t$row_tracking` ORDER BY id"));
        assertTrue(
                sql.strings("CALL sys.verify_data_evolution('db.t')").stream()
                        .noneMatch(code -> code.equals("STRAY_FILE")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "CALL sys.rollback_to(`table` => 'db.t', snapshot_id => 1)",
                "CALL sys.rollback_to(`table` => 'db.t', snapshot_id => 2)",
                "CALL sys.rollback_to(`table` => 'db.t', tag => 'old')",
                "CALL sys.rollback_to_as_latest(`table` => 'db.t', snapshot_id => 2)",
                "CALL sys.rollback_to_as_latest(`table` => 'db.t', tag => 'old')"
            })
    void refusesToRollBackAcrossTheConversion(String call) throws Exception {
        Exception refused = assertThrows(Exception.class, () -> sql.run(call));

        String message = SqlSession.shownMessage(refused);
        assertTrue(message.startsWith("Cannot roll back db.t: "), message);
        assertUnchanged();
    }

    @Test
    void refusesToRollBackByTimeAcrossTheConversion() throws Exception {
        Object time =
                sql.run(
                                "SELECT CAST(commit_time AS STRING) FROM `t$snapshots` WHERE snapshot_id = 2")
                        .get(0)
                        .getField(0);
        long millis = java.sql.Timestamp.valueOf(String.valueOf(time)).getTime();

        Exception refused =
                assertThrows(
                        Exception.class,
                        () ->
                                sql.run(
                                        "CALL sys.rollback_to_timestamp(`table` => 'db.t',"
                                                + " `timestamp` => "
                                                + millis
                                                + ")"));

        String message = SqlSession.shownMessage(refused);
        assertTrue(message.startsWith("Cannot roll back db.t: snapshot 2 is from"), message);
        assertUnchanged();
    }

    @Test
    void refusesToFastForwardABranchThatIsNotConverted() throws Exception {
        Exception refused =
                assertThrows(Exception.class, () -> sql.run("CALL sys.fast_forward('db.t', 'b')"));

        String message = SqlSession.shownMessage(refused);
        assertTrue(message.startsWith("Cannot fast-forward db.t to branch b: "), message);
        assertUnchanged();
    }

    @Test
    void refusesThePlainCompactionOfADatabase() throws Exception {
        Exception refused =
                assertThrows(
                        Exception.class,
                        () ->
                                sql.run(
                                        "CALL sys.compact_database(including_databases => 'db',"
                                                + " mode => 'combined', including_tables =>"
                                                + " 'db.t', table_options =>"
                                                + " 'compaction.min.file-num=2')"));

        String message = SqlSession.shownMessage(refused);
        assertTrue(message.startsWith("Cannot commit to db.t: "), message);
        assertTrue(message.contains("sys.compact_database"), message);
        assertUnchanged();
    }

    @Test
    void acceptsWhatFitsTheTable() throws Exception {
        sql.run("CALL sys.compact(`table` => 'db.t')");
        sql.run("CALL sys.compact_manifest(`table` => 'db.t')");

        assertUnchanged();
        sql.run("INSERT INTO t VALUES (1000, 'later')");
        assertEquals(ROWS + 1, sql.run("SELECT * FROM t").size());
    }
}
