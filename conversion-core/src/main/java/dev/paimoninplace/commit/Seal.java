package dev.paimoninplace.commit;

import dev.paimoninplace.conversion.ConversionException;
import dev.paimoninplace.conversion.ErrorKind;
import dev.paimoninplace.plan.Inspection;
import dev.paimoninplace.plan.TableHandle;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.Snapshot;
import org.apache.paimon.manifest.ManifestCommittable;
import org.apache.paimon.operation.FileStoreCommit;
import org.apache.paimon.schema.TableSchema;
import org.apache.paimon.stats.Statistics;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Commits an empty snapshot that names the new schema. Whatever a stale writer commits afterwards
 * loses the compare-and-set against it.
 */
public final class Seal {

    private static final Logger LOG = LoggerFactory.getLogger(Seal.class);

    /** The seal must reference the manifests as they are. */
    private static final Map<String, String> NO_MANIFEST_MERGING =
            Map.of(
                    CoreOptions.MANIFEST_MERGE_MIN_COUNT.key(), String.valueOf(Integer.MAX_VALUE),
                    CoreOptions.MANIFEST_TARGET_FILE_SIZE.key(), "1 tb",
                    CoreOptions.MANIFEST_FULL_COMPACTION_FILE_SIZE.key(), "1024 tb",
                    CoreOptions.MANIFEST_SORT_ENABLED.key(), "false");

    private final TableHandle handle;
    private final Run run;

    /**
     * @param handle the table, loaded after the schema flip
     */
    public Seal(TableHandle handle, Run run) {
        this.handle = handle.withDynamicOptions(NO_MANIFEST_MERGING);
        this.run = run;
    }

    /**
     * Commits the empty snapshot; with the statistics of the table under the new schema id where it
     * has any, which another kind of commit would lose.
     *
     * @param identifier commit identifier, unique in the run
     * @throws ConversionException conflict or outcome unknown
     */
    public void commit(long identifier) {
        // Not TableCommitImpl: a conversion expires nothing, drops no partition, makes no tag.
        FileStoreCommit commit =
                handle.table()
                        .store()
                        .newCommit(run.commitUser(), handle.table())
                        .ignoreEmptyCommit(false);
        try {
            Optional<Statistics> statistics = statisticsUnderNewSchema();
            if (statistics.isPresent()) {
                commit.commitStatistics(statistics.get(), identifier);
            } else {
                commit.commit(new ManifestCommittable(identifier), false);
            }
        } catch (RuntimeException e) {
            requireSealed(identifier, e);
            return;
        } finally {
            commit.close();
        }
        try {
            findCommitted(identifier);
        } catch (RuntimeException e) {
            throw unknown(e);
        }
    }

    /** Whether this commit's snapshot is there; if so, it counts as committed by this run. */
    private boolean findCommitted(long identifier) {
        Optional<Snapshot> found =
                handle.snapshots()
                        .latestSnapshotOfUserFromFilesystem(run.commitUser())
                        .filter(snapshot -> snapshot.commitIdentifier() == identifier);
        found.ifPresent(this::committed);
        return found.isPresent();
    }

    private void committed(Snapshot snapshot) {
        run.committedSnapshot(snapshot.id());
        LOG.info("{}: snapshot {} seals the conversion.", run.table(), snapshot.id());
    }

    /** Statistics of other columns than those of today would be lost by any commit. */
    private Optional<Statistics> statisticsUnderNewSchema() {
        TableSchema schema = handle.schemas().latestOrThrow("No schema of " + run.table());
        return handle.latestSnapshot()
                .flatMap(handle.table().store().newStatsFileHandler()::readStats)
                .filter(known -> hasFieldsOf(schema, known.schemaId()))
                .map(
                        known ->
                                new Statistics(
                                        known.snapshotId(),
                                        schema.id(),
                                        boxed(known.mergedRecordCount()),
                                        boxed(known.mergedRecordSize()),
                                        known.colStats()));
    }

    private boolean hasFieldsOf(TableSchema schema, long schemaId) {
        return handle.schemas().schema(schemaId).fields().equals(schema.fields());
    }

    private static @Nullable Long boxed(OptionalLong value) {
        return value.isPresent() ? (Long) value.getAsLong() : null;
    }

    /**
     * A commit that threw is as good when its snapshot is there, or when the newest snapshot names
     * the new schema anyway.
     */
    private void requireSealed(long identifier, RuntimeException cause) {
        boolean isSealed;
        try {
            isSealed = findCommitted(identifier) || Inspection.isSealed(handle, handle.read());
        } catch (RuntimeException e) {
            cause.addSuppressed(e);
            throw unknown(cause);
        }
        if (isSealed) {
            return;
        }
        // Paimon gives no cause when it lost every compare-and-set.
        throw cause.getCause() == null ? lost(cause) : unknown(cause);
    }

    private ConversionException lost(RuntimeException cause) {
        return failure(ErrorKind.CONFLICT, "OTHER_WRITERS", cause);
    }

    private ConversionException unknown(RuntimeException cause) {
        return failure(ErrorKind.OUTCOME_UNKNOWN, "SEAL_UNKNOWN", cause);
    }

    private ConversionException failure(ErrorKind kind, String code, RuntimeException cause) {
        return run.failure(
                kind,
                code,
                "the snapshot that seals the conversion was not committed or is not to be seen",
                "Run again: it goes on from what it finds",
                cause);
    }
}
