package dev.paimoninplace.procedures.spi;

import dev.paimoninplace.procedures.VerifyDataEvolution;
import java.util.Optional;
import org.apache.paimon.flink.action.Action;
import org.apache.paimon.flink.action.ActionFactory;
import org.apache.paimon.flink.action.MultipleParameterToolAdapter;

/** Makes Paimon's own action jar know {@code verify_data_evolution}. */
public final class VerifyDataEvolutionActionFactory implements ActionFactory {

    private static final String IDENTIFIER = "verify_data_evolution";

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
                "Action \"verify_data_evolution\" says what is wrong with a Data Evolution table."
                        + " It reads only, and fails with exit code 6 in its message when it found"
                        + " something.\n\n"
                        + "Syntax:\n"
                        + "  verify_data_evolution --warehouse <path> --database <name>"
                        + " --table <name> \\\n"
                        + "    [--level METADATA|FILES|ROWS] \\\n"
                        + "    [--report <path>] [--overwrite_report [true|false]] \\\n"
                        + "    [--catalog_conf <key=value> ...] [--catalog_conf_file <path>]\n\n"
                        + "An option that is not known is not refused here: Paimon's action jar"
                        + " drops it.");
    }

    private static void run(MultipleParameterToolAdapter params) {
        try {
            VerifyDataEvolution.run(params);
        } catch (LinkageError e) {
            throw Linkage.failure(IDENTIFIER, e);
        }
    }
}
