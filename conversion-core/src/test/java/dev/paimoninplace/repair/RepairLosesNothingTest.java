package dev.paimoninplace.repair;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.paimoninplace.conversion.ConversionException;
import dev.paimoninplace.conversion.DataEvolutionConversion;
import dev.paimoninplace.conversion.DataEvolutionRepair;
import dev.paimoninplace.conversion.ErrorKind;
import dev.paimoninplace.conversion.LostCommit;
import dev.paimoninplace.conversion.RepairOptions;
import dev.paimoninplace.conversion.RepairOptions.Renumber;
import dev.paimoninplace.conversion.RepairOptions.RollBack;
import dev.paimoninplace.conversion.RepairReport;
import dev.paimoninplace.testing.FolderListing;
import dev.paimoninplace.testing.InterceptedFileIO;
import dev.paimoninplace.testing.InterceptedFileIO.Interceptor;
import dev.paimoninplace.testing.InterceptedFileIO.Operation;
import dev.paimoninplace.testing.TestTable;
import dev.paimoninplace.testing.TestTable.Row;
import dev.paimoninplace.verify.DataEvolutionVerification;
import dev.paimoninplace.verify.FindingCode;
import dev.paimoninplace.verify.Level;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntPredicate;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.data.BinaryString;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.io.CompactIncrement;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.io.DataIncrement;
import org.apache.paimon.manifest.ManifestEntry;
import org.apache.paimon.operation.BaseAppendFileStoreWrite;
import org.apache.paimon.options.ExpireConfig;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.sink.CommitMessage;
import org.apache.paimon.table.sink.CommitMessageImpl;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Repairs beside other commits, and of damage that looks harmless. */
final class RepairLosesNothingTest {

    private static final RepairOptions ROLL_BACK =
            RepairOptions.DEFAULTS.withRollBack(RollBack.ALLOWED);
    private static final RepairOptions RENUMBER =
            RepairOptions.DEFAULTS.withRenumber(Renumber.ALLOWED);

    @TempDir Path warehouse;
    private Catalog catalog;

    @BeforeEach
    void open() {
        catalog = TestTable.catalog(warehouse);
    }

    @AfterEach
    void close() throws Exception {
        catalog.close();
    }

    @Test
    void aRollBackTakesAnUpdateOfAllColumnsForAnUpdate() throws Exception {
        TestTable table = table();
        FileStoreTable stale = table.load();
        convert(table);
        table.updateV(id -> -id);
        Map<Integer, Row> rows = table.rows();
        Damaging.remove(
                stale,
                table.files().stream()
                        .filter(file -> file.file().writeCols() == null && isIn("p1", file))
                        .toList());
        table.overwrite("p0", 9_000, 9_300);
        updateAllColumns(table, "p0");

        RepairReport done = repair(catalog, table, ROLL_BACK).run();

        assertEquals(rows, table.rows());
        long latest = done.losses().stream().mapToLong(LostCommit::snapshotId).max().orElseThrow();
        assertEquals(
                3, done.losses().stream().filter(loss -> loss.snapshotId() > latest - 3).count());
        assertTrue(findings(table, Level.ROWS).isEmpty());
    }

    @Test
    void aRollBackStopsWhenAnotherRunHasMendedTheTable() throws Exception {
        TestTable table = compactedByAStaleJob();
        Runnable otherRun =
                () -> {
                    repair(catalog, table, ROLL_BACK).run();
                    table.overwrite("p4", 8_000, 8_100);
                };
        try (Catalog watched = watched(once(Operation.RENAME, 1, otherRun))) {
            repair(watched, table, ROLL_BACK).run();
        }

        assertEquals(2_000 + 100, table.rows().size());
        assertTrue(findings(table, Level.ROWS).isEmpty());
    }

    @Test
    void aRollBackStopsBeforeItDropsACommitThatCameInBetween() throws Exception {
        TestTable table = compactedByAStaleJob();
        List<Map<String, String>> after = new ArrayList<>();
        Runnable overwrite =
                () -> {
                    table.overwrite("p4", 8_000, 8_100);
                    after.add(data());
                };
        try (Catalog watched = watched(once(Operation.RENAME, 1, overwrite))) {
            ConversionException stopped =
                    assertThrows(
                            ConversionException.class,
                            () -> repair(watched, table, ROLL_BACK).run());

            assertEquals(ErrorKind.CONFLICT, stopped.kind());
            String message = String.valueOf(stopped.getMessage());
            String fact = "snapshot " + table.load().latestSnapshot().orElseThrow().id();
            assertTrue(message.contains(fact + " came in between"), message);
        }
        Map<String, String> left = data();
        left.keySet().removeAll(after.get(0).keySet());
        assertEquals(Map.of(), left, "copies were left behind");
    }

    @Test
    void anExpiredCompactionOfUpdatesIsNotTakenForWholeRows() {
        TestTable table = table();
        FileStoreTable stale = eager(table);
        convert(table);
        table.updateV(id -> -id);
        TestTable.commit(stale, TestTable.prepareCompact(stale));
        table.append(5_000, 5_100, i -> "p0");
        expireAllButTheNewest(table);
        Map<String, String> before = FolderListing.of(warehouse);

        ConversionException refused =
                assertThrows(
                        ConversionException.class,
                        () -> repair(catalog, table, RepairOptions.DEFAULTS).run());

        assertEquals("UPDATES_AS_ROWS", refused.code());
        assertTrue(String.valueOf(refused.getMessage()).contains("expired"), refused.getMessage());
        assertTrue(findings(table, Level.METADATA).contains(FindingCode.UPDATES_AS_ROWS));
        assertEquals(before, FolderListing.of(warehouse));
    }

    @Test
    void renumberedRowsGetIdsAboveAllThatWereGivenOut() {
        TestTable table = withIdsInside();
        long before = table.load().latestSnapshot().orElseThrow().nextRowId();
        long givenOut = before + 7_700;
        ManifestListEdit.nextRowId(table.load(), givenOut);
        ManifestListEdit.nextRowId(table.load(), before);

        repair(catalog, table, RENUMBER).run();

        long lowest = table.rowIds().values().stream().mapToLong(id -> id).min().orElseThrow();
        assertTrue(lowest >= givenOut, "row id " + lowest + " was given out before " + givenOut);
    }

    @Test
    void rowsDeletedWhileTheyAreRenumberedStayDeleted() throws Exception {
        AtomicInteger looks = new AtomicInteger();
        TestTable counted = compactedInside(deletable("counted"));
        try (Catalog watched = watched(openingsBeforeTheCommit(looks))) {
            repair(watched, counted, RENUMBER).run();
        }
        int last = looks.get();
        for (int look = Math.max(1, last - 15); look <= last; look++) {
            TestTable table = deletable("t" + look);
            FileStoreTable job = table.load();
            compactedInside(table);
            IntPredicate deleted = id -> id % 5 == 0;
            AtomicInteger deletions = new AtomicInteger();
            Runnable delete =
                    () -> {
                        deletions.incrementAndGet();
                        TestTable.commit(job, TestTable.prepareDelete(job, deleted));
                    };
            try (Catalog watched = watched(afterOpening(look, delete))) {
                repair(watched, table, RENUMBER).run();
            } catch (ConversionException refused) {
                assertEquals(ErrorKind.REFUSED, refused.kind(), refused.getMessage());
                continue;
            }
            int rows = deletions.get() == 0 ? 2_300 : 2_300 - 2_300 / 5;
            assertEquals(rows, table.rows().size(), "deleted at look " + look + " of " + last);
        }
    }

    @Test
    void verifyingRowsNamesFilesWithIdsInside() {
        TestTable table = withIdsInside();

        assertTrue(findings(table, Level.ROWS).contains(FindingCode.IDS_INSIDE_FILE));
    }

    private static DataEvolutionRepair repair(
            Catalog catalog, TestTable table, RepairOptions options) {
        return DataEvolutionRepair.of(catalog, table.identifier()).withOptions(options);
    }

    private void convert(TestTable table) {
        DataEvolutionConversion.of(catalog, table.identifier()).run();
    }

    private Set<FindingCode> findings(TestTable table, Level level) {
        return DataEvolutionVerification.of(catalog, table.identifier())
                .atLevel(level)
                .run()
                .counts()
                .keySet();
    }

    private TestTable table() {
        TestTable table = TestTable.partitioned(catalog, "t");
        table.append(0, 1_000, i -> "p" + i % 2);
        table.append(1_000, 2_000, i -> "p" + i % 2);
        return table;
    }

    private static FileStoreTable eager(TestTable table) {
        return table.load().copy(Map.of("compaction.min.file-num", "2"));
    }

    /** Updates without the rows that they update: only an older snapshot helps. */
    private TestTable compactedByAStaleJob() {
        TestTable table = table();
        FileStoreTable stale = eager(table);
        List<CommitMessage> compaction = TestTable.prepareCompact(stale);
        convert(table);
        table.updateV(id -> -id);
        TestTable.commit(stale, compaction);
        return table;
    }

    private TestTable withIdsInside() {
        TestTable table = TestTable.unpartitioned(catalog, "t");
        table.append(0, 2_000);
        return compactedInside(table);
    }

    private TestTable deletable(String name) {
        TestTable table =
                TestTable.unpartitioned(catalog, name, "deletion-vectors.enabled", "true");
        table.append(0, 2_000);
        return table;
    }

    /** The smaller file comes first in the compaction, so the ids are in no ascending run. */
    private TestTable compactedInside(TestTable table) {
        convert(table);
        table.append(2_000, 2_300);
        FileStoreTable eager = eager(table);
        TestTable.commit(eager, TestTable.prepareCompact(eager));
        return table;
    }

    private static void expireAllButTheNewest(TestTable table) {
        table.load()
                .newExpireSnapshots()
                .config(ExpireConfig.builder().snapshotRetainMax(1).snapshotRetainMin(1).build())
                .expire();
    }

    private Map<String, String> data() {
        Map<String, String> files = FolderListing.of(warehouse);
        files.keySet().removeIf(name -> !name.contains("/data-"));
        return files;
    }

    private Catalog watched(Interceptor interceptor) {
        return InterceptedFileIO.catalog(warehouse, interceptor);
    }

    private static boolean isSnapshot(org.apache.paimon.fs.Path path) {
        return path.getName().startsWith("snapshot-");
    }

    /** Acts after a snapshot was opened for the n-th time, counted from 1. */
    private static Interceptor afterOpening(int at, Runnable action) {
        AtomicInteger count = new AtomicInteger();
        return new Interceptor() {
            @Override
            public void after(Operation operation, org.apache.paimon.fs.Path path) {
                if (operation == Operation.OPEN
                        && isSnapshot(path)
                        && count.incrementAndGet() == at) {
                    action.run();
                }
            }
        };
    }

    /** Counts how often a snapshot is opened before the first one is written. */
    private static Interceptor openingsBeforeTheCommit(AtomicInteger count) {
        AtomicBoolean committed = new AtomicBoolean();
        return new Interceptor() {
            @Override
            public void before(Operation operation, org.apache.paimon.fs.Path path) {
                if (operation == Operation.RENAME && isSnapshot(path)) {
                    committed.set(true);
                }
                if (operation == Operation.OPEN && isSnapshot(path) && !committed.get()) {
                    count.incrementAndGet();
                }
            }
        };
    }

    /** Acts before one operation on a snapshot, counted from 1. */
    private static Interceptor once(Operation kind, int at, Runnable action) {
        AtomicInteger count = new AtomicInteger();
        return new Interceptor() {
            @Override
            public void before(Operation operation, org.apache.paimon.fs.Path path) {
                if (operation == kind && isSnapshot(path) && count.incrementAndGet() == at) {
                    action.run();
                }
            }
        };
    }

    private static boolean isIn(String partition, ManifestEntry entry) {
        return entry.partition().getString(0).toString().equals(partition);
    }

    /** What a merge into every column writes: files over known rows, with no list of columns. */
    private static void updateAllColumns(TestTable table, String partition) throws Exception {
        FileStoreTable loaded = table.load();
        List<CommitMessage> messages = new ArrayList<>();
        for (ManifestEntry entry : table.files()) {
            if (entry.file().writeCols() != null || !isIn(partition, entry)) {
                continue;
            }
            BaseAppendFileStoreWrite write =
                    (BaseAppendFileStoreWrite) loaded.store().newWrite("an-update");
            write.withWriteType(loaded.rowType());
            for (int id : table.idsIn(entry)) {
                write.write(entry.partition(), entry.bucket(), updated(id, partition));
            }
            for (CommitMessage message : write.prepareCommit(true, 0)) {
                messages.add(over(entry, (CommitMessageImpl) message));
            }
            write.close();
        }
        TestTable.commit(loaded, messages);
    }

    private static GenericRow updated(int id, String partition) {
        return GenericRow.of(
                id,
                BinaryString.fromString("u" + id),
                -100L * id,
                BinaryString.fromString(partition));
    }

    private static CommitMessage over(ManifestEntry rows, CommitMessageImpl written) {
        List<DataFileMeta> files =
                written.newFilesIncrement().newFiles().stream()
                        .map(file -> file.assignFirstRowId(rows.file().nonNullFirstRowId()))
                        .toList();
        return new CommitMessageImpl(
                rows.partition(),
                rows.bucket(),
                written.totalBuckets(),
                new DataIncrement(files, List.of(), List.of()),
                CompactIncrement.emptyIncrement());
    }
}
