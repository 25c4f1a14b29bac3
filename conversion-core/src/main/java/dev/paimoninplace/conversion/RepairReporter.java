package dev.paimoninplace.conversion;

import dev.paimoninplace.conversion.RepairReport.Outcome;
import dev.paimoninplace.plan.TableView;
import dev.paimoninplace.repair.Damage;
import dev.paimoninplace.repair.RollBackPlan;
import dev.paimoninplace.repair.Strays;
import dev.paimoninplace.verify.FindingCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.paimon.Snapshot;

/**
 * Puts reports of repairs together.
 *
 * @param session the stages that were run
 * @param before the table before the run
 * @param damage what was wrong at first
 * @param rolledBack how an older snapshot was taken up again, if one was
 * @param renumbered files whose rows got new ids in place of those inside
 * @param rowChecks what was compared row by row
 */
record RepairReporter(
        Session session,
        TableView before,
        Damage damage,
        Optional<RollBackPlan> rolledBack,
        long renumbered,
        List<Check> rowChecks) {

    /**
     * @param report what the stages of a conversion did
     * @param mended what they were to mend; the damage at first unless a roll back came before
     * @param left what is left
     */
    RepairReport of(
            Outcome outcome, ConversionReport report, Damage mended, Map<FindingCode, Long> left) {
        List<Check> checks = new ArrayList<>(mended.warnings());
        checks.addAll(rowChecks);
        checks.addAll(report.checks());
        return new RepairReport(
                outcome,
                report.table(),
                report.runId(),
                damage.found().state(),
                report.stateAfter(),
                before.schema().id(),
                report.schemaAfter(),
                before.snapshot().map(Snapshot::id).orElse(null),
                report.snapshotAfter(),
                before.nextRowId(),
                report.nextRowId(),
                rolledBack.isPresent() || renumbered > 0 ? damage.all() : mended.mended(),
                left,
                report.files(),
                report.rows(),
                mended.insideIds().firstRowIds().size(),
                mended.mended().getOrDefault(FindingCode.SEQUENCE_OUT_OF_RANGE, 0L),
                renumbered,
                rolledBack.map(plan -> plan.target().id()).orElse(null),
                rolledBack.map(RollBackPlan::losses).orElse(List.of()),
                rolledBack.map(plan -> (long) plan.copied().size()).orElse(0L),
                report.manifestsRewritten(),
                checks,
                report.attempts(),
                session.elapsedMillis());
    }

    /**
     * The report that a run would give that takes up an older snapshot.
     *
     * @param target what would be mended in that snapshot
     */
    RepairReport rollBackPrediction(RollBackPlan plan, Damage target) {
        Strays strays = new Strays(plan.strayFiles(), plan.strayRows());
        return prediction(target, strays, Optional.of(plan));
    }

    /**
     * The report that a run would give that renumbers rows.
     *
     * @param strays files that get new ids, the renumbered ones included
     */
    RepairReport renumberPrediction(Strays strays) {
        return prediction(damage, strays, Optional.empty());
    }

    private RepairReport prediction(Damage mended, Strays strays, Optional<RollBackPlan> plan) {
        boolean flipped = before.isDataEvolution();
        boolean sealed = flipped && !damage.found().counts().containsKey(FindingCode.NOT_SEALED);
        return new RepairReport(
                Outcome.DRY_RUN,
                session.run().table(),
                session.run().id(),
                damage.found().state(),
                TableState.SEALED,
                before.schema().id(),
                before.schema().id() + (flipped ? 0 : 1),
                before.snapshotId(),
                before.snapshotId() + 2 + (sealed ? 0 : 1),
                before.nextRowId(),
                Math.max(damage.nextRowIdFloor(), before.nextRowId()) + strays.rows(),
                damage.all(),
                Map.of(),
                strays.files(),
                strays.rows(),
                mended.insideIds().firstRowIds().size(),
                mended.mended().getOrDefault(FindingCode.SEQUENCE_OUT_OF_RANGE, 0L),
                renumbered,
                plan.map(p -> p.target().id()).orElse(null),
                plan.map(RollBackPlan::losses).orElse(List.of()),
                plan.map(p -> (long) p.copied().size()).orElse(0L),
                0,
                mended.warnings(),
                0,
                session.elapsedMillis());
    }
}
