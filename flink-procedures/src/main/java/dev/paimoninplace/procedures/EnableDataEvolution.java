package dev.paimoninplace.procedures;

import dev.paimoninplace.adapter.ActionResult;
import dev.paimoninplace.adapter.FlinkFailure;
import dev.paimoninplace.adapter.ProgressLines;
import dev.paimoninplace.adapter.Scrubber;
import dev.paimoninplace.adapter.TableAction;
import dev.paimoninplace.adapter.TableName;
import dev.paimoninplace.conversion.Check;
import dev.paimoninplace.conversion.ConversionOptions;
import dev.paimoninplace.conversion.ConversionOptions.OldWriters;
import dev.paimoninplace.conversion.ConversionReport;
import dev.paimoninplace.conversion.DataEvolutionConversion;
import dev.paimoninplace.conversion.FileLines;
import java.util.ArrayList;
import java.util.List;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.flink.action.MultipleParameterToolAdapter;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code enable_data_evolution} as a procedure and as an action. The signatures hold no type of
 * this project and none newer than Java 11: the classes that call them are compiled and verified
 * there.
 */
public final class EnableDataEvolution {

    private static final Logger LOG = LoggerFactory.getLogger(EnableDataEvolution.class);

    private EnableDataEvolution() {}

    /**
     * Runs the procedure.
     *
     * @param catalog catalog of the session; stays open
     * @param dryRun null means false, as for {@code oldWritersStopped}
     * @return the result line, then a line for each warning
     * @throws FlinkFailure whose message carries the code
     */
    public static String[] call(
            Catalog catalog,
            @Nullable String table,
            @Nullable Boolean dryRun,
            @Nullable Boolean oldWritersStopped) {
        Scrubber scrubber = Scrubber.of(catalog.options());
        try {
            EnableArguments arguments =
                    new EnableArguments(isTrue(dryRun), isTrue(oldWritersStopped));
            return rows(convert(catalog, TableName.parse(table), arguments), scrubber);
        } catch (RuntimeException e) {
            throw FlinkFailure.of(e, scrubber);
        }
    }

    /**
     * Runs the action and prints the report to stdout.
     *
     * @throws FlinkFailure whose message carries the code
     */
    public static void run(MultipleParameterToolAdapter params) {
        ActionRun.run(
                new ActionOptions("enable_data_evolution", params), EnableDataEvolution::action);
    }

    private static TableAction action(ActionOptions options) {
        EnableArguments arguments = EnableArguments.parse(options);
        return (catalog, table, scrubber) -> {
            ConversionReport report = convert(catalog, table, arguments);
            return ActionResult.of(report, FileLines.of(catalog, table, report), scrubber);
        };
    }

    private static ConversionReport convert(
            Catalog catalog, Identifier table, EnableArguments arguments) {
        OldWriters oldWriters =
                arguments.oldWritersStopped() ? OldWriters.STOPPED : OldWriters.UNKNOWN;
        DataEvolutionConversion conversion =
                DataEvolutionConversion.of(catalog, table)
                        .withOptions(ConversionOptions.DEFAULTS.withOldWriters(oldWriters))
                        .withProgress(new ProgressLines(line -> LOG.info("{}: {}", table, line)));
        return arguments.dryRun() ? conversion.predict() : conversion.run();
    }

    private static String[] rows(ConversionReport report, Scrubber scrubber) {
        List<String> rows = new ArrayList<>();
        rows.add(report.resultLine());
        for (Check warning : report.warnings()) {
            rows.add("Warning " + warning.name() + ": " + scrubber.scrub(warning.text()));
        }
        return rows.toArray(new String[0]);
    }

    private static boolean isTrue(@Nullable Boolean value) {
        return value != null && value;
    }
}
