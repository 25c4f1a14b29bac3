package dev.paimoninplace.conversion;

import dev.paimoninplace.commit.RowIdResult;
import dev.paimoninplace.commit.Run;
import dev.paimoninplace.commit.StagedRowCheck;
import dev.paimoninplace.conversion.DataStage.RolledBack;
import dev.paimoninplace.conversion.RepairOptions.Level;
import dev.paimoninplace.conversion.RepairOptions.Renumber;
import dev.paimoninplace.conversion.RepairOptions.RollBack;
import dev.paimoninplace.conversion.RepairReport.Outcome;
import dev.paimoninplace.plan.Inspection;
import dev.paimoninplace.plan.TableView;
import dev.paimoninplace.repair.Damage;
import dev.paimoninplace.repair.DamageReader;
import dev.paimoninplace.repair.RollBackPlan;
import dev.paimoninplace.repair.Strays;
import java.util.List;
import java.util.Optional;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.Identifier;

/** The stages of one repair: those of a conversion, after a look at the damage. */
final class RepairSession {

    private final Session session;
    private final RepairOptions options;
    private final TableView before;
    private final Optional<StagedRowCheck> rowCheck;
    private Optional<Damage> damageAtFirst = Optional.empty();
    private Optional<RollBackPlan> rolledBack = Optional.empty();
    private long renumbered;
    private RowIdResult written = RowIdResult.NOTHING;

    private RepairSession(Session session, RepairOptions options) {
        this.session = session;
        this.options = options;
        this.before = session.view();
        this.rowCheck =
                options.level() == Level.ROWS
                        ? Optional.of(
                                new StagedRowCheck(session.handle(), session.run().parallel()))
                        : Optional.empty();
    }

    static RepairSession begin(
            Catalog catalog,
            Identifier identifier,
            RepairOptions options,
            ProgressListener progress) {
        return new RepairSession(
                Session.begin(Goal.REPAIR, catalog, identifier, options.conversion(), progress),
                options);
    }

    /**
     * Finds out what is wrong.
     *
     * @throws ConversionException refused when the table was never converted
     */
    Damage inspect() {
        Run run = session.run();
        DamageReader reader = reader();
        if (!reader.wasEverConverted()) {
            run.requirePassed(
                    List.of(
                            Check.failed(
                                    "NEVER_CONVERTED",
                                    "no schema of it was ever that of a Data Evolution table",
                                    "Run enable_data_evolution")));
        }
        Damage damage = reader.read();
        damageAtFirst = damageAtFirst.or(() -> Optional.of(damage));
        return damage;
    }

    private DamageReader reader() {
        return new DamageReader(
                session.handle(), options.conversion().threads(), session.run().progress());
    }

    private DataStage dataStage() {
        return new DataStage(session.handle(), session.run(), reader(), rowCheck);
    }

    /**
     * Whether only an older snapshot helps, and the caller allows that.
     *
     * @throws ConversionException refused where it is not allowed
     */
    boolean mustRollBack(Damage damage) {
        if (damage.needsRollBack() && options.rollBack() == RollBack.REFUSED) {
            dataStage().refuse(damage);
        }
        return damage.needsRollBack();
    }

    /** Whether new row ids are all that is needed, and the caller allows them. */
    boolean mustRenumber(Damage damage) {
        return options.renumber() == Renumber.ALLOWED && damage.isMendedByRenumbering();
    }

    /**
     * Gives new ids to the rows of files that hold old ones inside and cannot have them back.
     *
     * @return what is left to be mended
     */
    Damage renumber(Damage damage) {
        renumbered = damage.insideIds().lost().size();
        written = dataStage().renumber(damage, this::inspect);
        return inspect();
    }

    /**
     * Takes up the content of an older snapshot.
     *
     * @return what is left to be mended
     */
    Damage rollBack(Damage damage) {
        Optional<RolledBack> done = dataStage().rollBack(damage, this::inspect);
        rolledBack = done.map(RolledBack::plan);
        written = done.map(RolledBack::assigned).orElse(written);
        Damage left = inspect();
        session.run().requirePassed(left.refusals(RollBackWords.LAST_RESORT));
        return left;
    }

    /**
     * Plans the mending.
     *
     * @throws ConversionException refused, with every check of a conversion that failed
     */
    Inspection plan(Damage damage) {
        session.mend(damage.mending(), damage.nextRowIdFloor(), rowCheck);
        return session.inspect();
    }

    RowIdResult mendManifests(Damage damage, Inspection found) {
        return isManifestPassNeeded(damage, found)
                ? session.mendManifests(found)
                : session.assignRowIds(found);
    }

    /** Also after data was written, so that no entry without row id stays in a manifest. */
    private boolean isManifestPassNeeded(Damage damage, Inspection found) {
        boolean wroteData = rolledBack.isPresent() || renumbered > 0;
        return (damage.concernsManifests() || wroteData)
                && found.plan().view().snapshot().isPresent();
    }

    Optional<Check> flipSchema() {
        return session.flipSchema();
    }

    RowIdResult repairAndSeal(Inspection found) {
        return session.repairAndSeal(found);
    }

    ConversionException unexpected(Throwable failure) {
        return session.unexpected(failure);
    }

    /** The report of a run that found nothing to do. */
    RepairReport skipped(Damage damage) {
        ConversionReport nothing = session.reporter(plan(damage)).skipped();
        return reporter(damage).of(Outcome.SKIPPED, nothing, damage, damage.found().counts());
    }

    /** The report that the real run would give on the same table. */
    RepairReport prediction(Damage damage, Inspection found) {
        Reporter conversion = session.reporter(found);
        if (damage.isNone()) {
            return reporter(damage)
                    .of(Outcome.DRY_RUN, conversion.skipped(), damage, damage.remaining());
        }
        RowIdResult rowIds =
                isManifestPassNeeded(damage, found)
                        ? session.predictMending(found)
                        : session.predictRowIds(found);
        return reporter(damage)
                .of(Outcome.DRY_RUN, conversion.prediction(rowIds), damage, damage.remaining());
    }

    /** The report that the real run would give when it takes up an older snapshot. */
    RepairReport rollBackPrediction(Damage damage) {
        RollBackPlan plan = dataStage().plan(damage);
        return reporter(damage).rollBackPrediction(plan, reader().readAt(plan.target()));
    }

    /** The report that the real run would give when it renumbers rows. */
    RepairReport renumberPrediction(Damage damage) {
        renumbered = damage.insideIds().lost().size();
        return reporter(damage)
                .renumberPrediction(Strays.of(session.handle(), before, damage.insideIds()));
    }

    /** The report of a run, after one more verification. */
    RepairReport done(
            Damage damage, Inspection found, RowIdResult result, Optional<Check> catalogWarning) {
        ConversionReport done =
                session.reporter(found).done(session.view(), written.then(result), catalogWarning);
        return reporter(damage).of(Outcome.REPAIRED, done, damage, reader().verify().counts());
    }

    private RepairReporter reporter(Damage damage) {
        return new RepairReporter(
                session,
                before,
                damageAtFirst.orElse(damage),
                rolledBack,
                renumbered,
                rowCheck.map(StagedRowCheck::checks).orElse(List.of()));
    }
}
