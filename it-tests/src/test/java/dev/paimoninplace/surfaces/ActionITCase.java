package dev.paimoninplace.surfaces;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.paimoninplace.action.PaimonInPlace;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.paimon.flink.action.FlinkActions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The main methods that {@code flink run} calls: Paimon's own and ours. */
final class ActionITCase {

    private static final int ROWS = 20;

    @RegisterExtension static final MiniClusterExtension CLUSTER = SqlSession.cluster();

    @TempDir Path warehouse;
    @TempDir Path reports;

    private SqlSession sql;

    /** A jar that {@code flink run} is given. */
    enum Jar {
        PAIMON_FLINK_ACTION {
            @Override
            void main(String[] args) throws Exception {
                FlinkActions.main(args);
            }
        },
        PAIMON_INPLACE_FLINK_ACTION {
            @Override
            void main(String[] args) {
                PaimonInPlace.main(args);
            }
        };

        abstract void main(String[] args) throws Exception;
    }

    @BeforeEach
    void createTables() throws Exception {
        sql = SqlSession.open(warehouse);
        sql.createTable("t", ROWS, "");
        sql.createTable("b", ROWS, " WITH ('bucket'='2', 'bucket-key'='id')");
    }

    @ParameterizedTest
    @EnumSource
    void convertsAndReturns(Jar jar) throws Exception {
        String out = run(jar, "enable_data_evolution", "--database", "db", "--table", "t");

        assertTrue(out.startsWith("Success. Enabled data evolution on table 'db.t': "), out);
        assertTrue(
                sql.strings("CALL sys.enable_data_evolution('db.t')").get(0).startsWith("Skipped"));
    }

    @ParameterizedTest
    @EnumSource
    void writesNothingInADryRun(Jar jar) throws Exception {
        Map<String, Long> before = sql.files();

        String out = run(jar, "enable-data-evolution", "--dry-run", "--table", "db.t");

        assertTrue(out.startsWith("Dry run. "), out);
        assertEquals(before, sql.files());
    }

    @ParameterizedTest
    @EnumSource
    void throwsWithTheCodeInTheMessage(Jar jar) {
        Exception failure =
                assertThrows(
                        Exception.class,
                        () -> run(jar, "enable_data_evolution", "--table", "db.b"));

        String message = SqlSession.shownMessage(failure);
        assertTrue(message.startsWith("Cannot convert db.b: bucket is 2"), message);
        assertTrue(message.endsWith("[REFUSED/BUCKET, exit code 3]"), message);
    }

    @ParameterizedTest
    @EnumSource
    void refusesAMisspeltDryRun(Jar jar) throws Exception {
        Map<String, Long> before = sql.files();

        Exception failure =
                assertThrows(
                        Exception.class,
                        () -> run(jar, "enable_data_evolution", "--table", "db.t", "--dryrun"));

        String message = SqlSession.shownMessage(failure);
        assertTrue(message.contains("--dryrun is not known"), message);
        assertTrue(message.endsWith("[USAGE/OPTION_UNKNOWN, exit code 2]"), message);
        assertEquals(before, sql.files());
    }

    @ParameterizedTest
    @EnumSource
    void neverShowsACatalogOption(Jar jar) {
        Exception failure =
                assertThrows(
                        Exception.class,
                        () ->
                                run(
                                        jar,
                                        "enable_data_evolution",
                                        "--table=db.t",
                                        "--catalog_conf=metastore=jdbc",
                                        "--catalog_conf=uri=jdbc:none://zzuser:zzword@host/db",
                                        "--catalog_conf=jdbc.password=zzsecret"));

        String message = SqlSession.shownMessage(failure);
        assertFalse(message.contains("zz"), message);
    }

    @ParameterizedTest
    @EnumSource
    void verifiesAndReturnsWhenTheTableIsClean(Jar jar) throws Exception {
        sql.run("CALL sys.enable_data_evolution('db.t')");
        Map<String, Long> before = sql.files();

        String out = run(jar, "verify_data_evolution", "--table", "db.t", "--level", "rows");

        assertTrue(out.startsWith("Clean. Table 'db.t' is as it should be: "), out);
        assertTrue(out.contains(" at level ROWS."), out);
        assertEquals(before, sql.files());
    }

    @ParameterizedTest
    @EnumSource
    void throwsWithCodeSixAfterTheReportWhenItFoundSomething(Jar jar) throws Exception {
        Path report = reports.resolve(jar + ".json");

        Exception failure =
                assertThrows(
                        Exception.class,
                        () ->
                                run(
                                        jar,
                                        "verify-data-evolution",
                                        "--table=db.t",
                                        "--report=" + report.toUri()));

        String message = SqlSession.shownMessage(failure);
        assertTrue(message.startsWith("Found 1 thing(s) in table 'db.t': "), message);
        assertTrue(message.endsWith("[FOUND/NOT_ENABLED, exit code 6]"), message);
        assertTrue(Files.readString(report).contains("{\"NOT_ENABLED\":1}"));
    }

    @ParameterizedTest
    @EnumSource
    void convertsNothingWhenTheReportExists(Jar jar) throws Exception {
        Path report = Files.writeString(reports.resolve("kept.json"), "kept");
        Map<String, Long> before = sql.files();

        Exception failure =
                assertThrows(
                        Exception.class,
                        () ->
                                run(
                                        jar,
                                        "enable_data_evolution",
                                        "--table=db.t",
                                        "--report=" + report));

        String message = SqlSession.shownMessage(failure);
        assertTrue(message.endsWith("[USAGE/REPORT, exit code 2]"), message);
        assertEquals(before, sql.files());
        assertEquals("kept", Files.readString(report));
    }

    /** Paimon's own jar ends the process with 1 after it printed the help. */
    @Test
    void printsHelp() throws Exception {
        String out = run(Jar.PAIMON_INPLACE_FLINK_ACTION, "enable_data_evolution", "--help");

        assertTrue(out.contains("--catalog_conf_file"), out);
    }

    private String run(Jar jar, String action, String... options) throws Exception {
        List<String> args = new ArrayList<>();
        args.add(action);
        args.add("--warehouse");
        args.add(warehouse.toUri().toString());
        for (String option : options) {
            // Flink's own parser knows no "--option=value".
            args.addAll(List.of(option.split("=", 2)));
        }
        PrintStream stdout = System.out;
        ByteArrayOutputStream captured = new ByteArrayOutputStream();
        System.setOut(new PrintStream(captured, true, StandardCharsets.UTF_8));
        try {
            jar.main(args.toArray(new String[0]));
        } finally {
            System.setOut(stdout);
        }
        return captured.toString(StandardCharsets.UTF_8);
    }
}
