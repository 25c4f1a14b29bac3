package dev.paimoninplace.action;

import dev.paimoninplace.conversion.ConversionOptions;
import dev.paimoninplace.conversion.ConversionOptions.OldWriters;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of every command that changes a table. */
final class ChangeArguments {

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

    boolean isDryRun() {
        return OptionValues.isTrue("--dry_run", dryRun);
    }

    /**
     * @param threads manifests worked on at a time
     */
    ConversionOptions conversionOptions(int threads) {
        OldWriters oldWriters =
                OptionValues.isTrue("--old_writers_stopped", oldWritersStopped)
                        ? OldWriters.STOPPED
                        : OldWriters.UNKNOWN;
        return ConversionOptions.DEFAULTS.withOldWriters(oldWriters).withThreads(threads);
    }
}
