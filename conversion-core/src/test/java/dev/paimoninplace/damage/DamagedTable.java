package dev.paimoninplace.damage;

import dev.paimoninplace.conversion.DataEvolutionConversion;
import dev.paimoninplace.testing.InterceptedFileIO;
import dev.paimoninplace.testing.InterceptedFileIO.Interceptor;
import dev.paimoninplace.testing.Moment;
import dev.paimoninplace.testing.RowGroups;
import dev.paimoninplace.testing.TestTable;
import dev.paimoninplace.testing.TestTable.Row;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.apache.paimon.Snapshot;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.io.CompactIncrement;
import org.apache.paimon.io.DataIncrement;
import org.apache.paimon.manifest.ManifestEntry;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.sink.BatchTableCommit;
import org.apache.paimon.table.sink.CommitMessage;
import org.apache.paimon.table.sink.CommitMessageImpl;

/**
 * A table that is being damaged, and the rows that it should have, computed from what was committed
 * and never from the table. Rows {@code i} begin as {@code (i, "n" + i, 10 * i, "p" + i % 2)}.
 */
final class DamagedTable {

    private final Path warehouse;
    private final Catalog catalog;
    private final Map<Long, Map<Integer, Row>> rowsOfSnapshots = new HashMap<>();
    private TestTable table;
    private Map<Integer, Row> rows = new TreeMap<>();
    private int factor = 1;

    private DamagedTable(Path warehouse, Catalog catalog, TestTable table) {
        this.warehouse = warehouse;
        this.catalog = catalog;
        this.table = table;
    }

    /**
     * Two files in each of two partitions, a hundred rows in the older ones and more in the newer,
     * ids 0 to 499. A plain compaction takes the smaller files first.
     */
    static DamagedTable create(Path warehouse, Catalog catalog, String... options) {
        DamagedTable created = empty(warehouse, catalog, options);
        created.append(0, 200);
        created.append(200, 500);
        return created;
    }

    static DamagedTable empty(Path warehouse, Catalog catalog, String... options) {
        return new DamagedTable(warehouse, catalog, TestTable.partitioned(catalog, "t", options));
    }

    static DamagedTable existing(
            Path warehouse, Catalog catalog, Identifier identifier, Map<Integer, Row> rows) {
        DamagedTable found =
                new DamagedTable(warehouse, catalog, TestTable.existing(catalog, identifier));
        found.expect(expected -> expected.putAll(rows));
        return found;
    }

    TestTable table() {
        return table;
    }

    Path warehouse() {
        return warehouse;
    }

    /** The rows that are expected, by id. */
    Map<Integer, Row> rows() {
        return rows;
    }

    TableFiles files() {
        return new TableFiles(warehouse, table);
    }

    /** Goes on with a branch, which has the same rows so far. */
    void switchTo(String branch) {
        table = table.branch(branch);
    }

    /** The table as a job opens it now; it stays so, whatever happens to the table. */
    FileStoreTable open() {
        return table.load();
    }

    /** Id of the newest snapshot; 0 when there is none. */
    long snapshotId() {
        Snapshot latest = table.latest();
        return latest == null ? 0 : latest.id();
    }

    /** Notes what a commit, which landed, does to the rows. */
    void expect(Consumer<Map<Integer, Row>> effect) {
        effect.accept(rows);
        expectAt(snapshotId());
    }

    /** Notes that a snapshot holds the rows that are expected now. */
    void expectAt(long snapshotId) {
        rowsOfSnapshots.put(snapshotId, new TreeMap<>(rows));
    }

    // ---- the conversion ----

    void convert() {
        DataEvolutionConversion.of(catalog, table.identifier()).run();
        expect(all -> {});
    }

    void convertWhile(Moment moment, int time, Runnable something) {
        convert(
                moment.before(
                        now -> {
                            if (now == time) {
                                something.run();
                            }
                        }));
    }

    /** A conversion that dies at a moment and all whose later operations fail. */
    void convertAndDie(Moment moment, int time) {
        try {
            convert(
                    moment.before(
                            now -> {
                                if (now >= time) {
                                    throw new IOException("killed");
                                }
                            }));
        } catch (RuntimeException expected) {
            expect(all -> {});
            return;
        }
        throw new AssertionError("The conversion was not killed.");
    }

    private void convert(Interceptor interceptor) {
        Catalog watched = InterceptedFileIO.catalog(warehouse, interceptor);
        DataEvolutionConversion.of(watched, table.identifier()).run();
        expect(all -> {});
    }

    // ---- what happens to a table in ordinary life ----

    void append(int from, int to) {
        pendingAppend(open(), from, to).commit();
    }

    /** Updates column v of every row, in files with that column alone. */
    void update() {
        long by = ++factor;
        RowGroups.of(table).update("v", id -> String.valueOf(-by * id));
        expect(all -> all.replaceAll((id, r) -> new Row(id, r.name(), -by * id, r.pt())));
    }

    /** Deletes every n-th row by deletion vectors; needs the option. */
    void delete(int n) {
        if (open().coreOptions().dataEvolutionEnabled()) {
            RowGroups.of(table).delete(id -> id % n == 1);
        } else {
            table.delete(id -> id % n == 1);
        }
        expect(all -> all.keySet().removeIf(id -> id % n == 1));
    }

    void deleteThrough(FileStoreTable job, int n) {
        TestTable.commit(job, TestTable.prepareDelete(job, id -> id % n == 1));
        expect(all -> all.keySet().removeIf(id -> id % n == 1));
    }

    void compact() {
        table.compact();
        expect(all -> {});
    }

    void overwrite(String partition, int from, int to) {
        pendingOverwrite(open(), partition, from, to).commit();
    }

    void dropPartition(FileStoreTable job, String partition) {
        try (BatchTableCommit commit = job.newBatchWriteBuilder().newCommit()) {
            commit.truncatePartitions(List.of(Map.of("pt", partition)));
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
        expect(all -> all.values().removeIf(row -> partition.equals(row.pt())));
    }

    void rollBackTo(long snapshotId) {
        open().rollbackTo(snapshotId);
        wentBackTo(snapshotId);
    }

    /**
     * @param snapshotId snapshot of the tag
     */
    void rollBackTo(String tag, long snapshotId) {
        open().rollbackTo(tag);
        wentBackTo(snapshotId);
    }

    /**
     * @param snapshotId newest snapshot of the branch
     */
    void fastForward(String branch, long snapshotId) {
        open().fastForward(branch);
        wentBackTo(snapshotId);
    }

    /** Expects the rows of a snapshot, which somehow became the newest one. */
    void wentBackTo(long snapshotId) {
        Map<Integer, Row> then = rowsOfSnapshots.get(snapshotId);
        if (then == null) {
            throw new IllegalArgumentException("Nothing is known of snapshot " + snapshotId);
        }
        rows = new TreeMap<>(then);
    }

    // ---- jobs ----

    /** A job writes rows {@code [from, to)}. */
    Pending pendingAppend(FileStoreTable job, int from, int to) {
        List<CommitMessage> messages = TestTable.prepareAppend(job, from, to, i -> "p" + i % 2);
        return new Pending(
                this, job, other -> TestTable.commit(other, messages), all -> add(all, from, to));
    }

    /** A job compacts each partition into one file, as plain append tables are compacted. */
    Pending pendingCompaction(FileStoreTable job) {
        FileStoreTable eager = job.copy(Map.of("compaction.min.file-num", "2"));
        List<CommitMessage> messages = TestTable.prepareCompact(eager);
        return new Pending(this, job, other -> TestTable.commit(other, messages), all -> {});
    }

    /** A job replaces a partition by rows {@code [from, to)}. */
    Pending pendingOverwrite(FileStoreTable job, String partition, int from, int to) {
        List<CommitMessage> messages = TestTable.prepareAppend(job, from, to, i -> partition);
        return new Pending(
                this,
                job,
                other -> overwrite(other, partition, messages),
                all -> replace(all, partition, from, to));
    }

    /**
     * A job rewrites all rows of a partition as rows {@code [from, to)}, as an UPDATE of a plain
     * table does: the commit names the files that it takes away.
     */
    Pending pendingRewrite(FileStoreTable job, String partition, int from, int to) {
        List<CommitMessage> messages =
                new ArrayList<>(TestTable.prepareAppend(job, from, to, i -> partition));
        for (ManifestEntry entry : table.files()) {
            if (partition.equals(entry.partition().getString(0).toString())) {
                DataIncrement taken =
                        new DataIncrement(List.of(), List.of(entry.file()), List.of());
                messages.add(
                        new CommitMessageImpl(
                                entry.partition(),
                                entry.bucket(),
                                entry.totalBuckets(),
                                taken,
                                CompactIncrement.emptyIncrement()));
            }
        }
        return new Pending(
                this,
                job,
                other -> TestTable.commit(other, messages),
                all -> replace(all, partition, from, to));
    }

    private static void overwrite(
            FileStoreTable table, String partition, List<CommitMessage> messages) {
        try (BatchTableCommit commit =
                table.newBatchWriteBuilder().withOverwrite(Map.of("pt", partition)).newCommit()) {
            commit.commit(messages);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static void replace(Map<Integer, Row> rows, String partition, int from, int to) {
        rows.values().removeIf(row -> partition.equals(row.pt()));
        for (int id = from; id < to; id++) {
            rows.put(id, new Row(id, "n" + id, 10L * id, partition));
        }
    }

    static void add(Map<Integer, Row> rows, int from, int to) {
        for (int id = from; id < to; id++) {
            rows.put(id, new Row(id, "n" + id, 10L * id, "p" + id % 2));
        }
    }
}
