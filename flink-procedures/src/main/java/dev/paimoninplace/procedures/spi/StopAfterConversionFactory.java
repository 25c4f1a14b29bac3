package dev.paimoninplace.procedures.spi;

import dev.paimoninplace.guard.StopAfterConversion;
import java.util.Optional;
import org.apache.paimon.flink.sink.Committer;
import org.apache.paimon.flink.sink.listener.CommitListener;
import org.apache.paimon.flink.sink.listener.CommitListenerFactory;
import org.apache.paimon.table.FileStoreTable;

/** The table option {@code 'commit.custom-listeners' = 'stop-after-conversion'}. */
public final class StopAfterConversionFactory implements CommitListenerFactory {

    private static final String IDENTIFIER = "stop-after-conversion";

    @Override
    public String identifier() {
        return IDENTIFIER;
    }

    @Override
    public Optional<CommitListener> create(Committer.Context context, FileStoreTable table) {
        try {
            return StopAfterConversion.create(table);
        } catch (LinkageError e) {
            throw Linkage.failure("the commit listener " + IDENTIFIER, e);
        }
    }
}
