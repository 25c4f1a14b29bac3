package dev.paimoninplace.plan;

import java.util.List;
import java.util.Optional;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.Snapshot;
import org.apache.paimon.manifest.ManifestFileMeta;
import org.apache.paimon.schema.TableSchema;

/**
 * A table at one moment.
 *
 * @param schema latest schema, exactly as stored
 * @param snapshot newest snapshot; empty when there is none
 * @param manifests data manifests of that snapshot in commit order
 */
public record TableView(
        TableSchema schema, Optional<Snapshot> snapshot, List<ManifestFileMeta> manifests) {

    public TableView {
        manifests = List.copyOf(manifests);
    }

    public CoreOptions options() {
        return new CoreOptions(schema.options());
    }

    /** Whether the latest schema has both options of a Data Evolution table. */
    public boolean isDataEvolution() {
        return isDataEvolution(schema);
    }

    public static boolean isDataEvolution(TableSchema schema) {
        CoreOptions options = new CoreOptions(schema.options());
        return options.rowTrackingEnabled() && options.dataEvolutionEnabled();
    }

    /** Id of the newest snapshot, 0 when there is none. */
    public long snapshotId() {
        return snapshot.map(Snapshot::id).orElse(0L);
    }

    /** Next row id that the newest snapshot names; 0 when it names none. */
    public long nextRowId() {
        Long next = snapshot.map(Snapshot::nextRowId).orElse(null);
        return next == null ? 0L : next;
    }
}
