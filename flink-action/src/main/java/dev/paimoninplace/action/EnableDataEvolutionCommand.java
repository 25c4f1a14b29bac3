package dev.paimoninplace.action;

import dev.paimoninplace.action.Console.Detail;
import dev.paimoninplace.adapter.CatalogConf;
import dev.paimoninplace.adapter.Scrubber;
import dev.paimoninplace.conversion.ConversionOptions;
import dev.paimoninplace.conversion.ConversionOptions.OldWriters;
import dev.paimoninplace.conversion.ConversionReport;
import dev.paimoninplace.conversion.DataEvolutionConversion;
import java.util.concurrent.Callable;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.flink.FlinkFileIOLoader;
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

    private final Console console;
    private final Host host;

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

    @Option(
            names = "--threads",
            paramLabel = "<n>",
            description = "Manifests worked on at a time. Default: one per processor.")
    private @Nullable String threads;

    @Option(
            names = "--format",
            paramLabel = "text|json",
            description = "Form of the result on stdout. Default: text.")
    private @Nullable String format;

    @Option(names = "--verbose", description = "Print stack traces of failures.")
    private boolean verbose;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Print this text and exit.")
    private boolean help;

    EnableDataEvolutionCommand(Console console, Host host) {
        this.console = console;
        this.host = host;
    }

    @Override
    public Integer call() {
        Scrubber scrubber = Scrubber.NONE;
        Format form = Format.TEXT;
        try {
            form = OptionValues.format("--format", format);
            Identifier identifier = tableArguments.identifier();
            CatalogConf catalogConf = tableArguments.catalogConf();
            scrubber = catalogConf.scrubber();
            console.print(convert(catalogConf, identifier), form, scrubber);
            return 0;
        } catch (Exception | LinkageError e) {
            return console.fail(e, form, scrubber, verbose ? Detail.STACK_TRACE : Detail.MESSAGE);
        }
    }

    private ConversionReport convert(CatalogConf catalogConf, Identifier identifier) {
        boolean predictOnly = OptionValues.isTrue("--dry_run", dryRun);
        ConversionOptions options = options();
        Catalog catalog = open(catalogConf);
        try {
            DataEvolutionConversion conversion =
                    DataEvolutionConversion.of(catalog, identifier)
                            .withOptions(options)
                            .withProgress(new ProgressLines(console.err()));
            return predictOnly ? conversion.predict() : conversion.run();
        } finally {
            close(catalog, catalogConf.scrubber());
        }
    }

    /**
     * What was done is done: a catalog that does not close changes neither result nor exit code.
     */
    private void close(Catalog catalog, Scrubber scrubber) {
        try {
            catalog.close();
        } catch (Exception e) {
            console.warn(scrubber.scrub("The catalog was not closed: " + e + "."));
        }
    }

    private ConversionOptions options() {
        ConversionOptions options = ConversionOptions.DEFAULTS;
        if (OptionValues.isTrue("--old_writers_stopped", oldWritersStopped)) {
            options = options.withOldWriters(OldWriters.STOPPED);
        }
        return threads == null
                ? options
                : options.withThreads(OptionValues.positive("--threads", threads));
    }

    /**
     * Flink's file systems, with the plug-ins it was set up with, can be used inside Flink only.
     */
    private Catalog open(CatalogConf catalogConf) {
        return catalogConf.open(host == Host.GUEST ? new FlinkFileIOLoader() : null);
    }
}
