package dev.paimoninplace.procedures.spi;

import dev.paimoninplace.procedures.RepairDataEvolution;
import java.util.Optional;
import org.apache.paimon.flink.action.Action;
import org.apache.paimon.flink.action.ActionFactory;
import org.apache.paimon.flink.action.MultipleParameterToolAdapter;

/** Makes Paimon's own action jar know {@code repair_data_evolution}. */
public final class RepairDataEvolutionActionFactory implements ActionFactory {

    private static final String IDENTIFIER = "repair_data_evolution";

    @Override
    public String identifier() {
        return IDENTIFIER;
    }

    @Override
    public Optional<Action> create(MultipleParameterToolAdapter params) {
        return Optional.of(() -> run(params));
    }

    @Override
    public void printHelp() {
        System.out.println(
                "Action \"repair_data_evolution\" mends a converted table that was damaged.\n\n"
                        + "Syntax:\n"
                        + "  repair_data_evolution --warehouse <path> --database <name>"
                        + " --table <name> \\\n"
                        + "    [--dry_run [true|false]] [--roll_back [true|false]] \\\n"
                        + "    [--renumber [true|false]] [--level METADATA|ROWS] \\\n"
                        + "    [--old_writers_stopped [true|false]] \\\n"
                        + "    [--report <path>] [--overwrite_report [true|false]] \\\n"
                        + "    [--catalog_conf <key=value> ...] [--catalog_conf_file <path>]\n\n"
                        + "An option that is not known is not refused here: Paimon's action jar"
                        + " drops it.");
    }

    private static void run(MultipleParameterToolAdapter params) {
        try {
            RepairDataEvolution.run(params);
        } catch (LinkageError e) {
            throw Linkage.failure(IDENTIFIER, e);
        }
    }
}
