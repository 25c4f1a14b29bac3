package dev.paimoninplace.fence;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.paimon.Snapshot;
import org.apache.paimon.fs.FileIO;
import org.apache.paimon.fs.Path;
import org.apache.paimon.table.Instant;
import org.apache.paimon.utils.SnapshotLoader;
import org.apache.paimon.utils.SnapshotManager;

/**
 * Throws what the fence refused, and refuses rollbacks across a conversion. Everything else is left
 * to the file system, as Paimon does where a loader supports nothing.
 */
final class GuardedSnapshotLoader implements SnapshotLoader {

    private static final long serialVersionUID = 1L;

    private final String name;
    private final FileIO fileIO;
    private final Path location;
    private final String branch;
    private final AtomicReference<FenceException> refusal = new AtomicReference<>();

    /**
     * @param name name of the table, for people
     */
    GuardedSnapshotLoader(String name, FileIO fileIO, Path location, String branch) {
        this.name = name;
        this.fileIO = fileIO;
        this.location = location;
        this.branch = branch;
    }

    /**
     * @throws FenceException what was refused since the last call
     * @throws UnsupportedOperationException otherwise: the caller then asks the file system
     */
    @Override
    public Optional<Snapshot> load() {
        FenceException refused = refusal.getAndSet(null);
        if (refused != null) {
            throw refused;
        }
        throw new UnsupportedOperationException("Snapshots are found in the file system.");
    }

    /**
     * @throws FenceException when the rollback would cross a conversion
     * @throws UnsupportedOperationException otherwise: the caller then rolls back itself
     */
    @Override
    public void rollback(Instant instant) {
        if (instant instanceof Refusal handedOver) {
            refusal.set(handedOver.exception());
            return;
        }
        new RollbackFence(branch()).check(instant);
        throw new UnsupportedOperationException("Rollbacks are done in the file system.");
    }

    private GuardedBranch branch() {
        return new GuardedBranch(name, new SnapshotManager(fileIO, location, branch, null, null));
    }

    @Override
    public SnapshotLoader copyWithBranch(String other) {
        return new GuardedSnapshotLoader(name, fileIO, location, other);
    }
}
