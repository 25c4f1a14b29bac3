package dev.paimoninplace.shapes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.paimoninplace.conversion.Check;
import dev.paimoninplace.conversion.ConversionReport;
import dev.paimoninplace.conversion.ConversionReport.Outcome;
import dev.paimoninplace.conversion.TableState;
import dev.paimoninplace.testing.DataFiles;
import dev.paimoninplace.testing.FolderListing;
import dev.paimoninplace.testing.RowGroups;
import dev.paimoninplace.testing.TableProof;
import dev.paimoninplace.testing.TestTable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.manifest.ManifestEntry;
import org.apache.paimon.stats.ColStats;
import org.apache.paimon.stats.Statistics;
import org.apache.paimon.table.sink.BatchTableCommit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What some shapes have that others have not. */
final class SpecialShapesTest {

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

    private static List<String> warnings(ConversionReport report) {
        return report.warnings().stream().map(Check::name).toList();
    }

    @Test
    @Tag("long")
    void twoThousandPartitionsGetABlockOfIdsEach() {
        int partitions = 2000;
        TestTable table = TestTable.partitioned(catalog, "t", "file.format", "avro");
        table.append(0, 10 * partitions, i -> "p" + i % partitions);
        table.append(10 * partitions, 15 * partitions, i -> "p" + i % partitions);

        ConvertedTable converted = ConvertedTable.convert(table, warehouse);

        converted.assertDensePerPartition();
        converted.assertReassignmentHasNothingToDo();
        assertEquals(partitions, converted.report().partitions());
        assertEquals(2L * partitions, converted.report().files());
    }

    @Test
    void theDataFilesOfTwoThousandPartitionsAreNotLookedAt() {
        int partitions = 2000;
        TestTable table = TestTable.partitioned(catalog, "t");
        for (int commit = 0; commit < 3; commit++) {
            List<ManifestEntry> files = new ArrayList<>();
            for (int p = 0; p < partitions; p++) {
                String name = "data-" + commit + "-" + p + ".parquet";
                files.add(
                        DataFiles.added(
                                BinaryRow.singleColumn("p" + p),
                                DataFiles.plain(name, 100 + p % 7)));
            }
            DataFiles.commit(table.load(), files);
        }
        long rows = TableProof.rowCount(table.files());

        ConversionReport report = ConvertedTable.conversion(table).run();

        Map<BinaryRow, Integer> runs = TableProof.runsPerPartition(table.files());
        assertEquals(partitions, runs.size());
        assertTrue(runs.values().stream().allMatch(count -> count == 1));
        assertEquals(rows, TableProof.endOfIds(table.files()));
        assertEquals(rows, report.nextRowId());
        assertEquals(3L * partitions, report.files());
        assertEquals(partitions, report.partitions());
    }

    @Test
    void statisticsAreKeptUnderTheNewSchema() throws Exception {
        TestTable table = TestTable.unpartitioned(catalog, "t");
        table.append(0, 500);
        Statistics before =
                new Statistics(
                        1,
                        table.load().schema().id(),
                        500L,
                        12345L,
                        Map.of("v", ColStats.newColStats(2, 500L, null, null, 0L, 8L, 8L)));
        try (BatchTableCommit commit = table.load().newBatchWriteBuilder().newCommit()) {
            commit.updateStatistics(before);
        }
        long snapshots = 2;

        ConversionReport report = ConvertedTable.convert(table, warehouse).report();

        Statistics after = table.load().statistics().orElseThrow();
        assertEquals(report.schemaAfter(), after.schemaId());
        assertEquals(before.snapshotId(), after.snapshotId());
        assertEquals(before.mergedRecordCount(), after.mergedRecordCount());
        assertEquals(OptionalLong.of(12345), after.mergedRecordSize());
        assertEquals(before.colStats(), after.colStats());
        assertEquals(snapshots + 2, report.snapshotAfter());
    }

    @Test
    void theLatestStatisticsOfATableThatHadRowsSinceAreKept() {
        TestTable table = TestTable.unpartitioned(catalog, "t");
        table.append(0, 500);
        table.analyze();
        table.append(500, 600);
        Optional<Statistics> before = table.load().statistics();

        ConvertedTable.convert(table, warehouse);

        assertEquals(OptionalLong.of(500), before.orElseThrow().mergedRecordCount());
        assertEquals(
                OptionalLong.of(500), table.load().statistics().orElseThrow().mergedRecordCount());
    }

    @Test
    void idsOfARowTrackingTableAreKeptAndItsFilesUnchanged() {
        TestTable table =
                TestTable.partitioned(
                        catalog, "t", "row-tracking.enabled", "true", "write-only", "true");
        table.append(0, 300, i -> "p" + i % 3);
        table.append(300, 600, i -> "p" + i % 3);
        List<ManifestEntry> before = table.files();
        Map<Integer, Long> ids = table.rowIds();

        ConvertedTable converted = ConvertedTable.convert(table, warehouse);

        assertEquals(TableState.IDS, converted.report().stateBefore());
        assertEquals(0, converted.report().files());
        assertEquals(600, converted.report().nextRowId());
        assertEquals(3, converted.report().snapshotAfter());
        assertEquals(before, table.files());
        assertEquals(ids, table.rowIds());
        converted.use();
    }

    @Test
    void anOldTagStaysReadableThroughABranch() throws Exception {
        TestTable table = TestTable.unpartitioned(catalog, "t");
        table.append(0, 500);
        table.load().createTag("t1");
        Map<Integer, TestTable.Row> tagged = table.rows();
        table.append(500, 1000);

        ConvertedTable converted = ConvertedTable.convert(table, warehouse);
        table.load().createBranch("b", "t1");

        assertTrue(warnings(converted.report()).contains("TAGS"));
        assertEquals(tagged, TestTable.rows(table.load().switchToBranch("b")));
        converted.use();
    }

    @Test
    void snapshotsExpireAfterTheConversionWithoutHarm() throws Exception {
        TestTable table =
                TestTable.partitioned(
                        catalog,
                        "t",
                        "snapshot.num-retained.min",
                        "1",
                        "snapshot.num-retained.max",
                        "3");
        for (int from = 0; from < 500; from += 50) {
            table.append(from, from + 50, i -> "p" + i % 4);
        }
        table.overwrite("p1", 500, 600);
        long oldest = table.load().snapshotManager().earliestSnapshotId();
        assertTrue(oldest > 1);

        ConvertedTable converted = ConvertedTable.convert(table, warehouse);

        assertEquals(oldest, table.load().snapshotManager().earliestSnapshotId());
        converted.use();
        assertTrue(table.load().snapshotManager().earliestSnapshotId() > oldest);
        TableProof.assertOrphanCleaningIsSafeAndComplete(table);
        converted.assertRows();
    }

    @Test
    void deletedEntriesAreGoneAndTheRecordCountIsUnchangedAfterMergingManifests() {
        TestTable table = TestTable.partitioned(catalog, "t", "manifest.merge-min-count", "1000");
        table.append(0, 400, i -> "p" + i % 4);
        table.overwrite("p1", 400, 500);
        table.dropPartition("p2");
        assertTrue(TableProof.deleteEntries(table.load()) > 0);

        ConvertedTable converted = ConvertedTable.convert(table, warehouse);
        converted.assertManifestsKnowTheirRowIds();
        long records = table.load().latestSnapshot().orElseThrow().totalRecordCount();
        table.compactManifests();

        converted.assertRows();
        converted.assertDensePerPartition();
        assertEquals(300, records);
        assertEquals(records, table.load().latestSnapshot().orElseThrow().totalRecordCount());
    }

    @Test
    void anUpdateFailsUntilTheFileIndexOptionIsResetAsWarned() {
        TestTable table =
                TestTable.unpartitioned(catalog, "t", "file-index.bloom-filter.columns", "name");
        table.append(0, 500);

        ConvertedTable converted = ConvertedTable.convert(table, warehouse);

        assertTrue(warnings(converted.report()).contains("FILE_INDEX"));
        IllegalStateException failure =
                assertThrows(
                        IllegalStateException.class,
                        () -> RowGroups.of(table).update("v", id -> "1"));
        assertTrue(
                String.valueOf(failure.getMessage()).contains("name does not exist in column"),
                failure.toString());
        converted.use();
    }

    @Test
    void aFallbackBranchIsWarnedOfAndReadAsBefore() throws Exception {
        TestTable table = TestTable.partitioned(catalog, "t");
        table.append(0, 300, i -> "p" + i % 3);
        table.load().createBranch("b");
        TestTable branch = table.branch("b");
        branch.append(1000, 1100, i -> "p7");
        table.setOption("scan.fallback-branch", "b");
        Map<Integer, TestTable.Row> before = new TreeMap<>(table.rows());
        assertEquals(400, before.size());

        ConversionReport report = ConvertedTable.conversion(table).run();

        assertEquals(Outcome.CONVERTED, report.outcome());
        assertTrue(warnings(report).containsAll(List.of("BRANCHES", "BRANCH_OPTION")));
        assertEquals(300, report.rows());
        assertEquals(before, table.rows());
    }

    @Test
    void aBranchIsConvertedAloneAndMainIsUntouched() throws Exception {
        TestTable table = TestTable.partitioned(catalog, "t");
        table.append(0, 300, i -> "p" + i % 3);
        table.load().createTag("t1");
        table.load().createBranch("b", "t1");
        TestTable branch = table.branch("b");
        branch.append(300, 400, i -> "p" + i % 3);
        Map<String, String> mainBefore = listingOfMain();
        List<ManifestEntry> mainFiles = table.files();

        ConvertedTable converted = ConvertedTable.convert(branch, warehouse);

        assertEquals("db.t$branch_b", converted.report().table());
        converted.assertDensePerPartition();
        assertEquals(mainBefore, listingOfMain());
        assertEquals(mainFiles, table.files());
        assertEquals(300, table.rows().size());
        converted.use();
        assertEquals(mainFiles, table.files());
        assertEquals(Outcome.CONVERTED, ConvertedTable.conversion(table).run().outcome());
    }

    /** Schemas, snapshots and tags of main; manifests and data lie in one folder for all. */
    private Map<String, String> listingOfMain() {
        Map<String, String> listing = new HashMap<>(FolderListing.of(warehouse));
        listing.keySet()
                .removeIf(
                        path ->
                                !path.startsWith("db.db/t/schema")
                                        && !path.startsWith("db.db/t/snapshot")
                                        && !path.startsWith("db.db/t/tag"));
        return listing;
    }
}
