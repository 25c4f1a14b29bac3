package dev.paimoninplace.shapes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.paimoninplace.conversion.ConversionOptions;
import dev.paimoninplace.conversion.ConversionReport;
import dev.paimoninplace.conversion.ConversionReport.Outcome;
import dev.paimoninplace.conversion.DataEvolutionConversion;
import dev.paimoninplace.conversion.TableState;
import dev.paimoninplace.testing.FolderListing;
import dev.paimoninplace.testing.RowGroups;
import dev.paimoninplace.testing.TableProof;
import dev.paimoninplace.testing.TestTable;
import dev.paimoninplace.testing.TextRows;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.apache.paimon.append.dataevolution.DataEvolutionRowIdReassigner;
import org.apache.paimon.manifest.ManifestEntry;

/** A table that was converted, its rows from before, and what must hold for it from then on. */
final class ConvertedTable {

    private final TestTable table;
    private final ConversionReport report;
    private final Map<Integer, Map<String, String>> rows;

    private ConvertedTable(
            TestTable table, ConversionReport report, Map<Integer, Map<String, String>> rows) {
        this.table = table;
        this.report = report;
        this.rows = rows;
    }

    static DataEvolutionConversion conversion(TestTable table) {
        return DataEvolutionConversion.of(table.catalog(), table.identifier())
                .withOptions(ConversionOptions.DEFAULTS.withThreads(2));
    }

    /**
     * Converts after a dry run, which must predict every number and leave every file alone.
     *
     * @param warehouse folder that holds all files of the table
     */
    static ConvertedTable convert(TestTable table, Path warehouse) {
        Map<Integer, Map<String, String>> rows = TextRows.read(table.load());
        Map<String, String> listing = FolderListing.of(warehouse);

        ConversionReport predicted = conversion(table).predict();
        assertEquals(listing, FolderListing.of(warehouse), "The dry run wrote something.");
        ConversionReport report = conversion(table).run();

        assertEquals(Outcome.DRY_RUN, predicted.outcome());
        assertEquals(Outcome.CONVERTED, report.outcome());
        assertEquals(TableState.SEALED, report.stateAfter());
        assertEquals(numbers(report), numbers(predicted));
        assertEquals(report.checks(), predicted.checks());
        assertEquals(report.commitUsers(), predicted.commitUsers());
        ConvertedTable converted = new ConvertedTable(table, report, rows);
        converted.assertRows();
        return converted;
    }

    private static Map<String, Object> numbers(ConversionReport report) {
        Map<String, Object> numbers = new TreeMap<>();
        numbers.put("stateBefore", report.stateBefore());
        numbers.put("stateAfter", report.stateAfter());
        numbers.put("schemaBefore", report.schemaBefore());
        numbers.put("schemaAfter", report.schemaAfter());
        numbers.put("snapshotBefore", String.valueOf(report.snapshotBefore()));
        numbers.put("snapshotAfter", report.snapshotAfter());
        numbers.put("files", report.files());
        numbers.put("rows", report.rows());
        numbers.put("partitions", report.partitions());
        numbers.put("manifestsRewritten", report.manifestsRewritten());
        numbers.put("manifestsKept", report.manifestsKept());
        numbers.put("manifestReads", report.manifestReads());
        numbers.put("manifestWrites", report.manifestWrites());
        numbers.put("metadataBytesRead", report.metadataBytesRead());
        numbers.put("metadataBytesWritten", report.metadataBytesWritten());
        numbers.put("nextRowId", report.nextRowId());
        return numbers;
    }

    ConversionReport report() {
        return report;
    }

    /** Rows are the expected ones, and each has the id of its position in its file. */
    void assertRows() {
        assertEquals(rows, TextRows.read(table.load()));
        Map<Long, Integer> expected = new TreeMap<>();
        for (ManifestEntry entry : table.files()) {
            var written = entry.file().writeCols();
            if (written != null && !written.contains("id")) {
                continue;
            }
            long next = entry.file().nonNullFirstRowId();
            for (int id : table.idsIn(entry)) {
                if (rows.containsKey(id)) {
                    expected.put(next, id);
                }
                next++;
            }
        }
        assertEquals(expected, TextRows.idsByRowId(table.load()));
        assertEquals(rows.size(), expected.size());
    }

    /** Every partition has one gapless run of row ids, and together they start at 0. */
    void assertDensePerPartition() {
        TableProof.runsPerPartition(table.files())
                .forEach((partition, runs) -> assertEquals(1, runs, partition.toString()));
        long rowCount = TableProof.rowCount(table.files());
        assertEquals(rowCount, TableProof.endOfIds(table.files()));
        assertEquals(rowCount, report.nextRowId());
        assertEquals(rowCount, report.rows());
        assertEquals(table.files().size(), report.files());
    }

    /** Every manifest says which row ids it holds, and none holds a deletion. */
    void assertManifestsKnowTheirRowIds() {
        var loaded = table.load();
        var manifests =
                loaded.store()
                        .manifestListFactory()
                        .create()
                        .readDataManifests(loaded.latestSnapshot().orElseThrow());
        assertTrue(manifests.stream().allMatch(m -> m.minRowId() != null && m.maxRowId() != null));
        assertEquals(0, TableProof.deleteEntries(loaded));
    }

    /** Paimon's own reassignment finds nothing to do. */
    void assertReassignmentHasNothingToDo() {
        assertFalse(new DataEvolutionRowIdReassigner(table.load()).reassign().reassigned);
    }

    /** An update of column v is visible in every row. */
    void updateV(long factor) {
        RowGroups.of(table).update("v", id -> String.valueOf(factor * id));
        rows.forEach((id, row) -> row.put("v", String.valueOf(factor * id)));
        assertRows();
    }

    void deleteEvery(int divisor) {
        RowGroups.of(table).delete(id -> id % divisor == 0);
        rows.keySet().removeIf(id -> id % divisor == 0);
        assertRows();
    }

    /** One more commit of rows. */
    void append(int from, int to) {
        for (int id = from; id < to; id++) {
            rows.put(
                    id,
                    new TreeMap<>(
                            Map.of("id", "" + id, "v", String.valueOf(3L * id), "pt", "new")));
        }
        Map<Integer, Map<String, String>> added = new HashMap<>(rows);
        added.keySet().removeIf(id -> id < from || id >= to);
        TextRows.append(table.load(), added.values());
        assertRows();
    }

    /** Compaction leaves every row and every row id as it was. */
    void compact() {
        Map<Long, Integer> before = TextRows.idsByRowId(table.load());
        long files = table.files().size();
        table.compact();
        assertTrue(table.files().size() <= files);
        assertRows();
        assertEquals(before, TextRows.idsByRowId(table.load()));
    }

    /** What a Data Evolution table is good for: updates, deletions, appends, compaction. */
    void use() {
        // Paimon writes all columns or none of those with a file index.
        table.resetOption("file-index.bloom-filter.columns");
        updateV(-1);
        if (table.load().coreOptions().deletionVectorsEnabled()) {
            deleteEvery(7);
        }
        append(1_000_000, 1_000_100);
        updateV(-2);
        compact();
        updateV(-3);
        assertEquals(Outcome.SKIPPED, conversion(table).run().outcome());
    }
}
