package dev.paimoninplace.procedures;

import dev.paimoninplace.adapter.ActionResult;
import dev.paimoninplace.adapter.FlinkFailure;
import dev.paimoninplace.adapter.Scrubber;
import dev.paimoninplace.adapter.TableAction;
import dev.paimoninplace.adapter.TableName;
import dev.paimoninplace.conversion.Check;
import dev.paimoninplace.conversion.DataEvolutionRepair;
import dev.paimoninplace.conversion.FileLines;
import dev.paimoninplace.conversion.LostCommit;
import dev.paimoninplace.conversion.RepairOptions.Level;
import dev.paimoninplace.conversion.RepairReport;
import java.util.ArrayList;
import java.util.List;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.flink.action.MultipleParameterToolAdapter;
import org.jspecify.annotations.Nullable;

/**
 * {@code repair_data_evolution} as a procedure and as an action. As for {@link
 * EnableDataEvolution}, the signatures hold no type of this project.
 */
public final class RepairDataEvolution {

    private RepairDataEvolution() {}

    /**
     * Runs the procedure.
     *
     * @param catalog catalog of the session; stays open
     * @param dryRun null means false, as for the other flags
     * @param level name of a level in any case; null means METADATA
     * @return the result line, then a line for each lost commit, each warning and each kind of
     *     finding that is left
     * @throws FlinkFailure whose message carries the code
     */
    public static String[] call(
            Catalog catalog,
            @Nullable String table,
            @Nullable Boolean dryRun,
            @Nullable Boolean rollBack,
            @Nullable Boolean renumber,
            @Nullable Boolean oldWritersStopped,
            @Nullable String level) {
        Scrubber scrubber = Scrubber.of(catalog.options());
        try {
            RepairArguments arguments =
                    new RepairArguments(
                            isTrue(dryRun),
                            isTrue(rollBack),
                            isTrue(renumber),
                            isTrue(oldWritersStopped),
                            Level.parse(level));
            return rows(repair(catalog, TableName.parse(table), arguments), scrubber);
        } catch (RuntimeException e) {
            throw FlinkFailure.of(e, scrubber);
        }
    }

    /**
     * Runs the action and prints the report to stdout.
     *
     * @throws FlinkFailure whose message carries the code
     */
    public static void run(MultipleParameterToolAdapter params) {
        ActionRun.run(
                new ActionOptions("repair_data_evolution", params), RepairDataEvolution::action);
    }

    private static TableAction action(ActionOptions options) {
        RepairArguments arguments = RepairArguments.parse(options);
        return (catalog, table, scrubber) -> {
            RepairReport report = repair(catalog, table, arguments);
            return ActionResult.of(report, FileLines.of(catalog, table, report), scrubber);
        };
    }

    private static RepairReport repair(
            Catalog catalog, Identifier table, RepairArguments arguments) {
        DataEvolutionRepair repair =
                DataEvolutionRepair.of(catalog, table).withOptions(arguments.options());
        return arguments.dryRun() ? repair.predict() : repair.run();
    }

    private static String[] rows(RepairReport report, Scrubber scrubber) {
        List<String> rows = new ArrayList<>();
        rows.add(report.resultLine());
        for (LostCommit loss : report.losses()) {
            rows.add("Lost " + loss.text());
        }
        for (Check warning : report.warnings()) {
            rows.add("Warning " + warning.name() + ": " + scrubber.scrub(warning.text()));
        }
        report.left().forEach((code, count) -> rows.add("Left " + code + ": " + count));
        return rows.toArray(new String[0]);
    }

    private static boolean isTrue(@Nullable Boolean value) {
        return value != null && value;
    }
}
