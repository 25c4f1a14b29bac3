package dev.paimoninplace.procedures;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.paimoninplace.conversion.ConversionException;
import dev.paimoninplace.conversion.ErrorKind;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.flink.action.MultipleParameterToolAdapter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class ActionArgumentsTest {

    @Test
    void readsDatabaseAndTable() {
        assertEquals(
                Identifier.create("db", "t$branch_b"),
                parse("--database", "`db`", "--table", "t$branch_b").table());
    }

    @Test
    void readsADatabaseInTheTableName() {
        assertEquals(Identifier.create("db", "t"), parse("--table", "db.t").table());
    }

    @Test
    void convertsWithoutFurtherOptions() {
        ActionArguments arguments = parse("--table", "db.t");

        assertFalse(arguments.dryRun());
        assertFalse(arguments.oldWritersStopped());
    }

    @ParameterizedTest
    @MethodSource("dryRuns")
    void readsTheDryRun(boolean expected, List<String> options) {
        List<String> args = new ArrayList<>(options);
        args.addAll(List.of("--table", "db.t"));

        assertEquals(expected, parse(args.toArray(new String[0])).dryRun());
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
        ActionArguments arguments =
                parse("--table", "db.t", "--catalog_conf", "a=b=c", "--catalog-conf", "d=e");

        assertEquals(
                "CatalogConf[a, cache-enabled, d, warehouse]", arguments.catalogConf().toString());
    }

    @ParameterizedTest
    @MethodSource("wrongOptions")
    void refusesWrongOptionsWithoutRepeatingTheirValues(
            String code, String fact, List<String> options) {
        ConversionException failure =
                assertThrows(
                        ConversionException.class, () -> parse(options.toArray(new String[0])));

        String message = String.valueOf(failure.getMessage());
        assertEquals(ErrorKind.USAGE, failure.kind());
        assertEquals(code, failure.code());
        assertTrue(message.contains(fact), message);
        assertFalse(message.contains("zz"), message);
    }

    static Stream<Arguments> wrongOptions() {
        return Stream.of(
                wrong("OPTION_UNKNOWN", "--dryrun", "--table", "zz.t", "--dryrun", "true"),
                wrong("OPTION_UNKNOWN", "--dryRun", "--table", "zz.t", "--dryRun"),
                wrong("OPTION_VALUE", "--dry_run accepts", "--table", "zz.t", "--dry_run", "zzyes"),
                wrong("OPTION_VALUE", "--table needs a value", "--table", "--dry_run"),
                wrong("OPTION_REPEATED", "--dry_run is given twice", "--dry_run", "--dry-run"),
                wrong("OPTION_REPEATED", "--dry_run is given twice", "--dry_run", "--dry_run"),
                wrong("OPTION_REPEATED", "--table is given twice", "--table", "zz", "--table", "z"),
                wrong("OPTION_MISSING", "--table is missing", "--database", "zz"),
                wrong("OPTION_MISSING", "--database is missing", "--table", "zz"),
                wrong("CATALOG_CONF", "value 1", "--table", "zz.t", "--catalog_conf", "zzsecret"),
                wrong("CATALOG_CONF", "value 1", "--table", "zz.t", "--catalog_conf"));
    }

    private static ActionArguments parse(String... options) {
        List<String> args = new ArrayList<>(List.of("--warehouse", "/w"));
        args.addAll(List.of(options));
        return ActionArguments.parse(new MultipleParameterToolAdapter(args.toArray(new String[0])));
    }

    private static Arguments wrong(String code, String fact, String... options) {
        return Arguments.of(code, fact, List.of(options));
    }
}
