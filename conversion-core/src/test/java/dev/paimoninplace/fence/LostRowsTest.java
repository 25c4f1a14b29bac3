package dev.paimoninplace.fence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.paimoninplace.conversion.DataEvolutionConversion;
import dev.paimoninplace.testing.TableProof;
import dev.paimoninplace.testing.TestTable;
import dev.paimoninplace.testing.TestTable.Row;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.paimon.Snapshot;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.io.CompactIncrement;
import org.apache.paimon.io.DataIncrement;
import org.apache.paimon.manifest.ManifestEntry;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.sink.CommitMessage;
import org.apache.paimon.table.sink.CommitMessageImpl;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commits to a converted table that would lose rows or updates, stale or not. */
final class LostRowsTest {

    @TempDir Path warehouse;
    private Catalog catalog;
    private Catalog guarded;
    private TestTable table;
    private TestTable guardedTable;
    private Map<Integer, Row> rows = Map.of();

    @BeforeEach
    void open() {
        catalog = TestTable.catalog(warehouse);
        guarded = TestTable.guardedCatalog(warehouse);
        table = TestTable.partitioned(catalog, "t", "deletion-vectors.enabled", "true");
        table.append(0, 90, i -> "p" + i % 3);
        table.append(90, 180, i -> "p" + i % 3);
        guardedTable = TestTable.existing(guarded, table.identifier());
        rows = table.rows();
    }

    @AfterEach
    void close() throws Exception {
        guarded.close();
        catalog.close();
    }

    private void convert() {
        DataEvolutionConversion.of(catalog, table.identifier()).run();
    }

    private StaleWriterException assertRefused(Runnable commit) {
        Snapshot before = Objects.requireNonNull(table.latest());

        StaleWriterException refused = assertThrows(StaleWriterException.class, commit::run);

        assertEquals(before, table.latest());
        return refused;
    }

    @Test
    void aPlainCompactionOfAConvertedTableIsRefusedThoughItIsNotStale() {
        convert();
        FileStoreTable fresh = guardedTable.load().copy(Map.of("compaction.min.file-num", "2"));

        StaleWriterException refused =
                assertRefused(() -> TestTable.commit(fresh, TestTable.prepareCompact(fresh)));

        assertTrue(String.valueOf(refused.getMessage()).contains("would have its row ids inside"));
        TableProof.assertConverted(table, rows);
    }

    @Test
    void aCommitThatTakesTheRowsFromUnderAnUpdateIsRefused() {
        convert();
        guardedTable.updateV(id -> -id);
        Map<Integer, Row> updated = table.rows();
        ManifestEntry full =
                table.files().stream()
                        .filter(entry -> entry.file().writeCols() == null)
                        .findFirst()
                        .orElseThrow();

        FenceException refused =
                assertThrows(
                        FenceException.class,
                        () -> TestTable.commit(guardedTable.load(), List.of(removal(full))));

        assertEquals("NO_FULL_ROW_FILE", refused.code());
        TableProof.assertConverted(table, updated);
    }

    @Test
    void aCommitThatTakesRowsWithoutUpdateIsAccepted() {
        convert();
        guardedTable.updateV(id -> -id);
        guardedTable.append(1000, 1050, i -> "p1");
        List<ManifestEntry> before = table.files();
        ManifestEntry added =
                before.stream()
                        .max((a, b) -> Long.compare(firstRowId(a), firstRowId(b)))
                        .orElseThrow();

        TestTable.commit(guardedTable.load(), List.of(removal(added)));

        assertEquals(before.size() - 1, table.files().size());
    }

    private static long firstRowId(ManifestEntry entry) {
        return entry.file().nonNullFirstRowId();
    }

    private static CommitMessage removal(ManifestEntry entry) {
        BinaryRow partition = entry.partition();
        return new CommitMessageImpl(
                partition,
                entry.bucket(),
                entry.totalBuckets(),
                DataIncrement.emptyIncrement(),
                new CompactIncrement(List.of(entry.file()), List.of(), List.of()));
    }

    @Test
    void anUpdateOrADeletionThatWouldLeaveAFileOutIsRefusedAndAnAppendIsNot() {
        FileStoreTable stockStale = table.load();
        convert();
        TestTable.append(stockStale, 1000, 1050, i -> "p1");
        String stray =
                table.files().stream()
                        .filter(entry -> entry.file().firstRowId() == null)
                        .map(ManifestEntry::fileName)
                        .findFirst()
                        .orElseThrow();

        FenceException update =
                assertThrows(FenceException.class, () -> guardedTable.updateV(id -> -id, stray));
        FenceException deletion =
                assertThrows(FenceException.class, () -> guardedTable.delete(id -> id == 7));
        guardedTable.append(1050, 1100, i -> "p1");

        for (FenceException refused : List.of(update, deletion)) {
            assertEquals("STRAY_FILE", refused.code());
            assertEquals(
                    "Cannot commit to db.t: file "
                            + stray
                            + " has no row ids, so the commit left out its rows. Run"
                            + " repair_data_evolution, then commit again.",
                    refused.getMessage());
        }
        convert();
        for (int i = 1000; i < 1100; i++) {
            rows.put(i, new Row(i, "n" + i, 10L * i, "p1"));
        }
        TableProof.assertConverted(table, rows);
        guardedTable.delete(id -> id == 7);
    }
}
