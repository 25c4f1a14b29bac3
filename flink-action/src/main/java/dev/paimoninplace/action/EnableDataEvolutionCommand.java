package dev.paimoninplace.action;

import dev.paimoninplace.adapter.ActionResult;
import dev.paimoninplace.adapter.TableAction;
import dev.paimoninplace.conversion.ConversionOptions;
import dev.paimoninplace.conversion.ConversionReport;
import dev.paimoninplace.conversion.DataEvolutionConversion;
import dev.paimoninplace.conversion.FileLines;
import java.util.concurrent.Callable;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.Identifier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Converts one table, or predicts it. */
@Command(
        name = "enable_data_evolution",
        aliases = "enable-data-evolution",
        description = "Turns an append table into a Data Evolution table, in place.",
        customSynopsis =
                "paimon-inplace enable_data_evolution --warehouse <path> --database <name>"
                        + " --table <name> [options]%n",
        sortOptions = false,
        optionListHeading = "%nOptions, with underscores or dashes:%n")
final class EnableDataEvolutionCommand implements Callable<Integer> {

    private final CommandFrame frame;

    @Mixin private final TableArguments tableArguments = new TableArguments();

    @Mixin private final ChangeArguments changeArguments = new ChangeArguments();

    @Mixin private final RunArguments runArguments = new RunArguments();

    EnableDataEvolutionCommand(CommandFrame frame) {
        this.frame = frame;
    }

    @Override
    public Integer call() {
        return frame.run(tableArguments, runArguments, this::action);
    }

    private TableAction action() {
        boolean predictOnly = changeArguments.isDryRun();
        ConversionOptions options = changeArguments.conversionOptions(runArguments.threads());
        return (catalog, table, scrubber) -> {
            DataEvolutionConversion conversion = conversion(catalog, table, options);
            ConversionReport report = predictOnly ? conversion.predict() : conversion.run();
            return ActionResult.of(report, FileLines.of(catalog, table, report), scrubber);
        };
    }

    private DataEvolutionConversion conversion(
            Catalog catalog, Identifier table, ConversionOptions options) {
        return DataEvolutionConversion.of(catalog, table)
                .withOptions(options)
                .withProgress(frame.progress());
    }
}
