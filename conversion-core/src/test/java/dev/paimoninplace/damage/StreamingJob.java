package dev.paimoninplace.damage;

import java.util.List;
import org.apache.paimon.data.BinaryString;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.sink.CommitMessage;
import org.apache.paimon.table.sink.StreamTableCommit;
import org.apache.paimon.table.sink.StreamTableWrite;
import org.apache.paimon.table.sink.StreamWriteBuilder;

/**
 * A streaming job with one writer that keeps running: the row counters of the files that it writes
 * go on from file to file.
 */
final class StreamingJob implements AutoCloseable {

    private final DamagedTable table;
    private final FileStoreTable opened;
    private final StreamTableWrite write;
    private long checkpoint;

    StreamingJob(DamagedTable table, FileStoreTable opened) {
        this.table = table;
        this.opened = opened;
        this.write = builder(opened).newWrite();
    }

    private static StreamWriteBuilder builder(FileStoreTable table) {
        return table.newStreamWriteBuilder().withCommitUser("streaming-job");
    }

    /** Writes rows {@code [from, to)} up to a checkpoint. */
    Pending pending(int from, int to) {
        long id = ++checkpoint;
        try {
            for (int i = from; i < to; i++) {
                write.write(
                        GenericRow.of(
                                i,
                                BinaryString.fromString("n" + i),
                                10L * i,
                                BinaryString.fromString("p" + i % 2)));
            }
            List<CommitMessage> messages = write.prepareCommit(true, id);
            return new Pending(
                    table,
                    opened,
                    other -> commit(other, id, messages),
                    rows -> DamagedTable.add(rows, from, to));
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static void commit(FileStoreTable table, long id, List<CommitMessage> messages) {
        try (StreamTableCommit commit = builder(table).newCommit()) {
            commit.commit(id, messages);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        try {
            write.close();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
