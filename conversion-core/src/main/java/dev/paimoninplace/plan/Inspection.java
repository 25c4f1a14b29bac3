package dev.paimoninplace.plan;

import dev.paimoninplace.conversion.Check;
import dev.paimoninplace.conversion.CommittedSteps;
import dev.paimoninplace.conversion.ConversionException;
import dev.paimoninplace.conversion.ConversionOptions;
import dev.paimoninplace.conversion.TableState;
import java.util.ArrayList;
import java.util.List;
import org.apache.paimon.Snapshot;

/**
 * A table, all that was checked on it, and how far it has come; read before any write.
 *
 * @param facts what surrounds the table
 * @param plan its manifests
 * @param state how far it has come
 * @param checks every check, in order
 */
public record Inspection(
        TableFacts facts, ManifestPlan plan, TableState state, List<Check> checks) {

    public Inspection {
        checks = List.copyOf(checks);
    }

    /** Reads and checks a table; it throws nothing for a check that fails. */
    public static Inspection of(
            TableHandle handle, ManifestPlanner planner, ConversionOptions options) {
        TableFacts facts = TableFactsReader.read(handle);
        ManifestPlan plan = planner.planNewest(handle);
        List<Check> checks = new ArrayList<>(FactsChecks.of(facts, plan.view()));
        checks.add(CatalogCheck.mayConvert(handle.catalog(), handle.identifier()));
        checks.addAll(SchemaChecks.of(plan.view().schema()));
        checks.addAll(ManifestChecks.of(plan, options));
        return new Inspection(facts, plan, state(handle, plan), checks);
    }

    /**
     * @param committed what the run has committed so far
     * @throws ConversionException refused, with every failed check
     */
    public static void requirePassed(String table, List<Check> checks, CommittedSteps committed) {
        List<Check> failed =
                checks.stream().filter(c -> c.outcome() == Check.Outcome.FAILED).toList();
        if (!failed.isEmpty()) {
            throw ConversionException.refused(table, failed, committed);
        }
    }

    /** How far a table has come. */
    public static TableState state(TableHandle handle, ManifestPlan plan) {
        TableView view = plan.view();
        if (view.isDataEvolution()) {
            return isSealed(handle, view) && plan.idsAreComplete()
                    ? TableState.SEALED
                    : TableState.FLIPPED;
        }
        return view.snapshot().isPresent() && plan.idsAreComplete()
                ? TableState.IDS
                : TableState.PLAIN;
    }

    /** Whether the newest snapshot names a schema with both options. */
    public static boolean isSealed(TableHandle handle, TableView view) {
        return view.snapshot()
                .map(Snapshot::schemaId)
                .map(handle.schemas()::schema)
                .map(TableView::isDataEvolution)
                .orElse(false);
    }
}
