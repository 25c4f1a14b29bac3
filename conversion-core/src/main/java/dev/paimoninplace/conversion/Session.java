package dev.paimoninplace.conversion;

import dev.paimoninplace.commit.RowIdPass;
import dev.paimoninplace.commit.RowIdResult;
import dev.paimoninplace.commit.Run;
import dev.paimoninplace.commit.SchemaFlip;
import dev.paimoninplace.commit.Seal;
import dev.paimoninplace.commit.StagedRowCheck;
import dev.paimoninplace.conversion.ProgressListener.Stage;
import dev.paimoninplace.plan.Inspection;
import dev.paimoninplace.plan.ManifestChecks;
import dev.paimoninplace.plan.ManifestPlan;
import dev.paimoninplace.plan.ManifestPlanner;
import dev.paimoninplace.plan.Mending;
import dev.paimoninplace.plan.RequestCounter;
import dev.paimoninplace.plan.TableHandle;
import dev.paimoninplace.plan.TableView;
import java.util.Optional;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.Identifier;

/** The stages of one run over one table. */
final class Session {

    private final Run run;
    private final long startMillis = System.currentTimeMillis();
    private final RequestCounter requests;
    private ManifestPlanner planner;
    private TableHandle handle;
    private long nextRowIdFloor;
    private Optional<StagedRowCheck> rowCheck = Optional.empty();

    private Session(TableHandle handle, RequestCounter requests, Run run) {
        this.handle = handle;
        this.requests = requests;
        this.run = run;
        this.planner = new ManifestPlanner(handle, run.parallel(), run.progress());
    }

    static Session begin(
            Catalog catalog,
            Identifier identifier,
            ConversionOptions options,
            ProgressListener progress) {
        return begin(Goal.CONVERT, catalog, identifier, options, progress);
    }

    static Session begin(
            Goal goal,
            Catalog catalog,
            Identifier identifier,
            ConversionOptions options,
            ProgressListener progress) {
        RequestCounter requests = new RequestCounter();
        TableHandle handle = TableHandle.load(catalog, identifier).counting(requests);
        return new Session(handle, requests, new Run(goal, handle.name(), options, progress));
    }

    Run run() {
        return run;
    }

    TableHandle handle() {
        return handle;
    }

    long elapsedMillis() {
        return System.currentTimeMillis() - startMillis;
    }

    /** Mends more than a conversion does, from now on. */
    void mend(Mending mending, long newNextRowIdFloor, Optional<StagedRowCheck> newRowCheck) {
        rowCheck = newRowCheck;
        planner = new ManifestPlanner(handle, run.parallel(), run.progress(), mending);
        nextRowIdFloor = newNextRowIdFloor;
    }

    /**
     * Reads the table and checks everything, before any write.
     *
     * @throws ConversionException refused, with every failed check
     */
    Inspection inspect() {
        Inspection found = Inspection.of(handle, planner, run.options());
        run.requirePassed(found.checks());
        return found;
    }

    /** As {@link #assignRowIds}, also where only the manifests or the next row id are wrong. */
    RowIdResult mendManifests(Inspection found) {
        return pass().commit(found.plan());
    }

    /** What {@link #mendManifests} would do. */
    RowIdResult predictMending(Inspection found) {
        return pass().predict(found.plan());
    }

    private RowIdPass pass() {
        return new RowIdPass(handle, planner, run, nextRowIdFloor, rowCheck);
    }

    /** What {@link #assignRowIds} or the first round of {@link #repairAndSeal} would do. */
    RowIdResult predictRowIds(Inspection found) {
        return needsRowIds(found) ? pass().predict(found.plan()) : RowIdResult.NOTHING;
    }

    /** Whether a failure only says that the snapshot found has expired meanwhile. */
    boolean isOutdated(Inspection found, RuntimeException failure) {
        return handle.isOutdated(found.plan().view(), failure);
    }

    /** Gives every live file its row id; nothing on a table without a snapshot. */
    RowIdResult assignRowIds(Inspection found) {
        return needsRowIds(found) ? pass().commit(found.plan()) : RowIdResult.NOTHING;
    }

    private static boolean needsRowIds(Inspection found) {
        TableView view = found.plan().view();
        if (view.snapshot().isEmpty()) {
            return false;
        }
        // A table that tracked rows all along has ids, but may have manifests of older writers that
        // do not say which.
        return !found.plan().idsAreComplete()
                || !view.options().rowTrackingEnabled()
                || (!view.isDataEvolution() && !found.plan().rangesAreKnown());
    }

    /**
     * Adds the two options to the schema; nothing when they are there.
     *
     * @return a warning when the catalog's own copy of the schema is not in step
     */
    Optional<Check> flipSchema() {
        run.progress().progress(Stage.FLIP, 0, 1);
        Optional<Check> warning = new SchemaFlip(handle, run).flip();
        handle = handle.reload();
        run.progress().progress(Stage.FLIP, 1, 1);
        return warning;
    }

    /**
     * Mends what slipped in and commits the seal, until the newest snapshot names the new schema
     * and every live file has its row id. On a table that tracked rows before, a stale writer's
     * files have ids and sequence numbers that hide updates, which only a reading of the manifests
     * shows.
     *
     * @param found the table before the run
     */
    RowIdResult repairAndSeal(Inspection found) {
        boolean trackedRows = found.plan().view().options().rowTrackingEnabled();
        RowIdResult repaired = RowIdResult.NOTHING;
        int maxRounds = run.options().maxAttempts();
        for (int round = 1; round <= maxRounds; round++) {
            TableView view = handle.read();
            if (view.snapshot().isPresent() && (trackedRows || mayLackRowIds(view))) {
                ManifestPlan plan = planner.planNewest(handle);
                view = plan.view();
                run.requirePassed(ManifestChecks.of(plan, run.options()));
                if (!plan.idsAreComplete()) {
                    repaired = repaired.then(pass().commit(plan));
                    continue;
                }
            }
            if (Inspection.isSealed(handle, view)) {
                run.progress().progress(Stage.SEAL, 1, 1);
                return repaired;
            }
            run.progress().progress(Stage.SEAL, 0, 1);
            new Seal(handle, run).commit(round);
        }
        throw run.failure(
                ErrorKind.CONFLICT,
                "OTHER_WRITERS",
                "files without row id came in after the schema flip in each of "
                        + maxRounds
                        + " rounds",
                "Stop the writers that opened the table before and run again",
                null);
    }

    /** Whether the manifest list leaves open that a live file lacks its id. */
    private static boolean mayLackRowIds(TableView view) {
        return view.nextRowId() < 1
                || view.manifests().stream()
                        .anyMatch(m -> m.numAddedFiles() > 0 && m.minRowId() == null);
    }

    Reporter reporter(Inspection found) {
        return new Reporter(
                found,
                Inspection.isSealed(handle, found.plan().view()),
                run,
                planner.bytesRead(),
                requests,
                startMillis);
    }

    TableView view() {
        return handle.read();
    }

    /** A failure that no rule foresees; what was committed before it is not lost with it. */
    ConversionException unexpected(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return run.failure(
                ErrorKind.UNEXPECTED,
                "UNEXPECTED",
                "unexpected failure, " + root,
                "Run again: it goes on from what it finds",
                failure);
    }
}
