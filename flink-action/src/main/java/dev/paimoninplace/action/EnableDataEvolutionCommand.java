package dev.paimoninplace.action;

import dev.paimoninplace.adapter.ActionResult;
import dev.paimoninplace.adapter.TableAction;
import dev.paimoninplace.conversion.ConversionOptions;
import dev.paimoninplace.conversion.ConversionOptions.OldWriters;
import dev.paimoninplace.conversion.ConversionReport;
import dev.paimoninplace.conversion.DataEvolutionConversion;
import dev.paimoninplace.conversion.FileLines;
import java.util.concurrent.Callable;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.Identifier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

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

    @Option(
            names = {"--dry_run", "--dry-run"},
            arity = "0..1",
            fallbackValue = "true",
            paramLabel = "true|false",
            description = "Only say what would be done.")
    private @Nullable String dryRun;

    @Option(
            names = {"--old_writers_stopped", "--old-writers-stopped"},
            arity = "0..1",
            fallbackValue = "true",
            paramLabel = "true|false",
            description = "No writer of Paimon 1.2 or older is left. Such writers destroy row ids.")
    private @Nullable String oldWritersStopped;

    @Mixin private final RunArguments runArguments = new RunArguments();

    EnableDataEvolutionCommand(CommandFrame frame) {
        this.frame = frame;
    }

    @Override
    public Integer call() {
        return frame.run(tableArguments, runArguments, this::action);
    }

    private TableAction action() {
        boolean predictOnly = OptionValues.isTrue("--dry_run", dryRun);
        OldWriters oldWriters =
                OptionValues.isTrue("--old_writers_stopped", oldWritersStopped)
                        ? OldWriters.STOPPED
                        : OldWriters.UNKNOWN;
        ConversionOptions options =
                ConversionOptions.DEFAULTS
                        .withOldWriters(oldWriters)
                        .withThreads(runArguments.threads());
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
