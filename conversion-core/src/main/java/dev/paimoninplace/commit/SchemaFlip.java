package dev.paimoninplace.commit;

import dev.paimoninplace.conversion.Check;
import dev.paimoninplace.conversion.ConversionException;
import dev.paimoninplace.conversion.ErrorKind;
import dev.paimoninplace.plan.CandidateSchema;
import dev.paimoninplace.plan.SchemaChecks;
import dev.paimoninplace.plan.TableHandle;
import dev.paimoninplace.plan.TableView;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.operation.Lock;
import org.apache.paimon.schema.SchemaManager;
import org.apache.paimon.schema.TableSchema;
import org.apache.paimon.table.CatalogEnvironment;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes the schema say data evolution, and the catalog say what the schema says. */
public final class SchemaFlip {

    private static final Logger LOG = LoggerFactory.getLogger(SchemaFlip.class);

    private final TableHandle handle;
    private final Run run;

    public SchemaFlip(TableHandle handle, Run run) {
        this.handle = handle;
        this.run = run;
    }

    /**
     * Writes the next schema with both options, under the catalog's lock where there is one. A
     * schema that somebody else wrote meanwhile is taken as the new base; one that already has both
     * options is enough.
     *
     * @return a warning when the catalog's own copy of the schema could not be brought in step
     * @throws ConversionException refused when the latest schema fails a check; conflict; outcome
     *     unknown
     */
    public Optional<Check> flip() {
        for (int attempt = 1; attempt <= run.options().maxAttempts(); attempt++) {
            TableSchema latest = handle.schemas().latestOrThrow("No schema of " + run.table());
            if (TableView.isDataEvolution(latest)) {
                return bringCatalogInStep();
            }
            run.requirePassed(SchemaChecks.of(latest));
            TableSchema next = CandidateSchema.of(latest);
            if (write(next)) {
                run.committedSchema(next.id());
                LOG.info("{}: schema {} has data evolution enabled.", run.table(), next.id());
                return bringCatalogInStep();
            }
            LOG.info("{}: schema {} was taken, reading again.", run.table(), next.id());
        }
        throw run.failure(
                ErrorKind.CONFLICT,
                "OTHER_SCHEMA_CHANGES",
                "other schema changes came first in each of "
                        + run.options().maxAttempts()
                        + " attempts",
                "Run again: it goes on from what it finds",
                null);
    }

    private boolean write(TableSchema next) {
        SchemaManager schemas = handle.schemas();
        AtomicBoolean isLocked = new AtomicBoolean();
        try (Lock lock = lock()) {
            return lock.runWithLock(
                    () -> {
                        isLocked.set(true);
                        // The rename of an object store replaces a schema that is there.
                        return !schemas.schemaExists(next.id()) && schemas.commit(next);
                    });
        } catch (Exception e) {
            if (!isLocked.get()) {
                throw notLocked(next, e);
            }
            return lookedUp(schemas, next, e);
        }
    }

    private ConversionException notLocked(TableSchema next, Exception cause) {
        return run.failure(
                ErrorKind.CONFLICT,
                "CATALOG_LOCK",
                "the catalog's lock was not to be had to write schema " + next.id(),
                "Run again: it goes on from what it finds",
                cause);
    }

    /** Held around the schema write only: it is not re-entrant and a snapshot commit takes it. */
    private Lock lock() {
        CatalogEnvironment environment = handle.table().catalogEnvironment();
        return Optional.ofNullable(environment.lockFactory())
                .map(factory -> factory.createLock(environment.lockContext()))
                .map(lock -> Lock.fromCatalog(lock, handle.identifier()))
                .orElseGet(Lock::empty);
    }

    /** Finds out from the table what became of a write that threw. */
    private boolean lookedUp(SchemaManager schemas, TableSchema next, Exception cause) {
        try {
            if (schemas.schemaExists(next.id())) {
                return schemas.schema(next.id()).toString().equals(next.toString());
            }
        } catch (RuntimeException e) {
            cause.addSuppressed(e);
        }
        throw run.failure(
                ErrorKind.OUTCOME_UNKNOWN,
                "SCHEMA_UNKNOWN",
                "the write of schema " + next.id() + " failed and may still land",
                "Run again: it goes on from what it finds",
                cause);
    }

    private Optional<Check> bringCatalogInStep() {
        Catalog catalog = handle.catalog();
        Identifier identifier = handle.identifier();
        catalog.invalidateTable(identifier);
        if (identifier.getBranchName() != null) {
            return Optional.empty();
        }
        try {
            catalog.repairTable(identifier);
            return Optional.empty();
        } catch (UnsupportedOperationException e) {
            // The catalog keeps no copy of the schema.
            return Optional.empty();
        } catch (Catalog.TableNotExistException | RuntimeException e) {
            // Not the exception itself: a driver's message can hold the value of an option.
            LOG.warn(
                    "{}: the catalog's copy of the schema is not in step: {}.",
                    run.table(),
                    e.getClass().getName());
            return Optional.of(
                    Check.warning(
                            "CATALOG_COPY",
                            "the catalog's own copy of the schema could not be brought in step: "
                                    + e.getMessage(),
                            "Run CALL sys.repair('" + identifier.getFullName() + "')"));
        }
    }
}
