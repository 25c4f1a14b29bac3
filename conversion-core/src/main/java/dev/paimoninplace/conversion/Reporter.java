package dev.paimoninplace.conversion;

import dev.paimoninplace.commit.RowIdResult;
import dev.paimoninplace.commit.Run;
import dev.paimoninplace.conversion.ConversionReport.Outcome;
import dev.paimoninplace.plan.Inspection;
import dev.paimoninplace.plan.RequestCounter;
import dev.paimoninplace.plan.TableView;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.paimon.Snapshot;

/**
 * Puts reports together.
 *
 * @param found the table before the run
 * @param sealedBefore whether the newest snapshot named a schema with both options
 * @param run the run
 * @param bytesCounted bytes of manifests read to count
 * @param requests requests counted so far
 * @param startMillis start of the run, epoch milliseconds
 */
record Reporter(
        Inspection found,
        boolean sealedBefore,
        Run run,
        long bytesCounted,
        RequestCounter requests,
        long startMillis) {

    ConversionReport skipped() {
        TableView view = found.plan().view();
        return report(
                Outcome.SKIPPED,
                view.schema().id(),
                view.snapshotId(),
                view.nextRowId(),
                RowIdResult.NOTHING,
                Optional.empty());
    }

    /** The report that the real run would give on the same table. */
    ConversionReport prediction(RowIdResult predicted) {
        TableView view = found.plan().view();
        boolean emptyTable = view.snapshot().isEmpty();
        long snapshots = view.snapshotId();
        snapshots += predicted.nextRowId() > 0 || emptyTable ? 1 : 0;
        snapshots += sealedBefore ? 0 : 1;
        long nextRowId = Math.max(predicted.nextRowId(), Math.max(1L, view.nextRowId()));
        return report(
                Outcome.DRY_RUN,
                view.schema().id() + (view.isDataEvolution() ? 0 : 1),
                snapshots,
                nextRowId,
                predicted,
                Optional.empty());
    }

    /**
     * @param after the table after the run
     * @param catalogWarning what the schema flip had to say
     */
    ConversionReport done(TableView after, RowIdResult result, Optional<Check> catalogWarning) {
        List<Long> committed = run.committed().snapshotIds();
        long lastSnapshot =
                committed.isEmpty() ? after.snapshotId() : committed.get(committed.size() - 1);
        boolean wasEnabled = found.plan().view().isDataEvolution() && sealedBefore;
        return report(
                wasEnabled ? Outcome.REPAIRED : Outcome.CONVERTED,
                after.schema().id(),
                lastSnapshot,
                after.nextRowId(),
                result,
                catalogWarning);
    }

    private ConversionReport report(
            Outcome outcome,
            long schemaAfter,
            long snapshotAfter,
            long nextRowId,
            RowIdResult result,
            Optional<Check> oneMore) {
        TableView before = found.plan().view();
        List<Check> checks = new ArrayList<>(found.checks());
        oneMore.ifPresent(checks::add);
        boolean noPass = result.nextRowId() == 0;
        boolean isPrediction = outcome == Outcome.DRY_RUN;
        long bytesRead = bytesCounted + result.bytesRead() + result.bytesReadBack();
        long elapsedMillis = System.currentTimeMillis() - startMillis;
        long bytesToDo = bytesRead + result.bytesWritten();
        return new ConversionReport(
                outcome,
                run.table(),
                run.id(),
                found.state(),
                TableState.SEALED,
                before.schema().id(),
                schemaAfter,
                before.snapshot().map(Snapshot::id).orElse(null),
                snapshotAfter,
                result.fileCount(),
                result.rowCount(),
                result.partitionCount(),
                result.rewritten(),
                noPass ? before.manifests().size() : result.kept(),
                requests.manifestReads() + (isPrediction ? result.readBacks() : 0),
                result.written(),
                bytesRead,
                result.bytesWritten(),
                requests.requests(),
                isPrediction
                        ? Estimate.of(bytesToDo - result.bytesReadBack(), elapsedMillis, bytesToDo)
                        : null,
                nextRowId,
                checks,
                found.facts().commitUsers(),
                result.attempts(),
                elapsedMillis);
    }
}
