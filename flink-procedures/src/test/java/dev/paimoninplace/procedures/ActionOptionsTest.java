package dev.paimoninplace.procedures;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.paimoninplace.adapter.ActionResult;
import dev.paimoninplace.adapter.Scrubber;
import dev.paimoninplace.conversion.ConversionException;
import dev.paimoninplace.conversion.ErrorKind;
import dev.paimoninplace.verify.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.flink.action.MultipleParameterToolAdapter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ActionOptionsTest {

    @TempDir Path folder;

    @Test
    void readsDatabaseAndTable() {
        assertEquals(
                Identifier.create("db", "t$branch_b"),
                options("--database", "`db`", "--table", "t$branch_b").table());
    }

    @Test
    void readsADatabaseInTheTableName() {
        assertEquals(Identifier.create("db", "t"), options("--table", "db.t").table());
    }

    @Test
    void convertsWithoutFurtherOptions() {
        assertEquals(
                new EnableArguments(false, false),
                EnableArguments.parse(options("--table", "db.t")));
    }

    @ParameterizedTest
    @MethodSource("dryRuns")
    void readsTheDryRun(boolean expected, List<String> options) {
        List<String> args = new ArrayList<>(options);
        args.addAll(List.of("--table", "db.t"));

        ActionOptions read = options(args.toArray(new String[0]));

        assertEquals(expected, EnableArguments.parse(read).dryRun());
    }

    static Stream<Arguments> dryRuns() {
        return Stream.of(
                Arguments.of(true, List.of("--dry_run")),
                Arguments.of(true, List.of("--dry-run")),
                Arguments.of(true, List.of("--dry_run", "true")),
                Arguments.of(true, List.of("--dry_run", "TRUE")),
                Arguments.of(false, List.of("--dry_run", "false")));
    }

    @Test
    void keepsEqualsSignsInCatalogOptions() {
        ActionOptions options =
                options("--table", "db.t", "--catalog_conf", "a=b=c", "--catalog-conf", "d=e");

        assertEquals(
                "CatalogConf[a, cache-enabled, d, warehouse]", options.catalogConf().toString());
    }

    @Test
    void keepsNoReportUnlessOneIsNamed() {
        ActionOptions options = options("--table", "db.t");

        assertEquals(Optional.empty(), options.reportFile(options.catalogConf()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"--overwrite_report", "--overwrite-report"})
    void writesOverAReportOnlyWhenToldTo(String overwrite) throws Exception {
        Path zz = Files.writeString(folder.resolve("zz.json"), "kept");
        String[] keeping = {"--table", "db.t", "--report", zz.toString()};
        String[] replacing = {"--table", "db.t", "--report", zz.toString(), overwrite};

        assertUsage("REPORT", "the file exists", keeping);
        ActionOptions options = options(replacing);
        options.reportFile(options.catalogConf())
                .orElseThrow()
                .write(
                        new ActionResult("", "{}", Optional.empty(), Optional.empty()),
                        Scrubber.NONE);

        assertEquals("{}\n", Files.readString(zz));
    }

    @ParameterizedTest
    @MethodSource("wrongOptions")
    void refusesWrongOptionsWithoutRepeatingTheirValues(
            String code, String fact, List<String> options) {
        assertUsage(code, fact, options.toArray(new String[0]));
    }

    static Stream<Arguments> wrongOptions() {
        return Stream.of(
                wrong("OPTION_UNKNOWN", "--dryrun", "--table", "zz.t", "--dryrun", "true"),
                wrong("OPTION_UNKNOWN", "--dryRun", "--table", "zz.t", "--dryRun"),
                wrong("OPTION_VALUE", "--dry_run accepts", "--table", "zz.t", "--dry_run", "zzyes"),
                wrong("OPTION_VALUE", "--report needs a value", "--table", "zz.t", "--report"),
                wrong("OPTION_VALUE", "the level", "--table", "zz.t", "--level", "zzrows"),
                wrong("OPTION_REPEATED", "--level is", "--level", "FILES", "--level", "ROWS"),
                wrong("OPTION_VALUE", "--table needs a value", "--table", "--dry_run"),
                wrong("OPTION_REPEATED", "--dry_run is given twice", "--dry_run", "--dry-run"),
                wrong("OPTION_REPEATED", "--dry_run is given twice", "--dry_run", "--dry_run"),
                wrong("OPTION_REPEATED", "--table is given twice", "--table", "zz", "--table", "z"),
                wrong("OPTION_MISSING", "--table is missing", "--database", "zz"),
                wrong("OPTION_MISSING", "--database is missing", "--table", "zz"),
                wrong("CATALOG_CONF", "value 1", "--table", "zz.t", "--catalog_conf", "zzsecret"),
                wrong("CATALOG_CONF", "value 1", "--table", "zz.t", "--catalog_conf"));
    }

    /** Reads everything that either action reads. */
    private static void assertUsage(String code, String fact, String... args) {
        ActionOptions options = options(args);

        ConversionException failure =
                assertThrows(
                        ConversionException.class,
                        () -> {
                            EnableArguments.parse(options);
                            Level.parse(options.value("level"));
                            options.table();
                            options.reportFile(options.catalogConf());
                        });

        String message = String.valueOf(failure.getMessage());
        assertEquals(ErrorKind.USAGE, failure.kind());
        assertEquals(code, failure.code());
        assertTrue(message.contains(fact), message);
        assertFalse(message.contains("zz"), message);
    }

    private static ActionOptions options(String... options) {
        List<String> args = new ArrayList<>(List.of("--warehouse", "/w"));
        args.addAll(List.of(options));
        return new ActionOptions(
                "some_action", new MultipleParameterToolAdapter(args.toArray(new String[0])));
    }

    private static Arguments wrong(String code, String fact, String... options) {
        return Arguments.of(code, fact, List.of(options));
    }
}
