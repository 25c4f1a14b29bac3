package dev.paimoninplace.conversion;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.paimoninplace.conversion.ConversionReport.Outcome;
import dev.paimoninplace.testing.TestTable;
import dev.paimoninplace.testing.TestTable.Row;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.manifest.ManifestEntry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole conversion on real tables, read back by the stock reader. */
final class DataEvolutionConversionTest {

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

    private static DataEvolutionConversion conversion(TestTable table) {
        return DataEvolutionConversion.of(table.catalog(), table.identifier());
    }

    @Test
    void anUpdateOfOneColumnIsVisibleInEveryRowOfAFileLargerThanTheSnapshotCount() {
        TestTable table = TestTable.unpartitioned(catalog, "t");
        table.append(0, 5000);
        table.append(5000, 5001);
        table.append(5001, 5002);
        Map<Integer, Row> before = table.rows();

        ConversionReport report = conversion(table).run();
        table.updateV(id -> -id);

        assertEquals(Outcome.CONVERTED, report.outcome());
        Map<Integer, Row> expected = new HashMap<>();
        before.forEach(
                (id, row) -> expected.put(id, new Row(id, row.name(), -(long) id, row.pt())));
        assertEquals(expected, table.rows());
    }

    @Test
    void everyRowHasTheIdOfItsPositionInItsFile() {
        TestTable table = TestTable.partitioned(catalog, "t");
        table.append(0, 100, i -> "p" + i % 3);
        table.append(100, 200, i -> "p" + i % 4);
        Map<Integer, Row> before = table.rows();

        ConversionReport predicted = conversion(table).predict();
        assertEquals(before, table.rows());
        ConversionReport report = conversion(table).run();

        assertEquals(before, table.rows());
        Map<Integer, Long> expected = new HashMap<>();
        for (ManifestEntry entry : table.files()) {
            long first = entry.file().nonNullFirstRowId();
            for (int id : table.idsIn(entry)) {
                expected.put(id, first++);
            }
        }
        assertEquals(expected, table.rowIds());
        assertEquals(200, new HashSet<>(expected.values()).size());
        assertEquals(200, report.nextRowId());
        assertEquals(200, report.rows());
        assertEquals(4, report.partitions());
        assertEquals(7, report.files());
        assertEquals(TableState.PLAIN, report.stateBefore());
        assertEquals(predicted.manifestsRewritten(), report.manifestsRewritten());
        assertEquals(predicted.metadataBytesWritten(), report.metadataBytesWritten());
        assertEquals(predicted.snapshotAfter(), report.snapshotAfter());
        assertEquals(Outcome.SKIPPED, conversion(table).run().outcome());
    }

    @Test
    void anEmptyTableIsSealedToo() {
        TestTable table = TestTable.unpartitioned(catalog, "t");

        ConversionReport predicted = conversion(table).predict();
        ConversionReport report = conversion(table).run();
        table.append(0, 10);

        assertEquals(2, report.snapshotAfter());
        assertEquals(2, predicted.snapshotAfter());
        assertEquals(1, report.nextRowId());
        assertEquals(10, table.rowIds().size());
        assertTrue(table.rowIds().values().stream().allMatch(id -> id >= 1));
    }

    @Test
    void deletedRowsStayDeletedAfterAnUpdateAndACompaction() {
        TestTable table = TestTable.unpartitioned(catalog, "t", "deletion-vectors.enabled", "true");
        table.append(0, 5000);
        table.append(5000, 5010);
        table.delete(id -> id < 100);
        assertEquals(4910, table.rows().size());

        conversion(table).run();
        table.updateV(id -> -id);

        Map<Integer, Row> updated = table.rows();
        assertEquals(4910, updated.size());
        assertTrue(
                updated.values().stream().allMatch(row -> Long.valueOf(-row.id()).equals(row.v())));
        table.compact();
        assertEquals(updated, table.rows());
    }
}
