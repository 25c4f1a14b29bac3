package dev.paimoninplace.fence;

import dev.paimoninplace.testing.TestTable;
import dev.paimoninplace.testing.TestTable.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.sink.CommitMessage;
import org.apache.paimon.table.sink.TableCommitImpl;

/** One commit of a job, and its restart when it is refused. */
enum WriterJob {
    APPEND {
        @Override
        List<CommitMessage> write(FileStoreTable table, int from) {
            return TestTable.prepareAppend(table, from, from + 20, i -> "p1");
        }

        @Override
        void apply(Map<Integer, Row> rows, int from) {
            add(rows, from);
        }
    },

    /** As the sink of a plain table does it; that of a Data Evolution table does not compact. */
    APPEND_AND_COMPACT {
        @Override
        List<CommitMessage> write(FileStoreTable table, int from) {
            List<CommitMessage> messages = new ArrayList<>(APPEND.write(table, from));
            if (!table.coreOptions().dataEvolutionEnabled()) {
                messages.addAll(
                        TestTable.prepareCompact(
                                table.copy(Map.of("compaction.min.file-num", "2"))));
            }
            return messages;
        }

        @Override
        void apply(Map<Integer, Row> rows, int from) {
            add(rows, from);
        }
    },
    OVERWRITE {
        @Override
        List<CommitMessage> write(FileStoreTable table, int from) {
            return APPEND.write(table, from);
        }

        @Override
        TableCommitImpl commit(FileStoreTable table, String user) {
            return super.commit(table, user).withOverwrite(Map.of("pt", "p1"));
        }

        @Override
        void apply(Map<Integer, Row> rows, int from) {
            rows.values().removeIf(row -> "p1".equals(row.pt()));
            add(rows, from);
        }
    },
    DELETE {
        @Override
        List<CommitMessage> write(FileStoreTable table, int from) {
            return TestTable.prepareDelete(table, id -> id % 7 == 3);
        }

        @Override
        void apply(Map<Integer, Row> rows, int from) {
            rows.keySet().removeIf(id -> id % 7 == 3);
        }
    };

    /**
     * One conversion refuses a job once when it raises the next row id, and once more when the job
     * is back before the schema changes.
     */
    private static final int MAX_REFUSALS = 2;

    /** Writes the files of the commit; new rows have ids from {@code from} on. */
    abstract List<CommitMessage> write(FileStoreTable table, int from);

    /** What the commit does to the rows of the table. */
    abstract void apply(Map<Integer, Row> rows, int from);

    TableCommitImpl commit(FileStoreTable table, String user) {
        return table.newCommit(user);
    }

    /**
     * Commits what was written before; when that is refused, starts anew from a table object of
     * then, unless the commit has landed all the same.
     *
     * @param stale a table object from before
     * @param written what {@link #write} gave with it
     * @return how often it was refused
     */
    int run(FileStoreTable stale, List<CommitMessage> written, Catalog catalog, int from)
            throws Exception {
        FileStoreTable table = stale;
        List<CommitMessage> messages = written;
        for (int refusals = 0; ; refusals++) {
            try {
                commit(table, messages, from);
                return refusals;
            } catch (StaleWriterException e) {
                if (refusals == MAX_REFUSALS) {
                    throw e;
                }
                table = (FileStoreTable) catalog.getTable(Identifier.fromString(stale.fullName()));
                messages = write(table, from);
            }
        }
    }

    private void commit(FileStoreTable table, List<CommitMessage> messages, int from)
            throws Exception {
        try (TableCommitImpl commit = commit(table, "job-" + from)) {
            commit.filterAndCommit(Map.of(1L, messages));
        }
    }

    private static void add(Map<Integer, Row> rows, int from) {
        for (int i = from; i < from + 20; i++) {
            rows.put(i, new Row(i, "n" + i, 10L * i, "p1"));
        }
    }
}
