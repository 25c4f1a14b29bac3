package dev.paimoninplace.guard;

import dev.paimoninplace.fence.StaleWriterException;
import org.apache.paimon.table.FileStoreTable;

/** Words for the refusals of the guarded committer. */
final class Stale {

    private Stale() {}

    static StaleWriterException committer(FileStoreTable table) {
        return StaleWriterException.converted(
                table, "this job opened the table before its conversion to data evolution");
    }

    static StaleWriterException compaction(FileStoreTable table) {
        return StaleWriterException.converted(
                table, "a compaction in this job began before the conversion to data evolution");
    }
}
