package dev.paimoninplace.fence;

import java.util.Optional;
import org.apache.paimon.Snapshot;
import org.apache.paimon.table.Instant;
import org.apache.paimon.utils.TagManager;

/** Refuses to take a table back to a time before its conversion. */
final class RollbackFence {

    static final String CODE = "ROLLBACK_ACROSS_CONVERSION";

    private final GuardedBranch table;

    RollbackFence(GuardedBranch table) {
        this.table = table;
    }

    /**
     * @param instant snapshot or tag to roll back to; one that is not there is left to the caller
     * @throws FenceException when it is from before the conversion
     */
    void check(Instant instant) {
        Optional<Snapshot> target = target(instant);
        if (target.isPresent()) {
            check(target.get().schemaId(), "snapshot " + target.get().id());
        }
    }

    /**
     * @param schemaId named by the snapshot to roll back to
     * @throws FenceException when it is from before the conversion
     */
    void checkSchema(long schemaId) {
        check(schemaId, "what it would go back to, of schema " + schemaId + ",");
    }

    private void check(long schemaId, String target) {
        if (table.tracking(schemaId).compareTo(table.latestTracking()) >= 0) {
            return;
        }
        throw new FenceException(
                CODE,
                table.name(),
                String.format(
                        "Cannot roll back %s: %s is from before the conversion, so its files have"
                                + " no row ids that fit the table. Create a tag and a branch from it"
                                + " to read it. To give up the conversion, stop all writers, roll"
                                + " back in a catalog of type paimon, and run enable_data_evolution"
                                + " at once.",
                        table.name(), target));
    }

    private Optional<Snapshot> target(Instant instant) {
        TagManager tags = table.tags();
        if (instant instanceof Instant.TagInstant tag) {
            return tags.get(tag.getTagName()).map(t -> t.trimToSnapshot());
        }
        if (instant instanceof Instant.SnapshotInstant snapshot) {
            long id = snapshot.getSnapshotId();
            // Paimon takes a tag where the snapshot itself has expired.
            return table.snapshot(id)
                    .or(
                            () ->
                                    tags.taggedSnapshots().stream()
                                            .filter(s -> s.id() == id)
                                            .findFirst());
        }
        return Optional.empty();
    }
}
