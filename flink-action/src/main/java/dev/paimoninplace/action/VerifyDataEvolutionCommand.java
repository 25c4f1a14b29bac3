package dev.paimoninplace.action;

import dev.paimoninplace.adapter.ActionResult;
import dev.paimoninplace.adapter.TableAction;
import dev.paimoninplace.verify.DataEvolutionVerification;
import dev.paimoninplace.verify.Level;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Says what is wrong with one table. */
@Command(
        name = "verify_data_evolution",
        aliases = "verify-data-evolution",
        description = "Says what is wrong with a Data Evolution table. Reads only.",
        customSynopsis =
                "paimon-inplace verify_data_evolution --warehouse <path> --database <name>"
                        + " --table <name> [options]%n",
        sortOptions = false,
        optionListHeading = "%nOptions, with underscores or dashes:%n")
final class VerifyDataEvolutionCommand implements Callable<Integer> {

    private final CommandFrame frame;

    @Mixin private final TableArguments tableArguments = new TableArguments();

    @Option(
            names = "--level",
            paramLabel = "METADATA|FILES|ROWS",
            description = {
                "What is read: the metadata, also the footer of each data file, or also every row.",
                "Default: METADATA."
            })
    private @Nullable String level;

    @Mixin private final RunArguments runArguments = new RunArguments();

    VerifyDataEvolutionCommand(CommandFrame frame) {
        this.frame = frame;
    }

    @Override
    public Integer call() {
        return frame.run(tableArguments, runArguments, this::action);
    }

    private TableAction action() {
        Level read = Level.parse(level);
        int threads = runArguments.threads();
        return (catalog, table, scrubber) ->
                ActionResult.of(
                        DataEvolutionVerification.of(catalog, table)
                                .atLevel(read)
                                .withThreads(threads)
                                .withProgress(frame.progress())
                                .run(),
                        scrubber);
    }
}
