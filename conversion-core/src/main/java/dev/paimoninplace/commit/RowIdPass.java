package dev.paimoninplace.commit;

import dev.paimoninplace.commit.ManifestStager.Comparison;
import dev.paimoninplace.commit.SnapshotOutcome.Committed;
import dev.paimoninplace.commit.SnapshotOutcome.Lost;
import dev.paimoninplace.commit.SnapshotOutcome.Unknown;
import dev.paimoninplace.conversion.ConversionException;
import dev.paimoninplace.conversion.ErrorKind;
import dev.paimoninplace.conversion.ProgressListener;
import dev.paimoninplace.plan.ManifestChecks;
import dev.paimoninplace.plan.ManifestPlan;
import dev.paimoninplace.plan.ManifestPlanner;
import dev.paimoninplace.plan.TableHandle;
import java.util.Optional;
import org.apache.paimon.Snapshot;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives every live file its row id in one snapshot, again and again until no other commit comes in
 * between. Also the repair of files that slipped in after the schema flip.
 */
public final class RowIdPass {

    private static final Logger LOG = LoggerFactory.getLogger(RowIdPass.class);

    private final TableHandle handle;
    private final ManifestPlanner planner;
    private final Run run;
    private final long nextRowIdFloor;
    private final Optional<StagedRowCheck> rowCheck;

    public RowIdPass(TableHandle handle, ManifestPlanner planner, Run run) {
        this(handle, planner, run, 0L, Optional.empty());
    }

    /**
     * @param nextRowIdFloor lower bound of the next row id of the snapshot; the pass itself makes
     *     it at least 1
     * @param rowCheck compares the rows too, before the commit
     */
    public RowIdPass(
            TableHandle handle,
            ManifestPlanner planner,
            Run run,
            long nextRowIdFloor,
            Optional<StagedRowCheck> rowCheck) {
        this.nextRowIdFloor = nextRowIdFloor;
        this.rowCheck = rowCheck;
        this.handle = handle;
        this.planner = planner;
        this.run = run;
    }

    /** What the pass would do, computed by encoding every manifest and keeping none. */
    public RowIdResult predict(ManifestPlan plan) {
        if (plan.view().snapshot().isEmpty()) {
            return RowIdResult.NOTHING;
        }
        TableHandle discarding = handle.through(DiscardingFileIO::new);
        ManifestStager stager =
                new ManifestStager(discarding, Comparison.NONE, run.parallel(), run.progress());
        return RowIdResult.of(stager.stage(plan, nextRowIdAtLeast(plan)), 0);
    }

    /**
     * Assigns and commits.
     *
     * @param first plan of the newest snapshot known; there must be one
     * @throws ConversionException conflict after the allowed attempts, with everything staged
     *     deleted; outcome unknown, with everything staged kept; refused when the table changed so
     *     that it cannot be converted any more
     */
    public RowIdResult commit(ManifestPlan first) {
        ManifestStager stager =
                new ManifestStager(handle, Comparison.READ_BACK, run.parallel(), run.progress());
        try {
            return attempts(first, stager);
        } catch (RuntimeException | Error e) {
            stager.discardAll();
            throw e;
        }
    }

    private RowIdResult attempts(ManifestPlan first, ManifestStager stager) {
        SnapshotWriter writer = new SnapshotWriter(handle, run.commitUser());
        ManifestPlan plan = first;
        long atLeast = nextRowIdAtLeast(first);
        int maxAttempts = run.options().maxAttempts();
        for (int attempt = 1; attempt <= maxAttempts; attempt++) {
            Snapshot latest = plan.view().snapshot().orElseThrow();
            Optional<Staging> staged = stage(stager, plan, atLeast);
            run.progress().progress(ProgressListener.Stage.COMMIT, attempt - 1L, maxAttempts);
            SnapshotOutcome outcome =
                    staged.map(staging -> writer.replace(latest, staging)).orElse(new Lost());
            if (!(outcome instanceof Lost)) {
                // From here on a failure of any kind must not delete what a snapshot may reference.
                stager.release();
            }
            if (outcome instanceof Committed committed) {
                run.committedSnapshot(committed.snapshotId());
                log(staged.orElseThrow(), committed.snapshotId(), attempt);
                return RowIdResult.of(staged.orElseThrow(), attempt);
            }
            if (outcome instanceof Unknown unknown) {
                throw run.snapshotUnknown(latest.id() + 1, unknown.cause());
            }
            LOG.info("{}: snapshot {} came first, planning again.", run.table(), latest.id() + 1);
            plan = planner.planNewest(handle);
            requireStillConvertible(plan);
            if (plan.idsAreComplete()
                    && plan.rangesAreKnown()
                    && plan.view().nextRowId() >= atLeast) {
                // Another conversion of the same table was faster.
                stager.discardAll();
                return RowIdResult.attempted(attempt, plan.view().nextRowId());
            }
        }
        throw run.failure(
                ErrorKind.CONFLICT,
                "OTHER_WRITERS",
                "other commits came first in each of " + maxAttempts + " attempts",
                "Run again, at a time with fewer commits",
                null);
    }

    /** Empty when the snapshot went away under the stager. */
    private Optional<Staging> stage(ManifestStager stager, ManifestPlan plan, long atLeast) {
        try {
            Staging staging = stager.stage(plan, atLeast);
            rowCheck.ifPresent(check -> check.check(plan.view(), staging.manifests()));
            return Optional.of(staging);
        } catch (RuntimeException e) {
            if (handle.isOutdated(plan.view(), e)) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /**
     * At least 1, also for a table without rows. A conversion that was abandoned before the schema
     * flip is taken up with a higher one: it tells writers that opened the table in between that
     * their view is old.
     */
    private long nextRowIdAtLeast(ManifestPlan plan) {
        boolean tracksRows = plan.view().options().rowTrackingEnabled();
        boolean abandoned = !tracksRows && plan.idsAreComplete();
        return Math.max(nextRowIdFloor, abandoned ? Math.addExact(plan.firstFreeRowId(), 1L) : 1L);
    }

    private void requireStillConvertible(ManifestPlan plan) {
        run.requirePassed(ManifestChecks.of(plan, run.options()));
    }

    private void log(Staging staging, long snapshotId, int attempt) {
        LOG.info(
                "{}: snapshot {} gives row ids to {} file(s) with {} row(s), next row id {},"
                        + " {} manifest(s) rewritten, {} kept, attempt {}.",
                run.table(),
                snapshotId,
                staging.fileCount(),
                staging.rowCount(),
                staging.nextRowId(),
                staging.rewritten(),
                staging.kept(),
                attempt);
    }
}
