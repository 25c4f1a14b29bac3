package dev.paimoninplace.action;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.paimoninplace.adapter.FlinkFailure;
import dev.paimoninplace.conversion.DataEvolutionConversion;
import dev.paimoninplace.testing.TestTable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.shade.jackson2.com.fasterxml.jackson.databind.JsonNode;
import org.apache.paimon.shade.jackson2.com.fasterxml.jackson.databind.ObjectMapper;
import org.apache.paimon.table.FileStoreTable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The command on real tables. */
final class VerifyDataEvolutionCommandTest {

    private static final int ROWS = 100;
    private static final int STRAY_ROWS = 50;

    /** Shared by all tests: the command only reads. */
    @TempDir static Path warehouse;

    @TempDir Path reports;

    @BeforeAll
    static void convertACleanTableAndOneWithAStray() throws Exception {
        try (Catalog catalog = TestTable.catalog(warehouse)) {
            convert(catalog, "t");
            TestTable.append(convert(catalog, "stray"), ROWS, ROWS + STRAY_ROWS, i -> "p1");
        }
    }

    /** Creates and converts a table; returns it as it was loaded before. */
    private static FileStoreTable convert(Catalog catalog, String name) {
        TestTable table = TestTable.partitioned(catalog, name);
        table.append(0, ROWS);
        FileStoreTable stale = table.load();
        DataEvolutionConversion.of(catalog, table.identifier()).run();
        return stale;
    }

    @ParameterizedTest
    @ValueSource(strings = {"METADATA", "files", "Rows"})
    void exitsWithZeroWhenTheTableIsClean(String level) {
        CommandRun run = verify("--database=db", "--table=t", "--level", level, "--threads=2");

        assertEquals(0, run.exitCode(), run.err());
        String result = run.out().lines().findFirst().orElse("");
        assertTrue(result.startsWith("Clean. Table 'db.t' is as it should be: "), result);
        assertTrue(result.contains(ROWS + " row(s)"), result);
        assertTrue(result.endsWith("at level " + level.toUpperCase(Locale.ROOT) + "."), result);
        assertTrue(run.err().contains("verify"), run.err());
        assertFalse(run.err().contains("code:"), run.err());
    }

    @Test
    void exitsWithSixAndNamesTheFileWhenItFoundSomething() {
        CommandRun run = verify("--table=db.stray");

        assertEquals(6, run.exitCode());
        assertTrue(run.out().startsWith("Found 1 thing(s) in table 'db.stray': "), run.out());
        assertTrue(run.out().contains("\nSTRAY_FILE (ERROR, 1):\n"), run.out());
        assertTrue(run.out().contains("\n  - data-"), run.out());
        assertTrue(run.out().contains("\n    partition pt=p1\n"), run.out());
        assertTrue(run.err().endsWith("code: STRAY_FILE, exit code 6.\n"), run.err());
        assertFalse(run.err().contains("error:"), run.err());
    }

    @Test
    void printsOneLineOfJsonAlsoWhenItFoundSomething() throws Exception {
        CommandRun run = verify("--table=db.stray", "--format=json");

        assertEquals(6, run.exitCode());
        assertEquals(1, run.out().lines().count(), run.out());
        JsonNode report = new ObjectMapper().readTree(run.out());
        assertFalse(report.get("clean").asBoolean());
        assertEquals(ROWS + STRAY_ROWS, report.get("rows").asLong());
        assertEquals("pt=p1", report.get("findings").get(0).get("partition").asText());
    }

    @ParameterizedTest
    @EnumSource
    void keepsTheReportAsJson(Format format) throws Exception {
        Path file = reports.resolve("new/report.json");

        CommandRun run =
                verify(
                        "--table=db.stray",
                        "--report=" + file,
                        "--format=" + format.name().toLowerCase(Locale.ROOT));

        assertEquals(6, run.exitCode(), run.err());
        JsonNode report = new ObjectMapper().readTree(Files.readString(file));
        assertEquals(1, report.get("counts").get("STRAY_FILE").asLong());
        assertTrue(run.out().contains(report.get("result").asText()), run.out());
    }

    @Test
    void overwritesAReportOnlyWhenToldTo() throws Exception {
        Path file = Files.writeString(reports.resolve("report.json"), "kept");

        CommandRun refused = verify("--table=db.t", "--report=" + file);

        assertEquals(2, refused.exitCode());
        assertTrue(refused.err().contains("code: REPORT, exit code 2"), refused.err());
        assertFalse(refused.err().contains(file.toString()), refused.err());
        assertEquals("", refused.out());
        assertEquals("kept", Files.readString(file));

        CommandRun run = verify("--table=db.t", "--report=" + file, "--overwrite-report");

        assertEquals(0, run.exitCode(), run.err());
        assertTrue(Files.readString(file).startsWith("{\"result\":\"Clean. "));
    }

    @Test
    void printsTheResultAndFailsWhenTheReportCannotBeWritten() throws Exception {
        Path file = Files.writeString(reports.resolve("file"), "").resolve("report.json");

        CommandRun run = verify("--table=db.t", "--report=" + file, "--format=json");

        assertEquals(1, run.exitCode());
        assertEquals(1, run.out().lines().count(), run.out());
        assertTrue(new ObjectMapper().readTree(run.out()).get("clean").asBoolean());
        assertTrue(run.err().contains("code: REPORT_NOT_WRITTEN, exit code 1"), run.err());
    }

    @ParameterizedTest
    @ValueSource(strings = {"--level=zz", "--level="})
    void refusesAnUnknownLevel(String level) {
        CommandRun run = verify("--table=db.t", level);

        assertEquals(2, run.exitCode());
        assertTrue(
                run.err().startsWith("error: Cannot read the level: it accepts METADATA, FILES"),
                run.err());
        assertTrue(run.err().contains("code: OPTION_VALUE, exit code 2"), run.err());
        assertFalse(run.err().contains("zz"), run.err());
    }

    @Test
    void saysThatThereIsNoSuchTable() {
        CommandRun run = verify("--table=db.missing");

        assertEquals(2, run.exitCode());
        assertTrue(run.err().startsWith("error: Cannot find db.missing: "), run.err());
    }

    @Test
    void endsItsOwnProcessWithSixWhenItFoundSomething() throws Exception {
        assertEquals(6, HostTest.java(arguments("--table=db.stray")));
    }

    @Test
    void throwsForAHostWhenItFoundSomething() {
        FlinkFailure failure =
                assertThrows(
                        FlinkFailure.class,
                        () -> PaimonInPlace.main(arguments("--table=db.stray", "--format=json")));

        String message = String.valueOf(failure.getMessage());
        assertTrue(message.startsWith("Found 1 thing(s) in table 'db.stray': "), message);
        assertTrue(message.endsWith("[FOUND/STRAY_FILE, exit code 6]"), message);
    }

    private CommandRun verify(String... options) {
        return CommandRun.of(arguments(options));
    }

    private String[] arguments(String... options) {
        List<String> args = new ArrayList<>();
        args.add("verify_data_evolution");
        args.add("--warehouse=" + warehouse);
        args.addAll(List.of(options));
        return args.toArray(new String[0]);
    }
}
