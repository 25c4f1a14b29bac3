package dev.paimoninplace.fence;

import dev.paimoninplace.plan.EntryReader;
import dev.paimoninplace.plan.FileShapes;
import java.util.Optional;
import org.apache.paimon.Snapshot;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.manifest.BinaryManifestEntry;
import org.apache.paimon.manifest.ManifestFileMeta;
import org.apache.paimon.table.FileStoreTable;
import org.jspecify.annotations.Nullable;

/** What a snapshot that is about to be written adds and removes, as far as the fence needs it. */
final class Delta {

    /**
     * What is wrong with a file that is added.
     *
     * @param text goes on from the name of the file
     */
    record Flaw(String file, String text) {}

    private final long snapshotId;
    private @Nullable String withoutRowId;
    private @Nullable String withIdsInside;
    private @Nullable String beyondSnapshot;

    private Delta(long snapshotId) {
        this.snapshotId = snapshotId;
    }

    /** Reads the delta manifests of a snapshot. */
    static Delta read(GuardedBranch branch, Snapshot snapshot) {
        FileStoreTable table = branch.table(snapshot.schemaId());
        EntryReader reader = new EntryReader(table);
        Delta delta = new Delta(snapshot.id());
        for (ManifestFileMeta manifest :
                table.store().manifestListFactory().create().readDeltaManifests(snapshot)) {
            reader.read(manifest, delta::accept);
        }
        return delta;
    }

    private void accept(BinaryManifestEntry entry) {
        if (!entry.isAdd()) {
            return;
        }
        DataFileMeta file = entry.file();
        if (file.firstRowId() == null) {
            if (FileShapes.idsInside(file)) {
                withIdsInside = file.fileName();
            } else {
                withoutRowId = file.fileName();
            }
        }
    }

    /**
     * Why the files that are added do not fit a table.
     *
     * @param tracking what the table promises
     */
    Optional<Flaw> flaw(Tracking tracking) {
        if (withoutRowId != null) {
            return Optional.of(new Flaw(withoutRowId, "would have no row ids"));
        }
        if (withIdsInside != null && tracking != Tracking.ROWS) {
            return Optional.of(
                    new Flaw(withIdsInside, "would have its row ids inside, where nobody looks"));
        }
        return Optional.empty();
    }
}
