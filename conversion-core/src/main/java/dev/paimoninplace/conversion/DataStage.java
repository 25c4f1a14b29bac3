package dev.paimoninplace.conversion;

import dev.paimoninplace.commit.RenumberCommit;
import dev.paimoninplace.commit.RollBackCommit;
import dev.paimoninplace.commit.RowIdResult;
import dev.paimoninplace.commit.Run;
import dev.paimoninplace.commit.StagedRowCheck;
import dev.paimoninplace.plan.TableHandle;
import dev.paimoninplace.plan.TableView;
import dev.paimoninplace.repair.Damage;
import dev.paimoninplace.repair.DamageReader;
import dev.paimoninplace.repair.RollBackPlan;
import dev.paimoninplace.repair.RollBackPlanner;
import dev.paimoninplace.repair.RollBackPlanner.Search;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** The stages of a repair that write data: they copy or rewrite files. */
record DataStage(
        TableHandle handle, Run run, DamageReader damages, Optional<StagedRowCheck> rowCheck) {

    /** Refuses, with every finding that cannot be mended and with what a roll back would mean. */
    void refuse(Damage damage) {
        run.requirePassed(damage.refusals(RollBackWords.offer(damage, search())));
    }

    /**
     * @throws ConversionException refused where no snapshot can be taken up again
     */
    RollBackPlan plan(Damage damage) {
        Search search = search();
        if (search.plan().isEmpty()) {
            List<Check> refusals = new ArrayList<>();
            refusals.add(
                    Check.failed(
                            "ROLL_BACK_IMPOSSIBLE", search.reason(), RollBackWords.LAST_RESORT));
            refusals.addAll(damage.refusals(RollBackWords.LAST_RESORT));
            run.requirePassed(refusals);
        }
        return search.plan().orElseThrow();
    }

    private Search search() {
        return new RollBackPlanner(handle, damages).search(handle.read());
    }

    /**
     * Replaces files that hold row ids inside, again and again until no other commit comes in
     * between.
     *
     * @param again looks at the damage once more
     */
    RowIdResult renumber(Damage damage, Supplier<Damage> again) {
        Damage current = damage;
        int maxAttempts = run.options().maxAttempts();
        for (int attempt = 1; attempt <= maxAttempts; attempt++) {
            TableView view = handle.read();
            if (isOf(current, view.snapshotId())) {
                Optional<RowIdResult> done =
                        new RenumberCommit(handle, run)
                                .commit(
                                        view,
                                        current.insideIds().lost().keySet(),
                                        current.nextRowIdFloor());
                if (done.isPresent()) {
                    return done.get();
                }
            }
            current = again.get();
            if (!current.isMendedByRenumbering()) {
                refuse(current);
            }
        }
        throw conflict(maxAttempts);
    }

    private ConversionException conflict(int maxAttempts) {
        return run.failure(
                ErrorKind.CONFLICT,
                "OTHER_WRITERS",
                "other commits came first in each of " + maxAttempts + " attempts",
                "Run again, at a time with fewer commits",
                null);
    }

    /**
     * What a roll back did.
     *
     * @param plan what was taken up again
     * @param assigned files that got row ids
     */
    record RolledBack(RollBackPlan plan, RowIdResult assigned) {}

    /**
     * Takes up the content of an older snapshot, again and again until no other commit comes in
     * between.
     *
     * @param again looks at the damage once more
     * @return empty when another run has mended meanwhile what made it necessary
     * @throws ConversionException conflict when a commit came in between that would be dropped
     */
    Optional<RolledBack> rollBack(Damage damage, Supplier<Damage> again) {
        Damage current = damage;
        List<LostCommit> stated = plan(damage).losses();
        int maxAttempts = run.options().maxAttempts();
        for (int attempt = 1; attempt <= maxAttempts; attempt++) {
            RollBackPlan plan = plan(current);
            if (isOf(current, plan.latest().id())) {
                requireStated(plan, stated);
                Optional<RowIdResult> done =
                        new RollBackCommit(handle, run, rowCheck)
                                .commit(plan, current.nextRowIdFloor());
                if (done.isPresent()) {
                    return Optional.of(new RolledBack(plan, done.get()));
                }
            }
            current = again.get();
            if (!current.needsRollBack()) {
                return Optional.empty();
            }
        }
        throw conflict(maxAttempts);
    }

    /** What was looked at must be what is changed: another run may have mended it meanwhile. */
    private static boolean isOf(Damage damage, long snapshotId) {
        return damage.found().snapshotId() == snapshotId;
    }

    private void requireStated(RollBackPlan plan, List<LostCommit> stated) {
        for (LostCommit loss : plan.losses()) {
            if (!stated.contains(loss)) {
                throw run.failure(
                        ErrorKind.CONFLICT,
                        "OTHER_WRITERS",
                        "snapshot "
                                + loss.snapshotId()
                                + " came in between, and the roll back would drop it",
                        "Look at a dry run again before the next one",
                        null);
            }
        }
    }
}
