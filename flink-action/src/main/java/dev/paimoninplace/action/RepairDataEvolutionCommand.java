package dev.paimoninplace.action;

import dev.paimoninplace.adapter.ActionResult;
import dev.paimoninplace.adapter.TableAction;
import dev.paimoninplace.conversion.DataEvolutionRepair;
import dev.paimoninplace.conversion.FileLines;
import dev.paimoninplace.conversion.RepairOptions;
import dev.paimoninplace.conversion.RepairOptions.Level;
import dev.paimoninplace.conversion.RepairOptions.Renumber;
import dev.paimoninplace.conversion.RepairOptions.RollBack;
import dev.paimoninplace.conversion.RepairReport;
import java.util.concurrent.Callable;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.Identifier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Repairs one table, or predicts it. */
@Command(
        name = "repair_data_evolution",
        aliases = "repair-data-evolution",
        description = "Mends a converted table that was damaged.",
        customSynopsis =
                "paimon-inplace repair_data_evolution --warehouse <path> --database <name>"
                        + " --table <name> [options]%n",
        sortOptions = false,
        optionListHeading = "%nOptions, with underscores or dashes:%n")
final class RepairDataEvolutionCommand implements Callable<Integer> {

    private final CommandFrame frame;

    @Mixin private final TableArguments tableArguments = new TableArguments();

    @Mixin private final ChangeArguments changeArguments = new ChangeArguments();

    @Option(
            names = {"--roll_back", "--roll-back"},
            arity = "0..1",
            fallbackValue = "true",
            paramLabel = "true|false",
            description = {
                "Where nothing else helps, take up the content of the newest snapshot that is whole,",
                "in a new one, and keep later appends. Other later commits are lost: --dry_run lists"
                        + " them."
            })
    private @Nullable String rollBack;

    @Option(
            names = "--renumber",
            arity = "0..1",
            fallbackValue = "true",
            paramLabel = "true|false",
            description = {
                "Give rows new ids where a plain compaction wrote the old ones into the file and they",
                "cannot be restored. References to these ids and global indexes break."
            })
    private @Nullable String renumber;

    @Option(
            names = "--level",
            paramLabel = "METADATA|ROWS",
            description = {
                "What is compared before a commit: the metadata, or also every row.",
                "Default: METADATA."
            })
    private @Nullable String level;

    @Mixin private final RunArguments runArguments = new RunArguments();

    RepairDataEvolutionCommand(CommandFrame frame) {
        this.frame = frame;
    }

    @Override
    public Integer call() {
        return frame.run(tableArguments, runArguments, this::action);
    }

    private TableAction action() {
        boolean predictOnly = changeArguments.isDryRun();
        RepairOptions options =
                RepairOptions.DEFAULTS
                        .withConversion(changeArguments.conversionOptions(runArguments.threads()))
                        .withRollBack(
                                OptionValues.isTrue("--roll_back", rollBack)
                                        ? RollBack.ALLOWED
                                        : RollBack.REFUSED)
                        .withRenumber(
                                OptionValues.isTrue("--renumber", renumber)
                                        ? Renumber.ALLOWED
                                        : Renumber.REFUSED)
                        .withLevel(Level.parse(level));
        return (catalog, table, scrubber) -> {
            DataEvolutionRepair repair = repair(catalog, table, options);
            RepairReport report = predictOnly ? repair.predict() : repair.run();
            return ActionResult.of(report, FileLines.of(catalog, table, report), scrubber);
        };
    }

    private DataEvolutionRepair repair(Catalog catalog, Identifier table, RepairOptions options) {
        return DataEvolutionRepair.of(catalog, table)
                .withOptions(options)
                .withProgress(frame.progress());
    }
}
