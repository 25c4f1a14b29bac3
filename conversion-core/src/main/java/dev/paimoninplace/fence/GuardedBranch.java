package dev.paimoninplace.fence;

import java.io.FileNotFoundException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.Snapshot;
import org.apache.paimon.options.Options;
import org.apache.paimon.schema.SchemaManager;
import org.apache.paimon.schema.TableSchema;
import org.apache.paimon.table.CatalogEnvironment;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.FileStoreTableFactory;
import org.apache.paimon.utils.SnapshotManager;
import org.apache.paimon.utils.TagManager;

/** The stored state of one branch of a table, read beside whatever somebody holds of it. */
final class GuardedBranch {

    private final String name;
    private final SnapshotManager snapshots;
    private final SchemaManager schemas;
    private final Map<Long, Tracking> known = new ConcurrentHashMap<>();

    /**
     * @param name name of the table, for people
     */
    GuardedBranch(String name, SnapshotManager snapshots) {
        this.name = name;
        this.snapshots = snapshots;
        this.schemas =
                new SchemaManager(snapshots.fileIO(), snapshots.tablePath(), snapshots.branch());
    }

    String name() {
        return name;
    }

    SchemaManager schemas() {
        return schemas;
    }

    SnapshotManager snapshots() {
        return snapshots;
    }

    TagManager tags() {
        return new TagManager(snapshots.fileIO(), snapshots.tablePath(), snapshots.branch());
    }

    /** The newest snapshot as stored; empty on a table that nothing was ever committed to. */
    Optional<Snapshot> latestSnapshot() {
        return Optional.ofNullable(snapshots.latestSnapshotFromFileSystem());
    }

    /** A snapshot by its id; empty when there is none. */
    Optional<Snapshot> snapshot(long id) {
        try {
            return Optional.of(snapshots.tryGetSnapshot(id));
        } catch (FileNotFoundException e) {
            return Optional.empty();
        }
    }

    /** What a stored schema promises; read once, since a stored schema does not change. */
    Tracking tracking(long schemaId) {
        return known.computeIfAbsent(schemaId, id -> Tracking.of(schemas.schema(id)));
    }

    /** What the latest stored schema promises. */
    Tracking latestTracking() {
        return Tracking.of(schemas.latestOrThrow("No schema in " + snapshots.tablePath()));
    }

    /** The table as one of its schemas has it, behind no catalog. */
    FileStoreTable table(long schemaId) {
        TableSchema schema = schemas.schema(schemaId);
        Map<String, String> options = new HashMap<>(schema.options());
        options.put(CoreOptions.BRANCH.key(), snapshots.branch());
        return FileStoreTableFactory.createWithoutFallbackBranch(
                snapshots.fileIO(),
                snapshots.tablePath(),
                schema.copy(options),
                new Options(),
                CatalogEnvironment.empty());
    }

    /** Next row id that a snapshot names; 0 when it names none. */
    static long nextRowId(Snapshot snapshot) {
        Long next = snapshot.nextRowId();
        return next == null ? 0L : next;
    }
}
