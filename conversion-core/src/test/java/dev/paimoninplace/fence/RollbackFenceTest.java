package dev.paimoninplace.fence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.paimoninplace.conversion.DataEvolutionConversion;
import dev.paimoninplace.testing.TableProof;
import dev.paimoninplace.testing.TestTable;
import dev.paimoninplace.testing.TestTable.Row;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.apache.paimon.Snapshot;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.options.ExpireConfig;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.sink.TableCommitImpl;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ways to take a table back, in the guarded catalog. */
final class RollbackFenceTest {

    private static final Identifier TABLE = Identifier.create("db", "t");

    @TempDir Path warehouse;
    private Catalog catalog;
    private Catalog guarded;
    private TestTable table;
    private TestTable guardedTable;

    @BeforeEach
    void open() {
        catalog = TestTable.catalog(warehouse);
        guarded = TestTable.guardedCatalog(warehouse);
        table = TestTable.unpartitioned(catalog, "t");
        table.append(0, 40);
        table.load().createTag("old");
        table.append(40, 80);
        guardedTable = TestTable.existing(guarded, TABLE);
    }

    @AfterEach
    void close() throws Exception {
        guarded.close();
        catalog.close();
    }

    private long convert() {
        return DataEvolutionConversion.of(catalog, TABLE).run().snapshotAfter();
    }

    private void assertRefused(Runnable rollback, long target) {
        Snapshot before = Objects.requireNonNull(table.latest());
        Map<Integer, Row> rows = table.rows();

        RuntimeException thrown = assertThrows(RuntimeException.class, rollback::run);

        Throwable root = thrown;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        FenceException refused = (FenceException) root;
        assertEquals("ROLLBACK_ACROSS_CONVERSION", refused.code());
        String message = String.valueOf(refused.getMessage());
        assertTrue(message.startsWith("Cannot roll back db.t: "), message);
        assertTrue(target == 0 || message.contains("snapshot " + target + " is from"), message);
        assertEquals(before, table.latest());
        TableProof.assertConverted(table, rows);
    }

    @Test
    void toASnapshotOrATagOfBeforeIsRefusedAlsoThroughATableObjectOfBefore() {
        FileStoreTable stale = guardedTable.load();
        convert();
        FileStoreTable fresh = guardedTable.load();

        for (FileStoreTable handle : new FileStoreTable[] {stale, fresh}) {
            assertRefused(() -> handle.rollbackTo(1), 1);
            assertRefused(() -> handle.rollbackTo(2), 2);
            assertRefused(() -> handle.rollbackTo("old"), 1);
        }
    }

    @Test
    void toASnapshotThatOnlyATagHoldsIsRefused() {
        table.append(80, 120);
        convert();
        table.load()
                .newExpireSnapshots()
                .config(
                        ExpireConfig.builder()
                                .snapshotRetainMin(1)
                                .snapshotRetainMax(1)
                                .snapshotTimeRetain(Duration.ZERO)
                                .build())
                .expire();

        assertRefused(() -> guardedTable.load().rollbackTo(1), 1);
    }

    @Test
    void toAnOldTagAsTheLatestSnapshotIsRefusedAlsoThroughATableObjectOfBefore() throws Exception {
        FileStoreTable stale = guardedTable.load();
        convert();

        for (FileStoreTable handle : new FileStoreTable[] {stale, guardedTable.load()}) {
            try (TableCommitImpl commit = handle.newCommit("rollback")) {
                assertRefused(
                        () -> commit.rollbackToAsLatest(handle.tagManager().getOrThrow("old")), 0);
                // The committer is as good as before.
                assertEquals(table.latest(), handle.snapshotManager().latestSnapshot());
            }
        }
    }

    @Test
    void toWhatCameAfterTheConversionIsNot() throws Exception {
        long sealed = convert();
        Map<Integer, Row> rows = table.rows();
        guardedTable.load().createTag("new");
        guardedTable.append(80, 120);

        guardedTable.load().rollbackTo(sealed);
        TableProof.assertConverted(table, rows);

        guardedTable.append(80, 120);
        guardedTable.load().rollbackTo("new");
        TableProof.assertConverted(table, rows);

        guardedTable.append(80, 120);
        FileStoreTable fresh = guardedTable.load();
        try (TableCommitImpl commit = fresh.newCommit("rollback")) {
            commit.rollbackToAsLatest(fresh.tagManager().getOrThrow("new"));
        }
        TableProof.assertConverted(table, rows);
    }

    @Test
    void ofATableThatIsNotConvertedIsNot() throws Exception {
        Map<Integer, Row> rows = table.rows();
        guardedTable.append(80, 120);
        guardedTable.addColumn("later");
        guardedTable.append(120, 160);

        FileStoreTable fresh = guardedTable.load();
        try (TableCommitImpl commit = fresh.newCommit("rollback")) {
            commit.rollbackToAsLatest(fresh.tagManager().getOrThrow("old"));
        }
        guardedTable.load().rollbackTo(2);

        assertEquals(rows, table.rows());
    }

    @Test
    void aBranchThatIsNotConvertedDoesNotGoForwardOverAConvertedTable() {
        table.load().createBranch("b", "old");
        FileStoreTable stale = guardedTable.load();
        convert();
        Map<Integer, Row> rows = table.rows();

        for (FileStoreTable handle : new FileStoreTable[] {stale, guardedTable.load()}) {
            FenceException refused =
                    assertThrows(FenceException.class, () -> handle.fastForward("b"));

            assertEquals("FAST_FORWARD_UNCONVERTED", refused.code());
            assertEquals(
                    "Cannot fast-forward db.t to branch b: the branch is not converted, so it would"
                            + " take the conversion back. Run enable_data_evolution on"
                            + " db.t$branch_b first.",
                    refused.getMessage());
        }
        TableProof.assertConverted(table, rows);

        DataEvolutionConversion.of(guarded, Identifier.fromString("db.t$branch_b")).run();
        Map<Integer, Row> rowsOfTheBranch = table.branch("b").rows();
        guardedTable.load().fastForward("b");
        TableProof.assertConverted(table, rowsOfTheBranch);
    }

    @Test
    void aBranchIsJudgedByItsOwnSchema() throws Exception {
        table.load().createBranch("b", "old");
        TestTable branch = guardedTable.branch("b");
        branch.append(200, 240);
        convert();

        branch.load().rollbackTo(1);
        guardedTable.load().switchToBranch("b").rollbackTo(1);
        assertEquals(40, branch.rows().size());

        branch.append(200, 240);
        DataEvolutionConversion.of(guarded, branch.identifier()).run();
        FileStoreTable switched = guardedTable.load().switchToBranch("b");
        FenceException refused = assertThrows(FenceException.class, () -> switched.rollbackTo(1));
        assertEquals("ROLLBACK_ACROSS_CONVERSION", refused.code());
    }
}
