package dev.paimoninplace.action;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.CatalogContext;
import org.apache.paimon.catalog.CatalogFactory;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.options.Options;
import org.apache.paimon.schema.Schema;
import org.apache.paimon.shade.jackson2.com.fasterxml.jackson.databind.JsonNode;
import org.apache.paimon.shade.jackson2.com.fasterxml.jackson.databind.ObjectMapper;
import org.apache.paimon.table.Table;
import org.apache.paimon.table.sink.BatchTableCommit;
import org.apache.paimon.table.sink.BatchTableWrite;
import org.apache.paimon.table.sink.BatchWriteBuilder;
import org.apache.paimon.types.DataTypes;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The command on real tables. */
final class EnableDataEvolutionCommandTest {

    private static final int ROWS = 10;

    @TempDir Path warehouse;

    @BeforeEach
    void createTables() throws Exception {
        Options options = new Options();
        options.set("warehouse", warehouse.toUri().toString());
        try (Catalog catalog = CatalogFactory.createCatalog(CatalogContext.create(options))) {
            catalog.createDatabase("db", false);
            createTable(catalog, "t", "-1");
            createTable(catalog, "bucketed", "2");
        }
    }

    @Test
    void convertsATable() {
        CommandRun run = enable("--database=db", "--table=t");

        assertEquals(0, run.exitCode(), run.err());
        String result = run.out().lines().findFirst().orElse("");
        assertTrue(
                result.startsWith("Success. Enabled data evolution on table 'db.t': schema 0 -> 1"),
                result);
        assertTrue(result.contains("with " + ROWS + " row(s) assigned row ids"), result);
        assertTrue(result.endsWith("nextRowId=" + ROWS + "."), result);
        assertFalse(run.err().contains("error"), run.err());
    }

    @Test
    void skipsATableThatIsConvertedAlready() {
        enable("--database=db", "--table=t");

        CommandRun run = enable("--database=db", "--table=t");

        assertEquals(0, run.exitCode(), run.err());
        assertTrue(run.out().startsWith("Skipped. Table 'db.t' was not changed"), run.out());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--dry_run",
                "--dry-run",
                "--dry_run=true",
                "--dry_run=TRUE",
                "--dry-run=true"
            })
    void writesNothingInADryRun(String dryRun) throws Exception {
        Map<String, Long> before = files();

        CommandRun run = enable("--database=db", "--table=t", dryRun);

        assertEquals(0, run.exitCode(), run.err());
        assertTrue(run.out().startsWith("Dry run. Enabling data evolution on"), run.out());
        assertEquals(before, files());
    }

    @Test
    void takesAnythingAfterABareDryRunAsTheNextOption() throws Exception {
        Map<String, Long> before = files();

        CommandRun run = enable("--dry_run", "--table", "db.t");

        assertTrue(run.out().startsWith("Dry run. "), run.out());
        assertEquals(before, files());
    }

    @ParameterizedTest
    @ValueSource(strings = {"--dry_run=false", "--threads=1", "--old-writers-stopped"})
    void convertsWithOtherOptions(String option) {
        CommandRun run = enable("--table=db.t", option);

        assertTrue(run.out().startsWith("Success. "), run.out() + run.err());
    }

    @ParameterizedTest
    @ValueSource(strings = {"`t`", "t", " t "})
    void acceptsBackticks(String table) {
        CommandRun run = enable("--database=`db`", "--table=" + table, "--dry_run");

        assertTrue(run.out().contains("'db.t'"), run.out() + run.err());
    }

    @Test
    void predictsTheNumbersOfTheConversion() throws Exception {
        JsonNode predicted = json(enable("--table=db.t", "--format=json", "--dry_run"));
        JsonNode done = json(enable("--table=db.t", "--format=json"));

        for (String field :
                List.of(
                        "schemaAfter",
                        "snapshotAfter",
                        "files",
                        "rows",
                        "nextRowId",
                        "stateAfter")) {
            assertEquals(done.get(field), predicted.get(field), field);
        }
        assertTrue(predicted.get("dryRun").asBoolean());
        assertEquals("CONVERTED", done.get("outcome").asText());
        assertEquals(ROWS, done.get("rows").asLong());
    }

    @Test
    void refusesATableWithBuckets() throws Exception {
        Map<String, Long> before = files();

        CommandRun run = enable("--table=db.bucketed");

        assertEquals(3, run.exitCode());
        assertTrue(run.err().contains("error: Cannot convert db.bucketed: "), run.err());
        assertTrue(run.err().contains("exit code 3"), run.err());
        assertEquals("", run.out());
        assertEquals(before, files());
    }

    @Test
    void printsARefusalAsJson() throws Exception {
        CommandRun run = enable("--table=db.bucketed", "--format=json");

        JsonNode error = json(run).get("error");
        assertEquals("REFUSED", error.get("kind").asText());
        assertEquals(3, error.get("exitCode").asInt());
        assertTrue(error.get("checks").size() > 0, run.out());
        assertEquals("[]", error.get("committed").get("snapshotIds").toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"db.missing", "missing.t"})
    void saysThatThereIsNoSuchTable(String table) throws Exception {
        Map<String, Long> before = files();

        CommandRun run = enable("--table=" + table);

        assertEquals(2, run.exitCode(), run.err());
        assertTrue(run.err().contains(table), run.err());
        assertFalse(run.err().contains("\tat "), run.err());
        assertEquals(before, files());
    }

    @Test
    void showsStackTracesWhenAskedButNoOptionValue() {
        CommandRun run =
                enable(
                        "--table=db.t",
                        "--verbose",
                        "--catalog_conf=metastore=jdbc",
                        "--catalog_conf=uri=jdbc:none://zzuser:zzpassword@host/db",
                        "--catalog_conf=jdbc.password=zzsecret");

        assertEquals(1, run.exitCode());
        assertTrue(run.err().contains("\tat "), run.err());
        assertFalse(run.err().contains("zz"), run.err());
    }

    @Test
    void readsOptionsFromAFile() throws Exception {
        Path file = warehouse.resolve("catalog.properties");
        Files.writeString(file, "warehouse=" + warehouse + "\n");

        CommandRun run =
                CommandRun.of(
                        "enable_data_evolution",
                        "--catalog_conf_file=" + file,
                        "--table=db.t",
                        "--dry_run");

        assertEquals(0, run.exitCode(), run.err());
    }

    @ParameterizedTest
    @ValueSource(strings = {"text", "json"})
    void keepsItsReportAsJson(String format) throws Exception {
        Path file = warehouse.resolve("report.json");

        CommandRun run = enable("--table=db.t", "--report=" + file, "--format=" + format);

        assertEquals(0, run.exitCode(), run.err());
        JsonNode report = new ObjectMapper().readTree(Files.readString(file));
        assertEquals("CONVERTED", report.get("outcome").asText());
        assertTrue(run.out().contains(report.get("result").asText()), run.out());
        assertTrue(run.out().contains(report.get("runId").asText()), run.out());
    }

    @Test
    void convertsNothingWhenTheReportExists() throws Exception {
        Path file = Files.writeString(warehouse.resolve("report.json"), "kept");
        Map<String, Long> before = files();

        CommandRun run = enable("--table=db.t", "--report=" + file);

        assertEquals(2, run.exitCode());
        assertTrue(run.err().contains("code: REPORT, exit code 2"), run.err());
        assertEquals(before, files());
    }

    private CommandRun enable(String... options) {
        List<String> args = new ArrayList<>();
        args.add("enable_data_evolution");
        args.add("--warehouse=" + warehouse);
        args.addAll(List.of(options));
        return CommandRun.of(args.toArray(new String[0]));
    }

    private static JsonNode json(CommandRun run) throws Exception {
        return new ObjectMapper().readTree(run.out());
    }

    private static void createTable(Catalog catalog, String name, String bucket) throws Exception {
        Schema.Builder schema =
                Schema.newBuilder().column("id", DataTypes.INT()).option("bucket", bucket);
        if (!bucket.equals("-1")) {
            schema.option("bucket-key", "id");
        }
        Identifier identifier = Identifier.create("db", name);
        catalog.createTable(identifier, schema.build(), false);
        write(catalog.getTable(identifier));
    }

    private static void write(Table table) throws Exception {
        BatchWriteBuilder builder = table.newBatchWriteBuilder();
        try (BatchTableWrite write = builder.newWrite();
                BatchTableCommit commit = builder.newCommit()) {
            for (int i = 0; i < ROWS; i++) {
                write.write(GenericRow.of(i));
            }
            commit.commit(write.prepareCommit());
        }
    }

    /** Every file below the warehouse with its modification time. */
    private Map<String, Long> files() throws Exception {
        Map<String, Long> files = new TreeMap<>();
        try (Stream<Path> paths = Files.walk(warehouse)) {
            for (Path path : paths.toList()) {
                files.put(path.toString(), Files.getLastModifiedTime(path).toMillis());
            }
        }
        return files;
    }
}
