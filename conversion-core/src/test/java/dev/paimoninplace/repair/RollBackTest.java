package dev.paimoninplace.repair;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.paimoninplace.conversion.ConversionException;
import dev.paimoninplace.conversion.DataEvolutionConversion;
import dev.paimoninplace.conversion.DataEvolutionRepair;
import dev.paimoninplace.conversion.LostCommit;
import dev.paimoninplace.conversion.RepairOptions;
import dev.paimoninplace.conversion.RepairOptions.RollBack;
import dev.paimoninplace.conversion.RepairReport;
import dev.paimoninplace.conversion.RepairReport.Outcome;
import dev.paimoninplace.testing.FolderListing;
import dev.paimoninplace.testing.RowGroups;
import dev.paimoninplace.testing.TableProof;
import dev.paimoninplace.testing.TestTable;
import dev.paimoninplace.testing.TestTable.Row;
import dev.paimoninplace.verify.DataEvolutionVerification;
import dev.paimoninplace.verify.Level;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.options.ExpireConfig;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.sink.CommitMessage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Damage that only an older snapshot helps against. */
final class RollBackTest {

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

    private DataEvolutionRepair repair(TestTable table) {
        return DataEvolutionRepair.of(catalog, table.identifier());
    }

    private DataEvolutionRepair rollBack(TestTable table) {
        return repair(table).withOptions(RepairOptions.DEFAULTS.withRollBack(RollBack.ALLOWED));
    }

    private TestTable plain(String... options) {
        TestTable table = TestTable.partitioned(catalog, "t", options);
        table.append(0, 1000, i -> "p" + i % 2);
        table.append(1000, 2000, i -> "p" + i % 2);
        return table;
    }

    private void convert(TestTable table) {
        DataEvolutionConversion.of(catalog, table.identifier()).run();
    }

    /** The dry run says the same as the run; after it nothing is wrong, also when all expires. */
    private RepairReport assertRolledBack(
            TestTable table, Map<Integer, Row> rows, Map<Integer, Long> rowIds) throws Exception {
        Map<String, String> before = FolderListing.of(warehouse);
        RepairReport predicted = rollBack(table).predict();
        assertEquals(before, FolderListing.of(warehouse));

        RepairReport done =
                repair(table)
                        .withOptions(
                                RepairOptions.DEFAULTS
                                        .withRollBack(RollBack.ALLOWED)
                                        .withLevel(RepairOptions.Level.ROWS))
                        .run();

        assertTrue(done.checks().stream().anyMatch(check -> check.name().equals("ROWS")));
        assertEquals(Outcome.REPAIRED, done.outcome());
        assertEquals(predicted.losses(), done.losses());
        assertEquals(
                predicted.resultLine().replaceFirst(".* would do: ", ""),
                done.resultLine().replaceFirst("Repaired\\. Table '.*?': ", ""));
        assertClean(table, rows, rowIds);
        expireAllButTheNewest(table);
        assertClean(table, rows, rowIds);
        assertEquals(Outcome.SKIPPED, repair(table).run().outcome());
        TableProof.assertOrphanCleaningIsSafeAndComplete(table);
        TableProof.assertUpdatesAreVisible(table);
        return done;
    }

    private void assertClean(TestTable table, Map<Integer, Row> rows, Map<Integer, Long> rowIds) {
        assertEquals(rows, table.rows());
        Map<Integer, Long> ids = table.rowIds();
        rowIds.forEach((id, rowId) -> assertEquals(rowId, ids.get(id), "row id of " + id));
        assertEquals(
                List.of(),
                DataEvolutionVerification.of(catalog, table.identifier())
                        .atLevel(Level.ROWS)
                        .run()
                        .findings());
    }

    private static void expireAllButTheNewest(TestTable table) {
        table.load()
                .newExpireSnapshots()
                .config(ExpireConfig.builder().snapshotRetainMax(1).snapshotRetainMin(1).build())
                .expire();
        assertEquals(1, TableProof.snapshots(table.load()).size());
    }

    /** A compaction that was planned before the conversion is committed after an update. */
    private TestTable staleCompactionUnderAnUpdate() {
        TestTable table = plain();
        FileStoreTable stale = table.load().copy(Map.of("compaction.min.file-num", "2"));
        List<CommitMessage> compaction = TestTable.prepareCompact(stale);
        convert(table);
        table.updateV(id -> -id);
        goodRows = table.rows();
        goodRowIds = table.rowIds();
        TestTable.commit(stale, compaction);
        return table;
    }

    private Map<Integer, Row> goodRows = Map.of();
    private Map<Integer, Long> goodRowIds = Map.of();

    @Test
    void aStaleCompactionUnderAnUpdateLosesNothing() throws Exception {
        TestTable table = staleCompactionUnderAnUpdate();

        RepairReport done = assertRolledBack(table, goodRows, goodRowIds);

        assertEquals(List.of(), done.losses());
        assertEquals(4, done.filesCopied());
        assertEquals(5L, done.rolledBackTo());
    }

    @Test
    void laterAppendsStayAlsoThoseThatAreStraysAndThoseThatWereRemoved() throws Exception {
        TestTable table = plain();
        FileStoreTable stale = table.load().copy(Map.of("compaction.min.file-num", "2"));
        List<CommitMessage> compaction = TestTable.prepareCompact(stale);
        convert(table);
        table.updateV(id -> -id);
        Map<Integer, Row> rows = new TreeMap<>(table.rows());
        Map<Integer, Long> rowIds = table.rowIds();
        TestTable.commit(stale, compaction);
        table.append(2000, 2500, i -> "p0");
        TestTable.append(stale, 2500, 3000, i -> "p1");
        for (int i = 2000; i < 3000; i++) {
            rows.put(i, new Row(i, "n" + i, 10L * i, i < 2500 ? "p0" : "p1"));
        }
        table.overwrite("p0", 5000, 5600);

        RepairReport done = assertRolledBack(table, rows, rowIds);

        assertEquals(500, done.rows());
        assertEquals(1, done.losses().size());
        LostCommit loss = done.losses().get(0);
        assertEquals("OVERWRITE", loss.kind());
        assertEquals(600, loss.addedRows());
        assertTrue(loss.removedRows() > 500, loss.text());
    }

    @Test
    void aStaleOverwriteUnderAnUpdateIsLostAndSaidBefore() throws Exception {
        TestTable table = plain();
        FileStoreTable stale = table.load();
        List<CommitMessage> written = TestTable.prepareAppend(stale, 7000, 7100, i -> "p1");
        convert(table);
        table.updateV(id -> -id);
        Map<Integer, Row> rows = table.rows();
        Map<Integer, Long> rowIds = table.rowIds();
        removeFullRowFiles(stale, table);
        TestTable.commit(stale, written);
        rows = new TreeMap<>(rows);
        for (int i = 7000; i < 7100; i++) {
            rows.put(i, new Row(i, "n" + i, 10L * i, "p1"));
        }

        ConversionException refusal =
                assertThrows(ConversionException.class, () -> repair(table).run());
        String message = String.valueOf(refusal.getMessage());
        assertTrue(message.contains("this loses snapshot "), message);
        assertTrue(message.contains("--roll_back"), message);

        RepairReport done = assertRolledBack(table, rows, rowIds);

        assertEquals(1, done.losses().size());
        assertEquals(1000, done.losses().get(0).removedRows());
    }

    /** As an overwrite of a partition that knows nothing of the updates in it. */
    private static void removeFullRowFiles(FileStoreTable stale, TestTable table) {
        Damaging.remove(
                stale,
                table.files().stream()
                        .filter(e -> e.file().writeCols() == null)
                        .filter(e -> e.partition().getString(0).toString().equals("p1"))
                        .toList());
    }

    @Test
    void deletionVectorsFollowTheCopies() throws Exception {
        TestTable table = plain("deletion-vectors.enabled", "true");
        FileStoreTable stale = table.load();
        convert(table);
        table.delete(id -> id % 10 == 0);
        table.updateV(id -> -id);
        Map<Integer, Row> rows = table.rows();
        assertEquals(1800, rows.size());
        Map<Integer, Long> rowIds = table.rowIds();
        removeFullRowFiles(stale, table);

        RepairReport done = assertRolledBack(table, rows, rowIds);

        assertEquals(2, done.filesCopied());
    }

    @Test
    void withoutASnapshotToGoBackToItIsRefused() {
        TestTable table = staleCompactionUnderAnUpdate();
        expireAllButTheNewest(table);
        Map<String, String> before = FolderListing.of(warehouse);

        for (DataEvolutionRepair one : List.of(repair(table), rollBack(table))) {
            ConversionException refusal = assertThrows(ConversionException.class, () -> one.run());
            String message = String.valueOf(refusal.getMessage());
            assertTrue(message.contains("no retained snapshot"), message);
        }
        assertEquals(
                "ROLL_BACK_IMPOSSIBLE",
                assertThrows(ConversionException.class, () -> rollBack(table).run()).code());
        assertEquals(before, FolderListing.of(warehouse));
    }

    @Test
    void anAllowedRollBackIsNotDoneWhereMendingIsEnough() {
        TestTable table = plain();
        FileStoreTable stale = table.load();
        convert(table);
        TestTable.append(stale, 2000, 2500, i -> "p0");

        RepairReport done = rollBack(table).run();

        assertEquals(null, done.rolledBackTo());
        assertEquals(500, done.rows());
    }

    @Test
    void aDeleteThatCameLaterIsAmongTheLosses() throws Exception {
        TestTable table = plain("deletion-vectors.enabled", "true");
        FileStoreTable stale = table.load();
        convert(table);
        table.updateV(id -> -id);
        Map<Integer, Row> rows = table.rows();
        Map<Integer, Long> rowIds = table.rowIds();
        removeFullRowFiles(stale, table);
        RowGroups.of(table).where(ids -> ids.contains(2)).delete(id -> id < 100);

        RepairReport done = assertRolledBack(table, rows, rowIds);

        assertEquals(
                List.of(1000L, 50L), done.losses().stream().map(LostCommit::removedRows).toList());
    }
}
