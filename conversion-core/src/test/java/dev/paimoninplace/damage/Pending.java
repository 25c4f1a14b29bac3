package dev.paimoninplace.damage;

import dev.paimoninplace.testing.TestTable.Row;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.paimon.table.FileStoreTable;

/** What a job has written and not committed yet. */
final class Pending {

    /** Commits through some load of the table. */
    interface Commit {

        void through(FileStoreTable table);
    }

    private final DamagedTable table;
    private final FileStoreTable job;
    private final Commit commit;
    private final Consumer<Map<Integer, Row>> effect;

    /**
     * @param job the table as the job opened it
     * @param effect what the commit does to the rows that are expected
     */
    Pending(
            DamagedTable table,
            FileStoreTable job,
            Commit commit,
            Consumer<Map<Integer, Row>> effect) {
        this.table = table;
        this.job = job;
        this.commit = commit;
        this.effect = effect;
    }

    /** Commits as the job would. */
    void commit() {
        commitThrough(job);
    }

    /** Commits through another load, as a job does that was restarted. */
    void commitThrough(FileStoreTable other) {
        commit.through(other);
        table.expect(effect);
    }

    /** Commits as the job would; a roll back is expected to drop what it did. */
    void commitInVain() {
        commit.through(job);
        table.expect(rows -> {});
    }
}
