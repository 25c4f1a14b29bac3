package dev.paimoninplace.surfaces;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.flink.types.Row;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code CALL sys.enable_data_evolution} in the stock Paimon catalog. */
final class EnableDataEvolutionProcedureITCase {

    private static final int ROWS = 20;

    @RegisterExtension static final MiniClusterExtension CLUSTER = SqlSession.cluster();

    @TempDir Path warehouse;

    private SqlSession sql;

    @BeforeEach
    void createTable() throws Exception {
        sql = SqlSession.open(warehouse);
        sql.createTable("t", ROWS, "");
    }

    @Test
    void isListedAmongTheProcedures() throws Exception {
        assertTrue(
                sql.strings("SHOW PROCEDURES FROM sys LIKE 'enable_%'")
                        .contains("enable_data_evolution"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "CALL sys.enable_data_evolution('db.t')",
                "CALL sys.enable_data_evolution(`table` => 'db.t')",
                "CALL sys.enable_data_evolution('db.t', false)",
                "CALL sys.enable_data_evolution('db.t', false, true)",
                "CALL sys.enable_data_evolution(`table` => 'db.t', old_writers_stopped => true)",
                "CALL sys.enable_data_evolution('`db`.`t`')",
                "CALL sys.enable_data_evolution('db.`t`')"
            })
    void converts(String call) throws Exception {
        List<Row> before = sql.run("SELECT id, v FROM t ORDER BY id");

        List<String> result = sql.strings(call);

        assertTrue(
                result.get(0).startsWith("Success. Enabled data evolution on table 'db.t': "),
                result.toString());
        assertTrue(result.get(0).contains("2 file(s) with " + ROWS + " row(s)"), result.toString());
        assertEquals(before, sql.run("SELECT id, v FROM t ORDER BY id"));
        assertEquals(
                IntStream.range(0, ROWS).mapToObj(Long::valueOf).toList(),
                sql.run("SELECT _ROW_ID FROM `t$row_tracking` ORDER BY _ROW_ID").stream()
                        .map(row -> row.getField(0))
                        .toList());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "CALL sys.enable_data_evolution('db.t', true)",
                "CALL sys.enable_data_evolution('db.t', true, true)",
                "CALL sys.enable_data_evolution(`table` => 'db.t', dry_run => true)"
            })
    void writesNothingInADryRun(String call) throws Exception {
        Map<String, Long> before = sql.files();

        List<String> result = sql.strings(call);

        assertTrue(
                result.get(0).startsWith("Dry run. Enabling data evolution on table 'db.t' would"),
                result.toString());
        assertEquals(before, sql.files());
    }

    /** A fault of Flink that docs/convert.md warns of. When this fails, the warning can go. */
    @Test
    void neverHearsOfAMisspeltNamedArgumentBecauseFlinkDropsIt() throws Exception {
        List<String> result =
                sql.strings("CALL sys.enable_data_evolution(`table` => 'db.t', dryrun => true)");

        assertTrue(result.get(0).startsWith("Success. "), result.toString());
    }

    @Test
    void skipsATableThatIsConvertedAlready() throws Exception {
        sql.run("CALL sys.enable_data_evolution('db.t')");
        Map<String, Long> before = sql.files();

        List<String> result = sql.strings("CALL sys.enable_data_evolution('db.t')");

        assertTrue(result.get(0).startsWith("Skipped. "), result.toString());
        assertEquals(before, sql.files());
    }

    @Test
    void givesARowForEachWarning() throws Exception {
        List<String> result = sql.strings("CALL sys.enable_data_evolution('db.t', true)");

        assertFalse(result.get(0).startsWith("Warning "), result.toString());
        result.stream()
                .skip(1)
                .forEach(row -> assertTrue(row.matches("(?s)Warning [A-Z_]+: .+\\."), row));
        assertTrue(result.size() > 1, "the INSERTs above are commit users seen lately");
    }

    @Test
    void letsASingleColumnBeUpdatedAfterwards() throws Exception {
        sql.run("CALL sys.enable_data_evolution('db.t')");
        sql.run("CREATE TABLE s (id INT, v STRING)");
        sql.run("INSERT INTO s VALUES (7, 'new')");

        sql.run(
                "CALL sys.data_evolution_merge_into('db.t', 'T', '', 'db.s', 'T.id = s.id',"
                        + " 'v = s.v', 1)");

        assertEquals(
                List.of("v6", "new", "v8"),
                sql.strings("SELECT v FROM t WHERE id BETWEEN 6 AND 8 ORDER BY id"));
    }

    @Test
    void convertsATableWithADotInItsName() throws Exception {
        sql.createTable("a.b", ROWS, "");

        List<String> result = sql.strings("CALL sys.enable_data_evolution('`db`.`a.b`')");

        assertTrue(result.get(0).startsWith("Success. "), result.toString());
    }

    @Test
    void convertsABranchAndLeavesTheMainBranchAlone() throws Exception {
        sql.run("CALL sys.create_branch('db.t', 'b')");
        sql.run("INSERT INTO `t$branch_b` VALUES (100, 'branch')");

        List<String> result = sql.strings("CALL sys.enable_data_evolution('db.t$branch_b')");

        assertTrue(result.get(0).startsWith("Success. "), result.toString());
        assertTrue(result.get(0).contains("'db.t$branch_b'"), result.toString());
        assertTrue(
                sql.strings("CALL sys.enable_data_evolution('db.t', true)")
                        .get(0)
                        .contains("schema 0 -> 1"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"db.missing", "missing.t"})
    void saysThatThereIsNoSuchTable(String table) {
        String message = failure("CALL sys.enable_data_evolution('" + table + "')");

        assertTrue(message.contains(table), message);
        assertTrue(message.matches("(?s).+ \\[USAGE/[A-Z_]+, exit code 2]"), message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "t", "`db.t`", "db.`t"})
    void refusesAMalformedName(String table) {
        String message = failure("CALL sys.enable_data_evolution('" + table + "')");

        assertTrue(message.startsWith("Cannot read the table name: "), message);
        assertTrue(message.endsWith("[USAGE/TABLE_NAME, exit code 2]"), message);
    }

    @Test
    void showsTheCodeOfARefusal() throws Exception {
        sql.createTable("b", ROWS, " WITH ('bucket'='2', 'bucket-key'='id')");
        Map<String, Long> before = sql.files();

        String message = failure("CALL sys.enable_data_evolution('db.b')");

        assertTrue(message.startsWith("Cannot convert db.b: bucket is 2"), message);
        assertTrue(message.endsWith("[REFUSED/BUCKET, exit code 3]"), message);
        assertEquals(before, sql.files());
    }

    private String failure(String statement) {
        return SqlSession.shownMessage(
                assertThrows(Exception.class, () -> sql.run(statement), statement));
    }
}
