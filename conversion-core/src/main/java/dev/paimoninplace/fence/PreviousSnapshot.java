package dev.paimoninplace.fence;

import java.util.Optional;
import org.apache.paimon.Snapshot;
import org.jspecify.annotations.Nullable;

/** The snapshot that one about to be written follows; read when it is asked for, once. */
final class PreviousSnapshot {

    private final GuardedBranch table;
    private final long id;
    private @Nullable Optional<Snapshot> found;

    PreviousSnapshot(GuardedBranch table, Snapshot next) {
        this.table = table;
        this.id = next.id() - 1;
    }

    /** Empty where there is none. */
    Optional<Snapshot> get() {
        Optional<Snapshot> known = found;
        if (known == null) {
            known = table.snapshot(id);
            found = known;
        }
        return known;
    }

    /** Rows from this id on are new. */
    long nextRowId() {
        return get().map(GuardedBranch::nextRowId).orElse(0L);
    }

    /** Name of the index manifest; null when there is none. */
    @Nullable String indexManifest() {
        return get().map(Snapshot::indexManifest).orElse(null);
    }
}
