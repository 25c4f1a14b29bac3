package dev.paimoninplace.action;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.paimoninplace.conversion.DataEvolutionConversion;
import dev.paimoninplace.testing.FolderListing;
import dev.paimoninplace.testing.TestTable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.shade.jackson2.com.fasterxml.jackson.databind.JsonNode;
import org.apache.paimon.shade.jackson2.com.fasterxml.jackson.databind.ObjectMapper;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.sink.CommitMessage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command on real tables. */
final class RepairDataEvolutionCommandTest {

    @TempDir Path warehouse;
    @TempDir Path reports;

    /** A converted table with a stray of 50 rows. */
    private void withStray() throws Exception {
        try (Catalog catalog = TestTable.catalog(warehouse)) {
            TestTable table = TestTable.unpartitioned(catalog, "t");
            table.append(0, 100);
            FileStoreTable stale = table.load();
            DataEvolutionConversion.of(catalog, table.identifier()).run();
            TestTable.append(stale, 100, 150, i -> "p1");
        }
    }

    /** A compaction of before the conversion, committed after an update. */
    private void withoutFullRowFile() throws Exception {
        try (Catalog catalog = TestTable.catalog(warehouse)) {
            TestTable table = TestTable.unpartitioned(catalog, "t");
            table.append(0, 100);
            table.append(100, 200);
            FileStoreTable stale = table.load().copy(Map.of("compaction.min.file-num", "2"));
            List<CommitMessage> compaction = TestTable.prepareCompact(stale);
            DataEvolutionConversion.of(catalog, table.identifier()).run();
            table.updateV(id -> -id);
            TestTable.commit(stale, compaction);
        }
    }

    private CommandRun repair(String... options) {
        List<String> args = new ArrayList<>();
        args.add("repair_data_evolution");
        args.add("--warehouse=" + warehouse);
        args.add("--table=db.t");
        args.addAll(List.of(options));
        return CommandRun.of(args.toArray(new String[0]));
    }

    @Test
    void aDryRunSaysWhatARunThenDoesAndWritesNothing() throws Exception {
        withStray();
        Map<String, String> before = FolderListing.of(warehouse);

        CommandRun predicted = repair("--dry-run");

        assertEquals(0, predicted.exitCode(), predicted.err());
        assertEquals(before, FolderListing.of(warehouse));
        CommandRun done = repair("--threads=2");
        assertEquals(0, done.exitCode(), done.err());
        String what =
                "schema 1 -> 1, snapshot 4 -> 5, 1 file(s) with 50 row(s) assigned row ids,"
                        + " nextRowId=150; mended: STRAY_FILE 1.";
        assertEquals(
                "Dry run. Repairing table 'db.t' would do: " + what,
                predicted.out().lines().findFirst().orElse(""));
        assertEquals("Repaired. Table 'db.t': " + what, done.out().lines().findFirst().orElse(""));
        assertTrue(
                repair().out()
                        .startsWith("Skipped. Table 'db.t' was not changed: nothing to repair.\n"));
    }

    @Test
    void keepsTheReportAsJson() throws Exception {
        withStray();
        Path file = reports.resolve("report.json");

        CommandRun run = repair("--format=json", "--report=" + file);

        assertEquals(0, run.exitCode(), run.err());
        JsonNode report = new ObjectMapper().readTree(run.out().lines().findFirst().orElse(""));
        assertEquals("REPAIRED", report.get("outcome").asText());
        assertEquals(1, report.get("mended").get("STRAY_FILE").asLong());
        assertTrue(report.get("rolledBackTo").isNull());
        JsonNode kept =
                new ObjectMapper().readTree(Files.readString(file).lines().findFirst().orElse(""));
        assertEquals(report, kept);
    }

    @Test
    void isRefusedWithThreeWhereOnlyARollBackHelpsAndDoesItWhenTold() throws Exception {
        withoutFullRowFile();

        CommandRun refused = repair();

        assertEquals(3, refused.exitCode());
        assertTrue(refused.err().contains("code: NO_FULL_ROW_FILE, exit code 3"), refused.err());
        assertTrue(refused.err().contains("no commit is lost"), refused.err());
        CommandRun done = repair("--roll_back", "--format=json");
        assertEquals(0, done.exitCode(), done.err());
        JsonNode report = new ObjectMapper().readTree(done.out());
        assertEquals(5, report.get("rolledBackTo").asLong());
        assertEquals(2, report.get("filesCopied").asLong());
        assertEquals(0, report.get("losses").size());
    }

    @Test
    void refusesATableThatWasNeverConverted() throws Exception {
        try (Catalog catalog = TestTable.catalog(warehouse)) {
            TestTable.unpartitioned(catalog, "t").append(0, 100);
        }

        CommandRun run = repair("--dry_run");

        assertEquals(3, run.exitCode());
        assertTrue(run.err().startsWith("error: Cannot repair db.t: "), run.err());
        assertTrue(run.err().contains("code: NEVER_CONVERTED, exit code 3"), run.err());
    }

    @Test
    void refusesAValueThatIsNoFlagWithoutRepeatingIt() {
        for (String option : List.of("--roll_back", "--renumber", "--dry_run")) {
            CommandRun run = repair(option + "=zz");

            assertEquals(2, run.exitCode());
            assertTrue(run.err().contains("code: OPTION_VALUE, exit code 2"), run.err());
            assertFalse(run.err().contains("zz"), run.err());
        }
    }
}
