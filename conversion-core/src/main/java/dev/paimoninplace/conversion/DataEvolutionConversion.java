package dev.paimoninplace.conversion;

import dev.paimoninplace.commit.RowIdResult;
import dev.paimoninplace.plan.Inspection;
import java.util.Optional;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.Identifier;

/**
 * Converts an append table into a Data Evolution table in place: every live file gets a range of
 * row ids, then the schema gets two options. Only metadata is written; no data file is read, copied
 * or moved.
 *
 * <p>Safe to repeat: a run finds out from the table how far it has come and goes on from there.
 */
public final class DataEvolutionConversion {

    /** Each further one means that the snapshot expired under the one before. */
    private static final int MAX_PREDICTIONS = 10;

    private final Catalog catalog;
    private final Identifier identifier;
    private final ConversionOptions options;
    private final ProgressListener progress;

    private DataEvolutionConversion(
            Catalog catalog,
            Identifier identifier,
            ConversionOptions options,
            ProgressListener progress) {
        this.catalog = catalog;
        this.identifier = identifier;
        this.options = options;
        this.progress = progress;
    }

    /**
     * @param catalog catalog that holds the table; stays open
     * @param identifier the table; a branch in it converts that branch only
     */
    public static DataEvolutionConversion of(Catalog catalog, Identifier identifier) {
        return new DataEvolutionConversion(
                catalog, identifier, ConversionOptions.DEFAULTS, ProgressListener.NONE);
    }

    public DataEvolutionConversion withOptions(ConversionOptions newOptions) {
        return new DataEvolutionConversion(catalog, identifier, newOptions, progress);
    }

    public DataEvolutionConversion withProgress(ProgressListener newProgress) {
        return new DataEvolutionConversion(catalog, identifier, options, newProgress);
    }

    /**
     * Computes what {@link #run} would do and writes nothing, not even a temporary file.
     *
     * @throws ConversionException {@link ErrorKind#REFUSED} with every failed check, or {@link
     *     ErrorKind#USAGE} when there is no such table
     */
    public ConversionReport predict() {
        Session session = begin();
        for (int attempt = 1; ; attempt++) {
            Inspection found = session.inspect();
            try {
                return session.reporter(found).prediction(session.predictRowIds(found));
            } catch (RuntimeException e) {
                if (attempt == MAX_PREDICTIONS || !session.isOutdated(found, e)) {
                    throw e;
                }
            }
        }
    }

    /**
     * Converts the table, or goes on with a conversion that was interrupted.
     *
     * @throws ConversionException of each {@link ErrorKind}; it says what had been committed
     */
    public ConversionReport run() {
        Session session = begin();
        try {
            return run(session);
        } catch (ConversionException e) {
            throw e;
        } catch (RuntimeException | Error e) {
            throw session.unexpected(e);
        }
    }

    private static ConversionReport run(Session session) {
        Inspection found = session.inspect();
        Reporter reporter = session.reporter(found);
        if (found.state() == TableState.SEALED) {
            return reporter.skipped();
        }
        RowIdResult assigned = session.assignRowIds(found);
        Optional<Check> catalogWarning = session.flipSchema();
        RowIdResult repaired = session.repairAndSeal(found);
        return reporter.done(session.view(), assigned.then(repaired), catalogWarning);
    }

    private Session begin() {
        return Session.begin(catalog, identifier, options, progress);
    }
}
