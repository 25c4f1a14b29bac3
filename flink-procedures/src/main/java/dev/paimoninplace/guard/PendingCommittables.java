package dev.paimoninplace.guard;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.apache.paimon.flink.sink.Committer;
import org.apache.paimon.flink.sink.RestoreCommittableStateManager;
import org.apache.paimon.manifest.ManifestCommittable;
import org.apache.paimon.manifest.ManifestCommittableSerializer;
import org.jspecify.annotations.Nullable;

/**
 * Commits of a checkpoint that may not have been made. They are made when it is restored, but for
 * that of the end of the input: writers which had not ended yet will add to it, and Paimon takes a
 * commit of its identifier once only.
 */
final class PendingCommittables extends RestoreCommittableStateManager<ManifestCommittable> {

    private static final long serialVersionUID = 1L;

    private static final long END_INPUT = Long.MAX_VALUE;

    private transient @Nullable Consumer<ManifestCommittable> atEndOfInput;

    PendingCommittables(boolean partitionMarkDoneRecoverFromState) {
        super(ManifestCommittableSerializer::new, partitionMarkDoneRecoverFromState);
    }

    /** Says who keeps the restored commit of the end of the input until all writers have ended. */
    void keepEndOfInput(Consumer<ManifestCommittable> keeper) {
        atEndOfInput = keeper;
    }

    @Override
    protected int recover(
            List<ManifestCommittable> restored, Committer<?, ManifestCommittable> committer)
            throws Exception {
        Consumer<ManifestCommittable> keeper = Objects.requireNonNull(atEndOfInput);
        List<ManifestCommittable> made = new ArrayList<>();
        for (ManifestCommittable committable : restored) {
            if (committable.identifier() == END_INPUT) {
                keeper.accept(committable);
            } else {
                made.add(committable);
            }
        }
        return super.recover(made, committer);
    }
}
