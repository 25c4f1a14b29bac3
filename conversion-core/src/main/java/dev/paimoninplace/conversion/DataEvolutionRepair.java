package dev.paimoninplace.conversion;

import dev.paimoninplace.commit.RowIdResult;
import dev.paimoninplace.plan.Inspection;
import dev.paimoninplace.repair.Damage;
import java.util.Optional;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.Identifier;

/**
 * Brings a converted table that was damaged back to what a conversion leaves: by mending its
 * metadata, or, where that is allowed and nothing else helps, by going back to an older snapshot in
 * a new one.
 *
 * <p>Safe to repeat, like a conversion: a run finds out from the table what is left to do.
 */
public final class DataEvolutionRepair {

    private final Catalog catalog;
    private final Identifier identifier;
    private final RepairOptions options;
    private final ProgressListener progress;

    private DataEvolutionRepair(
            Catalog catalog,
            Identifier identifier,
            RepairOptions options,
            ProgressListener progress) {
        this.catalog = catalog;
        this.identifier = identifier;
        this.options = options;
        this.progress = progress;
    }

    /**
     * @param catalog catalog that holds the table; stays open
     * @param identifier the table; a branch in it repairs that branch only
     */
    public static DataEvolutionRepair of(Catalog catalog, Identifier identifier) {
        return new DataEvolutionRepair(
                catalog, identifier, RepairOptions.DEFAULTS, ProgressListener.NONE);
    }

    public DataEvolutionRepair withOptions(RepairOptions newOptions) {
        return new DataEvolutionRepair(catalog, identifier, newOptions, progress);
    }

    public DataEvolutionRepair withProgress(ProgressListener newProgress) {
        return new DataEvolutionRepair(catalog, identifier, options, newProgress);
    }

    /**
     * Computes what {@link #run} would do and writes nothing, not even a temporary file.
     *
     * @throws ConversionException {@link ErrorKind#REFUSED} with everything that cannot be mended,
     *     or {@link ErrorKind#USAGE} when there is no such table
     */
    public RepairReport predict() {
        RepairSession session = begin();
        Damage damage = session.inspect();
        if (session.mustRenumber(damage)) {
            return session.renumberPrediction(damage);
        }
        return session.mustRollBack(damage)
                ? session.rollBackPrediction(damage)
                : session.prediction(damage, session.plan(damage));
    }

    /**
     * Repairs the table, or goes on with a repair that was interrupted.
     *
     * @throws ConversionException of each {@link ErrorKind}; it says what had been committed
     */
    public RepairReport run() {
        RepairSession session = begin();
        try {
            return run(session);
        } catch (ConversionException e) {
            throw e;
        } catch (RuntimeException | Error e) {
            throw session.unexpected(e);
        }
    }

    private static RepairReport run(RepairSession session) {
        Damage damage = session.inspect();
        if (damage.isNone()) {
            return session.skipped(damage);
        }
        if (session.mustRenumber(damage)) {
            damage = session.renumber(damage);
        } else if (session.mustRollBack(damage)) {
            damage = session.rollBack(damage);
        }
        Inspection found = session.plan(damage);
        RowIdResult mended = session.mendManifests(damage, found);
        Optional<Check> catalogWarning = session.flipSchema();
        RowIdResult sealed = session.repairAndSeal(found);
        return session.done(damage, found, mended.then(sealed), catalogWarning);
    }

    private RepairSession begin() {
        return RepairSession.begin(catalog, identifier, options, progress);
    }
}
