package dev.paimoninplace.procedures;

import java.util.Set;

/**
 * The options of {@code enable_data_evolution} itself.
 *
 * @param dryRun whether nothing is to be written
 * @param oldWritersStopped whether no writer of Paimon 1.2 or older is left
 */
record EnableArguments(boolean dryRun, boolean oldWritersStopped) {

    private static final Set<String> MISSPELT =
            Set.of(
                    "dryrun",
                    "dryRun",
                    "dry",
                    "dry_runs",
                    "DRY_RUN",
                    "preview",
                    "old_writer_stopped");

    /** Likely misspellings of the dry run are refused: without it the table is converted. */
    static EnableArguments parse(ActionOptions options) {
        options.refuse(MISSPELT);
        return new EnableArguments(options.flag("dry_run"), options.flag("old_writers_stopped"));
    }
}
