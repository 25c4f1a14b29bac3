package dev.paimoninplace.commit;

import dev.paimoninplace.commit.SnapshotOutcome.Committed;
import dev.paimoninplace.commit.SnapshotOutcome.Lost;
import dev.paimoninplace.commit.SnapshotOutcome.Unknown;
import dev.paimoninplace.plan.TableHandle;
import java.io.FileNotFoundException;
import java.util.List;
import java.util.Optional;
import org.apache.paimon.Snapshot;
import org.apache.paimon.manifest.ManifestFileMeta;
import org.apache.paimon.manifest.ManifestList;
import org.apache.paimon.operation.FileStoreCommitImpl;
import org.apache.paimon.utils.Pair;
import org.jspecify.annotations.Nullable;

/**
 * Commits the successor of the newest snapshot by a compare-and-set on its id: an {@code OVERWRITE}
 * snapshot, so that streaming readers pass over it.
 */
final class SnapshotWriter {

    private final TableHandle handle;
    private final ManifestList manifestList;
    private final String commitUser;

    SnapshotWriter(TableHandle handle, String commitUser) {
        this.handle = handle;
        this.manifestList = handle.table().store().manifestListFactory().create();
        this.commitUser = commitUser;
    }

    /**
     * The snapshot to be committed.
     *
     * @param base manifests of what was there
     * @param delta manifests of what changes
     * @param totalRecordCount rows of all live files
     * @param indexManifest its index manifest; null for none
     * @param nextRowId its next row id
     */
    record Successor(
            List<ManifestFileMeta> base,
            List<ManifestFileMeta> delta,
            long totalRecordCount,
            @Nullable String indexManifest,
            long nextRowId) {}

    /** Commits new manifests for the same content. */
    SnapshotOutcome replace(Snapshot latest, Staging staging) {
        return commit(
                latest,
                new Successor(
                        staging.manifests(),
                        List.of(),
                        latest.totalRecordCount(),
                        latest.indexManifest(),
                        staging.nextRowId()));
    }

    /**
     * Commits the successor of a snapshot. Manifest lists of a definite failure are deleted.
     *
     * @param latest the snapshot that must still be the newest one
     */
    SnapshotOutcome commit(Snapshot latest, Successor successor) {
        Pair<String, Long> base = manifestList.write(successor.base());
        Pair<String, Long> delta = writeDelta(base, successor.delta());
        SnapshotOutcome outcome =
                isNewest(latest, base, delta) ? commit(latest, successor, base, delta) : new Lost();
        if (outcome instanceof Lost) {
            manifestList.delete(base.getKey());
            manifestList.delete(delta.getKey());
        }
        return outcome;
    }

    /**
     * The ids of snapshots that were expired or rolled back meanwhile are free to take: the
     * compare-and-set alone would put this snapshot onto another one.
     */
    private boolean isNewest(Snapshot latest, Pair<String, Long> base, Pair<String, Long> delta) {
        try {
            return handle.latestSnapshot().equals(Optional.of(latest));
        } catch (RuntimeException e) {
            manifestList.delete(base.getKey());
            manifestList.delete(delta.getKey());
            throw e;
        }
    }

    private Pair<String, Long> writeDelta(Pair<String, Long> base, List<ManifestFileMeta> delta) {
        try {
            return manifestList.write(delta);
        } catch (RuntimeException e) {
            manifestList.delete(base.getKey());
            throw e;
        }
    }

    private SnapshotOutcome commit(
            Snapshot latest,
            Successor successor,
            Pair<String, Long> base,
            Pair<String, Long> delta) {
        try (FileStoreCommitImpl commit =
                (FileStoreCommitImpl)
                        handle.table().store().newCommit(commitUser, handle.table())) {
            boolean committed =
                    commit.replaceManifestList(
                            latest,
                            successor.totalRecordCount(),
                            base,
                            delta,
                            successor.indexManifest(),
                            successor.nextRowId());
            return committed ? new Committed(latest.id() + 1) : new Lost();
        } catch (RuntimeException | Error e) {
            return lookedUp(latest.id() + 1, base.getKey(), e);
        }
    }

    /** Finds out from the table what became of a write that threw. */
    private SnapshotOutcome lookedUp(long snapshotId, String baseManifestList, Throwable cause) {
        try {
            Snapshot found = handle.snapshots().tryGetSnapshot(snapshotId);
            boolean ours =
                    found.commitUser().equals(commitUser)
                            && found.baseManifestList().equals(baseManifestList);
            return ours ? new Committed(snapshotId) : new Lost();
        } catch (FileNotFoundException | RuntimeException | Error e) {
            cause.addSuppressed(e);
            return new Unknown(cause);
        }
    }
}
