package dev.paimoninplace.surfaces;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code CALL sys.repair_data_evolution} in the stock Paimon catalog. */
final class RepairDataEvolutionProcedureITCase {

    private static final int ROWS = 20;

    @RegisterExtension static final MiniClusterExtension CLUSTER = SqlSession.cluster();

    @TempDir Path warehouse;

    private SqlSession sql;

    @BeforeEach
    void createConvertedTable() throws Exception {
        sql = SqlSession.open(warehouse);
        sql.createTable("t", ROWS, "");
        sql.run("CALL sys.enable_data_evolution('db.t')");
        sql.run("CALL sys.rollback_to(`table` => 'db.t', snapshot_id => 2)");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "CALL sys.repair_data_evolution('db.t')",
                "CALL sys.repair_data_evolution(`table` => 'db.t')",
                "CALL sys.repair_data_evolution('db.t', false, false, false, false, 'rows')",
                "CALL sys.repair_data_evolution(`table` => 'db.t', roll_back => true,"
                        + " renumber => true, old_writers_stopped => true, level => 'METADATA')"
            })
    void repairs(String call) throws Exception {
        List<String> predicted = sql.strings("CALL sys.repair_data_evolution('db.t', true)");

        List<String> result = sql.strings(call);

        assertTrue(result.get(0).startsWith("Repaired. Table 'db.t': "), result.toString());
        assertEquals(
                predicted.get(0).replaceFirst(".* would do: ", ""),
                result.get(0).replaceFirst("Repaired\\. Table 'db\\.t': ", ""));
        assertEquals(ROWS, sql.run("SELECT _ROW_ID FROM `t$row_tracking`").size());
        assertEquals(
                List.of("Skipped. Table 'db.t' was not changed: nothing to repair."),
                sql.strings(call));
    }

    @Test
    void aFailureCarriesItsCode() throws Exception {
        sql.createTable("plain", ROWS, "");

        Exception failure =
                assertThrows(
                        Exception.class,
                        () -> sql.run("CALL sys.repair_data_evolution('db.plain')"));

        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        String message = String.valueOf(root.getMessage());
        assertTrue(message.startsWith("Cannot repair db.plain: "), message);
        assertTrue(message.endsWith("[REFUSED/NEVER_CONVERTED, exit code 3]"), message);
    }
}
