package dev.paimoninplace.surfaces;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.paimoninplace.testing.TestTable;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.paimon.Snapshot;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.manifest.ManifestEntry;
import org.apache.paimon.table.FileStoreTable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code CALL sys.verify_data_evolution} in the stock Paimon catalog. */
final class VerifyDataEvolutionProcedureITCase {

    private static final int ROWS = 1000;
    private static final int STRAY_ROWS = 200;
    private static final List<String> COLUMNS =
            List.of(
                    "code",
                    "severity",
                    "file",
                    "partition",
                    "snapshot",
                    "commit_user",
                    "commit_time",
                    "detail",
                    "repair");
    private static final String ENABLE = "CALL sys.enable_data_evolution('db.t')";
    private static final String VERIFY = "CALL sys.verify_data_evolution('db.t')";

    @RegisterExtension static final MiniClusterExtension CLUSTER = SqlSession.cluster();

    @TempDir Path warehouse;

    private SqlSession sql;
    private Catalog catalog;
    private TestTable table;

    @BeforeEach
    void createTable() throws Exception {
        sql = SqlSession.open(warehouse);
        catalog = TestTable.catalog(warehouse);
        table = TestTable.partitioned(catalog, "t");
        table.append(0, ROWS, i -> "p" + i % 2);
    }

    @AfterEach
    void close() throws Exception {
        catalog.close();
    }

    @Test
    void isListedAmongTheProcedures() throws Exception {
        assertEquals(
                List.of("verify_data_evolution"),
                sql.strings("SHOW PROCEDURES FROM sys LIKE 'verify_%'"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "METADATA: CALL sys.verify_data_evolution('db.t')",
                "METADATA: CALL sys.verify_data_evolution(`table` => 'db.t')",
                "FILES: CALL sys.verify_data_evolution('`db`.`t`', 'FILES')",
                "FILES: CALL sys.verify_data_evolution('db.t', ' files ')",
                "ROWS: CALL sys.verify_data_evolution(`table` => 'db.t', level => 'Rows')"
            })
    void givesOneCleanRowAfterAConversionAndWritesNothing(String levelAndCall) throws Exception {
        String[] parts = levelAndCall.split(": ", 2);
        sql.run(ENABLE);
        Map<String, Long> before = sql.files();

        List<Map<String, Object>> rows = sql.named(parts[1]);

        assertEquals(1, rows.size());
        assertEquals(COLUMNS, List.copyOf(rows.get(0).keySet()));
        assertEquals("CLEAN", rows.get(0).get("code"));
        assertEquals("OK", rows.get(0).get("severity"));
        String detail = String.valueOf(rows.get(0).get("detail"));
        assertTrue(
                detail.startsWith("Clean. Table 'db.t' is as it should be: 2 file(s) with "),
                detail);
        assertTrue(detail.contains(ROWS + " row(s)"), detail);
        assertTrue(detail.endsWith(" at level " + parts[0] + "."), detail);
        assertEquals(before, sql.files());
    }

    @Test
    void namesFilePartitionAndCommitOfAStrayAndIsCleanAfterAnotherConversion() throws Exception {
        FileStoreTable stale = table.load();
        sql.run(ENABLE);
        TestTable.append(stale, ROWS, ROWS + STRAY_ROWS, i -> "p1");
        Snapshot commit = Objects.requireNonNull(table.latest());
        String file =
                table.files().stream()
                        .filter(entry -> entry.file().firstRowId() == null)
                        .map(ManifestEntry::fileName)
                        .findFirst()
                        .orElseThrow();
        Map<String, Long> before = sql.files();

        List<Map<String, Object>> rows = sql.named(VERIFY);

        assertEquals(1, rows.size(), rows::toString);
        Map<String, Object> row = rows.get(0);
        assertEquals("STRAY_FILE", row.get("code"));
        assertEquals("ERROR", row.get("severity"));
        assertEquals(file, row.get("file"));
        assertEquals("pt=p1", row.get("partition"));
        assertEquals(commit.id(), row.get("snapshot"));
        assertEquals(commit.commitUser(), row.get("commit_user"));
        assertEquals(Instant.ofEpochMilli(commit.timeMillis()), row.get("commit_time"));
        assertEquals("it has no row id", row.get("detail"));
        assertTrue(String.valueOf(row.get("repair")).contains("repair_data_evolution"));
        assertEquals(before, sql.files());

        sql.run(ENABLE);

        assertEquals(
                List.of("CLEAN"), sql.strings("CALL sys.verify_data_evolution('db.t', 'ROWS')"));
    }

    @Test
    void givesARowForEachFindingAndNullWhereItIsAboutTheTable() throws Exception {
        sql.run("CALL sys.create_tag('db.t', 'a', 1)");
        sql.run("CALL sys.create_branch('db.t', 'b', 'a')");
        FileStoreTable stale = table.load();
        sql.run(ENABLE);
        TestTable.append(stale, ROWS, ROWS + STRAY_ROWS, i -> "p" + i % 3);

        List<Map<String, Object>> rows = sql.named(VERIFY);

        assertEquals(
                List.of(
                        "STRAY_FILE",
                        "STRAY_FILE",
                        "STRAY_FILE",
                        "TAG_NOT_READABLE",
                        "BRANCH_NOT_ENABLED"),
                rows.stream().map(row -> row.get("code")).toList());
        assertEquals(
                Set.of("pt=p0", "pt=p1", "pt=p2"),
                Set.copyOf(rows.subList(0, 3).stream().map(row -> row.get("partition")).toList()));
        assertEquals("WARNING", rows.get(3).get("severity"));
        for (String column :
                List.of("file", "partition", "snapshot", "commit_user", "commit_time")) {
            assertEquals(null, rows.get(3).get(column), column);
        }
    }

    @Test
    void saysHowManyFindingsAreNotListed() throws Exception {
        int partitions = 105;
        FileStoreTable stale = table.load();
        sql.run(ENABLE);
        TestTable.append(stale, ROWS, ROWS + partitions, i -> "q" + i);

        List<Map<String, Object>> rows = sql.named(VERIFY);

        List<Map<String, Object>> listed = new ArrayList<>(rows);
        Map<String, Object> last = listed.remove(rows.size() - 1);
        assertEquals(100, listed.stream().map(row -> row.get("partition")).distinct().count());
        assertEquals("STRAY_FILE", last.get("code"));
        assertEquals("and " + (partitions - 100) + " more", last.get("detail"));
    }

    @Test
    void saysThatATableIsNotEnabled() throws Exception {
        assertEquals(List.of("NOT_ENABLED"), sql.strings(VERIFY));
    }

    @Test
    void verifiesABranch() throws Exception {
        sql.run("CALL sys.create_branch('db.t', 'b')");
        sql.run("INSERT INTO `t$branch_b` VALUES (1, 'n', 1, 'p')");
        sql.run("CALL sys.enable_data_evolution('db.t$branch_b')");

        List<Map<String, Object>> rows =
                sql.named("CALL sys.verify_data_evolution('db.t$branch_b')");

        assertTrue(rows.toString().contains("'db.t$branch_b'"), rows.toString());
        assertEquals(List.of("NOT_ENABLED"), sql.strings(VERIFY));
    }

    @ParameterizedTest
    @ValueSource(strings = {"zz", "", "FILES,ROWS"})
    void refusesAnUnknownLevel(String level) {
        String message = failure("CALL sys.verify_data_evolution('db.t', '" + level + "')");

        assertEquals(
                "Cannot read the level: it accepts METADATA, FILES or ROWS."
                        + " [USAGE/OPTION_VALUE, exit code 2]",
                message);
    }

    @Test
    void saysThatThereIsNoSuchTable() {
        String message = failure("CALL sys.verify_data_evolution('db.missing')");

        assertTrue(message.startsWith("Cannot find db.missing: "), message);
        assertTrue(message.endsWith("[USAGE/NO_SUCH_TABLE, exit code 2]"), message);
    }

    private String failure(String statement) {
        return SqlSession.shownMessage(
                assertThrows(Exception.class, () -> sql.run(statement), statement));
    }
}
