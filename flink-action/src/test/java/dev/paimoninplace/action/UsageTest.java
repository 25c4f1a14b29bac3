package dev.paimoninplace.action;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.apache.paimon.shade.jackson2.com.fasterxml.jackson.databind.JsonNode;
import org.apache.paimon.shade.jackson2.com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is refused before a catalog is opened. Every value in these command lines holds "zz". */
final class UsageTest {

    @TempDir Path warehouse;

    @ParameterizedTest
    @MethodSource("wrongOptions")
    void refusesWrongOptionsWithoutRepeatingTheirValues(
            String code, String fact, List<String> options) {
        CommandRun run = enable(options);

        assertEquals(2, run.exitCode(), run.err());
        assertTrue(run.err().startsWith("error: Cannot "), run.err());
        assertTrue(run.err().contains(fact), run.err());
        assertTrue(run.err().contains("code: " + code + ", exit code 2"), run.err());
        assertFalse(run.err().contains("zz"), run.err());
        assertFalse(run.err().contains("\tat "), run.err());
        assertEquals("", run.out());
    }

    static Stream<Arguments> wrongOptions() {
        String database = "--database=zzdb";
        String table = "--table=zzt";
        return Stream.of(
                wrong("OPTION_UNKNOWN", "--dryrun is not known", database, table, "--dryrun"),
                wrong("OPTION_UNKNOWN", "--password is not known", "--password=zzsecret"),
                wrong("OPTION_UNKNOWN", "--pass-word is not known", "--pass-word", "zzsecret"),
                wrong("OPTION_UNKNOWN", "a word that belongs", database, table, "zzstray"),
                wrong("OPTION_UNKNOWN", "a word that belongs", "--table", "zza", "zzb"),
                wrong("OPTION_UNKNOWN", "a word that belongs", "--catalog_conf", "k=zz", "zz=1"),
                wrong("OPTION_UNKNOWN", "a word that belongs", "@zzfile"),
                wrong("OPTION_VALUE", "--dry_run", database, table, "--dry_run", "zzyes"),
                wrong("OPTION_VALUE", "--dry_run", database, table, "--dry_run=zzyes"),
                wrong("OPTION_VALUE", "--dry_run", database, table, "--dry-run", ""),
                wrong(
                        "OPTION_VALUE",
                        "--old_writers_stopped",
                        database,
                        table,
                        "--old_writers_stopped",
                        "zz"),
                wrong("OPTION_VALUE", "--threads", database, table, "--threads", "zz4"),
                wrong("OPTION_VALUE", "--threads", database, table, "--threads", "0"),
                wrong("OPTION_VALUE", "--threads", database, table, "--threads", "-1"),
                wrong("OPTION_VALUE", "--format", database, table, "--format", "zzxml"),
                wrong(
                        "OPTION_VALUE",
                        "--overwrite_report",
                        database,
                        table,
                        "--overwrite-report=zz"),
                wrong("REPORT", "--report", database, table, "--report", "zznone://zz/zz"),
                wrong("OPTION_VALUE", "--table: it needs a value", database, "--table"),
                wrong("OPTION_VALUE", "--table: it needs", database, "--table", "--dry_run"),
                wrong("OPTION_VALUE", "--catalog_conf: it", "--catalog_conf", "--dry_run"),
                wrong("OPTION_REPEATED", "--dry_run is given twice", "--dry_run", "--dry-run"),
                wrong("OPTION_REPEATED", "--dry_run", "--dry_run", "--dry_run=false"),
                wrong("OPTION_REPEATED", "--table is given twice", table, "--table=zzu"),
                wrong("OPTION_MISSING", "--table is missing", database),
                wrong("OPTION_MISSING", "--database is missing", table),
                wrong("OPTION_MISSING", "--table and --database are missing"),
                wrong(
                        "CATALOG_CONF",
                        "value 1 of --catalog_conf",
                        database,
                        table,
                        "--catalog_conf",
                        "zzpw"),
                wrong(
                        "CATALOG_CONF",
                        "value 1 of --catalog_conf",
                        database,
                        table,
                        "--catalog-conf==zzpw"),
                wrong(
                        "CATALOG_CONF",
                        "cannot be read",
                        database,
                        table,
                        "--catalog_conf_file",
                        "/zz/none"),
                wrong("TABLE_NAME", "backticks", database, "--table=`zz"),
                wrong("TABLE_NAME", "empty", database, "--table="));
    }

    @Test
    void needsAWarehouse() {
        CommandRun run = CommandRun.of("enable_data_evolution", "--table", "db.t");

        assertEquals(2, run.exitCode());
        assertTrue(run.err().contains("--warehouse is missing"), run.err());
    }

    @Test
    void doesNotCreateAWarehouse() {
        Path missing = warehouse.resolve("missing");

        CommandRun run =
                CommandRun.of(
                        "enable_data_evolution", "--warehouse", missing.toString(), "--table=a.b");

        assertEquals(2, run.exitCode());
        assertTrue(run.err().contains("the warehouse does not exist"), run.err());
        assertFalse(Files.exists(missing));
    }

    @ParameterizedTest
    @ValueSource(strings = {"zzaction", "--zz", "-zz=1"})
    void refusesAnUnknownAction(String action) {
        CommandRun run = CommandRun.of(action);

        assertEquals(2, run.exitCode());
        assertTrue(run.err().startsWith("error: "), run.err());
    }

    @Test
    void needsAnAction() {
        CommandRun run = CommandRun.of();

        assertEquals(2, run.exitCode());
        assertTrue(run.err().contains("enable_data_evolution"), run.err());
        assertEquals("", run.out());
    }

    @ParameterizedTest
    @ValueSource(strings = {"--help", "--version", "-h", "-V"})
    void exitsWithZeroAfterHelpAndVersion(String option) {
        CommandRun run = CommandRun.of(option);

        assertEquals(0, run.exitCode());
        assertTrue(run.out().toLowerCase(Locale.ROOT).contains("in-place"), run.out());
        assertEquals("", run.err());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "enable_data_evolution",
                "enable-data-evolution",
                "verify_data_evolution",
                "verify-data-evolution",
                "repair_data_evolution",
                "repair-data-evolution"
            })
    void printsTheHelpOfAnActionEvenWhenOptionsAreMissing(String action) {
        CommandRun run = CommandRun.of(action, "--help");

        assertEquals(0, run.exitCode());
        assertTrue(run.out().contains("--catalog_conf_file"), run.out());
        assertEquals("", run.err());
    }

    @ParameterizedTest
    @ValueSource(strings = {"--format=json", "--format json"})
    void printsUsageErrorsAsJsonWhenAsked(String format) throws Exception {
        List<String> options = new ArrayList<>(List.of(format.split(" ", 2)));
        options.add("--password=zzsecret");

        CommandRun run = enable(options);

        JsonNode error = new ObjectMapper().readTree(run.out()).get("error");
        assertEquals("USAGE", error.get("kind").asText());
        assertEquals("OPTION_UNKNOWN", error.get("code").asText());
        assertEquals(2, error.get("exitCode").asInt());
        assertFalse(run.out().contains("zz"), run.out());
    }

    private CommandRun enable(List<String> options) {
        List<String> args = new ArrayList<>();
        args.add("enable_data_evolution");
        args.add("--warehouse=" + warehouse);
        args.addAll(options);
        return CommandRun.of(args.toArray(new String[0]));
    }

    private static Arguments wrong(String code, String fact, String... options) {
        return Arguments.of(code, fact, List.of(options));
    }
}
