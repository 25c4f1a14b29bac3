package dev.paimoninplace.guard;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.paimon.flink.sink.Committer;
import org.apache.paimon.flink.sink.listener.CommitListener;
import org.apache.paimon.flink.sink.listener.CommitListenerFactory;
import org.apache.paimon.manifest.ManifestCommittable;
import org.apache.paimon.table.FileStoreTable;

/** Fails right after a commit, as if the answer to it was lost. */
public final class LostReply implements CommitListenerFactory {

    static final String IDENTIFIER = "lost-reply";

    private static final AtomicBoolean NEXT = new AtomicBoolean();

    /** Loses the reply to the next commit, once. */
    static void loseNext() {
        NEXT.set(true);
    }

    @Override
    public String identifier() {
        return IDENTIFIER;
    }

    @Override
    public Optional<CommitListener> create(Committer.Context context, FileStoreTable table) {
        return Optional.of(
                new CommitListener() {
                    @Override
                    public void notifyCommittable(List<ManifestCommittable> committables) {
                        if (!committables.isEmpty() && NEXT.getAndSet(false)) {
                            throw new IllegalStateException("The reply is lost.");
                        }
                    }

                    @Override
                    public void snapshotState() {}

                    @Override
                    public void close() {}
                });
    }
}
