package dev.paimoninplace.damage;

import dev.paimoninplace.conversion.DataEvolutionConversion;
import dev.paimoninplace.shapes.RandomHistory;
import dev.paimoninplace.testing.TableProof;
import dev.paimoninplace.testing.TestTable;
import dev.paimoninplace.testing.TextRows;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.apache.paimon.Snapshot;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.sink.BatchTableCommit;
import org.apache.paimon.table.sink.CommitMessage;

/**
 * Damages the table of a random history at random, and keeps its model of the rows: by jobs that
 * opened the table before the conversion, roll backs, a branch and plain compactions.
 */
final class RandomDamage {

    private static final int FIRST_ID = 1_000_000;
    private static final String BRANCH = "b";

    private final Random random;
    private final RandomHistory history;
    private final TestTable table;
    private final List<FileStoreTable> jobs = new ArrayList<>();
    private final List<PendingCommit> pending = new ArrayList<>();
    private final Map<Long, ModelRows> rowsOfSnapshots = new HashMap<>();
    private final TreeMap<Long, ModelRows> appends = new TreeMap<>();
    private Optional<Long> branchedFrom = Optional.empty();
    private boolean wentToBranch;
    private int nextId = FIRST_ID;

    /** What a job wrote before, and the rows that it adds. */
    private record PendingCommit(
            FileStoreTable job, List<CommitMessage> messages, ModelRows added) {}

    RandomDamage(Random random, RandomHistory history) {
        this.random = random;
        this.history = history;
        this.table = history.table();
    }

    /** A step of the plain table, during which jobs and a branch may come up. */
    void plainStep() {
        history.plainStep();
        remember();
        switch (random.nextInt(6)) {
            case 0 -> jobs.add(table.load());
            case 1 -> prepareAppend(table.load());
            case 2 -> prepareCompaction(table.load());
            case 3 -> branch();
            default -> {}
        }
    }

    /** The conversion; there is always a job that opened the table before. */
    void convert() {
        jobs.add(table.load());
        prepareAppend(table.load());
        prepareCompaction(table.load());
        done("convert");
        DataEvolutionConversion.of(table.catalog(), table.identifier()).run();
        remember();
    }

    void evolvedStep() {
        history.evolvedStep();
        remember();
    }

    /** One thing that may damage the table. */
    void damage() {
        switch (random.nextInt(wentToBranch ? 6 : 12)) {
            case 0, 1 -> append(job(), "append by a stale job");
            case 2 -> append(table.load(), "append by a new job");
            case 3 -> overwrite();
            case 4 -> dropPartition();
            case 5 -> delete();
            case 6 -> compact(job(), "compaction by a stale job");
            case 7 -> compact(table.load(), "plain compaction by a new job");
            case 8, 9 -> commitPending();
            case 10 -> rollBack();
            default -> fastForward();
        }
    }

    /** Whether the schema is that of a branch from before the conversion. */
    boolean wentToBranch() {
        return wentToBranch;
    }

    /** Expects what a repair leaves that goes back to a snapshot and keeps later appends. */
    void expectRollBackTo(long snapshotId) {
        ModelRows then = rowsOfSnapshots.get(snapshotId);
        if (then == null) {
            throw new IllegalStateException("Nothing is known of snapshot " + snapshotId);
        }
        expect(then);
        appends.tailMap(snapshotId, false).values().forEach(this::add);
    }

    private FileStoreTable job() {
        return jobs.get(random.nextInt(jobs.size()));
    }

    private void done(String what) {
        history.done().add(what);
    }

    private void remember() {
        Snapshot latest = table.latest();
        if (latest != null) {
            rowsOfSnapshots.put(
                    latest.id(), ModelRows.copyOf(table.load().rowType(), history.rows()));
        }
    }

    private void expect(ModelRows rows) {
        history.rows().clear();
        add(rows);
    }

    private void add(ModelRows rows) {
        history.rows().putAll(rows.in(table.load().rowType()));
    }

    /** What stock Paimon refuses has no effect; what it commits has. */
    private void commit(String what, Runnable commit, Runnable effect) {
        long before = snapshotId();
        try {
            commit.run();
        } catch (RuntimeException e) {
            if (snapshotId() != before) {
                throw e;
            }
            done(what + " (refused)");
            return;
        }
        done(what + ", snapshot " + snapshotId());
        effect.run();
        remember();
    }

    private long snapshotId() {
        Snapshot latest = table.latest();
        return latest == null ? 0 : latest.id();
    }

    private ModelRows newRows(FileStoreTable job, String partition) {
        int count = 60 + random.nextInt(60);
        ModelRows rows = ModelRows.random(job.rowType(), random, nextId, count, partition);
        nextId += count;
        return rows;
    }

    private void added(ModelRows rows) {
        add(rows);
        appends.put(snapshotId(), rows);
    }

    private void append(FileStoreTable job, String what) {
        ModelRows rows = newRows(job, "");
        commit(what, () -> TextRows.append(job, rows.list()), () -> added(rows));
    }

    private void overwrite() {
        if (table.load().partitionKeys().isEmpty()) {
            return;
        }
        FileStoreTable job = job();
        String partition = "p" + random.nextInt(4);
        ModelRows rows = newRows(job, partition);
        commit(
                "overwrite of " + partition + " by a stale job",
                () -> TextRows.overwrite(job, Map.of("pt", partition), rows.list()),
                () -> {
                    history.rows().values().removeIf(row -> partition.equals(row.get("pt")));
                    add(rows);
                });
    }

    private void dropPartition() {
        if (table.load().partitionKeys().isEmpty()) {
            return;
        }
        String partition = "p" + random.nextInt(4);
        commit(
                "drop of " + partition + " by a stale job",
                () -> {
                    try (BatchTableCommit commit = job().newBatchWriteBuilder().newCommit()) {
                        commit.truncatePartitions(List.of(Map.of("pt", partition)));
                    } catch (RuntimeException e) {
                        throw e;
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                },
                () -> history.rows().values().removeIf(r -> partition.equals(r.get("pt"))));
    }

    private void delete() {
        boolean onlyWholeRows =
                table.files().stream().allMatch(entry -> entry.file().writeCols() == null);
        FileStoreTable job = job();
        if (!onlyWholeRows || !job.coreOptions().deletionVectorsEnabled()) {
            return;
        }
        int divisor = 2 + random.nextInt(20);
        commit(
                "delete % " + divisor + " by a stale job",
                () -> TestTable.commit(job, TestTable.prepareDelete(job, id -> id % divisor == 1)),
                () -> history.rows().keySet().removeIf(id -> id % divisor == 1));
    }

    private void compact(FileStoreTable job, String what) {
        if (!job.rowType().equals(table.load().rowType())) {
            // It would drop the values of columns that it does not know, on any table.
            return;
        }
        FileStoreTable eager = job.copy(Map.of("compaction.min.file-num", "2"));
        commit(what, () -> TestTable.commit(eager, TestTable.prepareCompact(eager)), () -> {});
    }

    private void prepareAppend(FileStoreTable job) {
        ModelRows rows = newRows(job, "");
        pending.add(new PendingCommit(job, rows.prepare(job), rows));
    }

    private void prepareCompaction(FileStoreTable job) {
        if (snapshotId() > 0) {
            FileStoreTable eager = job.copy(Map.of("compaction.min.file-num", "2"));
            pending.add(
                    new PendingCommit(
                            eager, TestTable.prepareCompact(eager), ModelRows.none(job.rowType())));
        }
    }

    private void commitPending() {
        if (pending.isEmpty()) {
            return;
        }
        PendingCommit one = pending.remove(random.nextInt(pending.size()));
        boolean restarted = random.nextBoolean();
        FileStoreTable through = restarted ? table.load() : one.job;
        commit(
                (one.added.list().isEmpty() ? "compaction" : "append")
                        + " from before, committed by a "
                        + (restarted ? "restarted job" : "stale job"),
                () -> TestTable.commit(through, one.messages),
                () -> {
                    if (!one.added.list().isEmpty()) {
                        added(one.added);
                    }
                });
    }

    private void rollBack() {
        List<Long> ids =
                TableProof.snapshots(table.load()).stream()
                        .map(Snapshot::id)
                        .filter(rowsOfSnapshots::containsKey)
                        .toList();
        if (ids.isEmpty()) {
            return;
        }
        long target = ids.get(random.nextInt(ids.size()));
        done("roll back to snapshot " + target);
        table.load().rollbackTo(target);
        wentBackTo(target);
    }

    private void wentBackTo(long snapshotId) {
        ModelRows then = rowsOfSnapshots.getOrDefault(snapshotId, ModelRows.none());
        rowsOfSnapshots.keySet().removeIf(id -> id > snapshotId);
        appends.tailMap(snapshotId, false).clear();
        expect(then);
    }

    private void branch() {
        if (snapshotId() > 0 && branchedFrom.isEmpty()) {
            done("branch");
            table.load().createTag("for-branch");
            table.load().createBranch(BRANCH, "for-branch");
            branchedFrom = Optional.of(snapshotId());
        }
    }

    private void fastForward() {
        if (branchedFrom.isPresent()) {
            done("fast-forward of a branch of snapshot " + branchedFrom.get());
            table.load().fastForward(BRANCH);
            wentBackTo(branchedFrom.get());
            wentToBranch = true;
        }
    }
}
