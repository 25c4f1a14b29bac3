package dev.paimoninplace.procedures;

import dev.paimoninplace.conversion.ConversionOptions;
import dev.paimoninplace.conversion.ConversionOptions.OldWriters;
import dev.paimoninplace.conversion.RepairOptions;
import dev.paimoninplace.conversion.RepairOptions.Level;
import dev.paimoninplace.conversion.RepairOptions.Renumber;
import dev.paimoninplace.conversion.RepairOptions.RollBack;
import java.util.Set;

/**
 * The options of {@code repair_data_evolution} itself.
 *
 * @param dryRun whether nothing is to be written
 * @param rollBack whether commits may be dropped
 * @param renumber whether rows may get new ids
 * @param oldWritersStopped whether no writer of Paimon 1.2 or older is left
 * @param level how closely the result is compared
 */
record RepairArguments(
        boolean dryRun,
        boolean rollBack,
        boolean renumber,
        boolean oldWritersStopped,
        Level level) {

    private static final Set<String> MISSPELT =
            Set.of("dryrun", "dryRun", "dry", "dry_runs", "DRY_RUN", "preview", "rollback");

    /** Likely misspellings of the dry run are refused: without it the table is changed. */
    static RepairArguments parse(ActionOptions options) {
        options.refuse(MISSPELT);
        return new RepairArguments(
                options.flag("dry_run"),
                options.flag("roll_back"),
                options.flag("renumber"),
                options.flag("old_writers_stopped"),
                Level.parse(options.value("level")));
    }

    RepairOptions options() {
        OldWriters oldWriters = oldWritersStopped ? OldWriters.STOPPED : OldWriters.UNKNOWN;
        return RepairOptions.DEFAULTS
                .withConversion(ConversionOptions.DEFAULTS.withOldWriters(oldWriters))
                .withRollBack(rollBack ? RollBack.ALLOWED : RollBack.REFUSED)
                .withRenumber(renumber ? Renumber.ALLOWED : Renumber.REFUSED)
                .withLevel(level);
    }
}
