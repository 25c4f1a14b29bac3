package dev.paimoninplace.action;

import dev.paimoninplace.action.Console.Detail;
import dev.paimoninplace.adapter.CatalogConf;
import dev.paimoninplace.adapter.ReportFile;
import dev.paimoninplace.adapter.ReportFile.Existing;
import java.util.Optional;
import org.apache.paimon.fs.FileIOLoader;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that every command has beside those of its action. */
final class RunArguments {

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

    @Option(
            names = "--report",
            paramLabel = "<path>",
            description = "File to keep the result in as JSON. One that exists is not overwritten.")
    private @Nullable String report;

    @Option(
            names = {"--overwrite_report", "--overwrite-report"},
            arity = "0..1",
            fallbackValue = "true",
            paramLabel = "true|false",
            description = "Overwrite the file of --report.")
    private @Nullable String overwriteReport;

    @Option(names = "--verbose", description = "Print stack traces of failures.")
    private boolean verbose;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Print this text and exit.")
    private boolean help;

    int threads() {
        return threads == null
                ? Runtime.getRuntime().availableProcessors()
                : OptionValues.positive("--threads", threads);
    }

    Format format() {
        return OptionValues.format("--format", format);
    }

    /** The file for the report, if one is wanted. */
    Optional<ReportFile> reportFile(CatalogConf catalogConf, @Nullable FileIOLoader fallback) {
        boolean overwrite = OptionValues.isTrue("--overwrite_report", overwriteReport);
        Existing existing = overwrite ? Existing.REPLACED : Existing.KEPT;
        return report == null
                ? Optional.empty()
                : Optional.of(catalogConf.reportFile(report, existing, fallback));
    }

    Detail failureDetail() {
        return verbose ? Detail.STACK_TRACE : Detail.MESSAGE;
    }
}
