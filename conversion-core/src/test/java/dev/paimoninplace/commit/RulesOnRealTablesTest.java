package dev.paimoninplace.commit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.paimoninplace.conversion.ConversionOptions;
import dev.paimoninplace.conversion.ConversionReport;
import dev.paimoninplace.conversion.DataEvolutionConversion;
import dev.paimoninplace.conversion.ProgressListener;
import dev.paimoninplace.conversion.TableState;
import dev.paimoninplace.plan.ManifestPlanner;
import dev.paimoninplace.plan.Parallel;
import dev.paimoninplace.plan.TableHandle;
import dev.paimoninplace.testing.TableProof;
import dev.paimoninplace.testing.TestTable;
import java.nio.file.Path;
import java.util.List;
import org.apache.paimon.Snapshot;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.manifest.ManifestFileMeta;
import org.apache.paimon.operation.FileStoreCommitImpl;
import org.apache.paimon.table.FileStoreTable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rules whose absence no reader would notice at once. */
final class RulesOnRealTablesTest {

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

    private static List<ManifestFileMeta> manifests(FileStoreTable table, Snapshot snapshot) {
        return table.store().manifestListFactory().create().readDataManifests(snapshot);
    }

    private void assignRowIdsOnly(TestTable table) {
        TableHandle handle = TableHandle.load(catalog, table.identifier());
        ManifestPlanner planner =
                new ManifestPlanner(handle, new Parallel(1), ProgressListener.NONE);
        Run run = new Run("t", ConversionOptions.DEFAULTS, ProgressListener.NONE);
        new RowIdPass(handle, planner, run).commit(planner.plan(handle.read()));
    }

    @Test
    void anUpdateIsVisibleInRolledFilesOfARowTrackingTable() {
        TestTable table =
                TestTable.unpartitioned(
                        catalog,
                        "t",
                        "row-tracking.enabled",
                        "true",
                        "target-file-row-num",
                        "1000");
        table.append(0, 3000);
        assertTrue(table.files().stream().anyMatch(e -> e.file().maxSequenceNumber() > 1000));

        ConversionReport report = conversion(table).run();

        assertEquals(TableState.PLAIN, report.stateBefore());
        assertEquals(0, report.files());
        assertEquals(1, report.manifestsRewritten());
        TableProof.assertUpdatesAreVisible(table);
    }

    @Test
    void anAbandonedConversionIsTakenUpWithAHigherNextRowId() {
        TestTable table = TestTable.unpartitioned(catalog, "t");
        table.append(0, 500);
        assignRowIdsOnly(table);
        long abandoned = TableProof.endOfIds(table.files());

        ConversionReport predicted = conversion(table).predict();
        ConversionReport report = conversion(table).run();

        assertEquals(TableState.IDS, report.stateBefore());
        assertEquals(0, report.files());
        assertEquals(0, report.manifestsRewritten());
        assertEquals(abandoned + 1, report.nextRowId());
        assertEquals(abandoned + 1, predicted.nextRowId());
        assertEquals(predicted.snapshotAfter(), report.snapshotAfter());
        assertEquals(500, table.rowIds().size());
    }

    @Test
    void theSealReferencesTheManifestsAsTheyAre() throws Exception {
        TestTable table =
                TestTable.partitioned(
                        catalog,
                        "t",
                        "manifest.merge-min-count",
                        "1000",
                        "manifest.target-file-size",
                        "1 kb");
        for (int from = 0; from < 400; from += 40) {
            table.append(from, from + 40, i -> "p" + i % 3);
        }
        table.setOption("manifest.merge-min-count", "2");
        table.setOption("manifest.target-file-size", "8 mb");
        table.setOption("manifest.full-compaction-threshold-size", "1 b");

        ConversionReport report = conversion(table).run();

        FileStoreTable loaded = table.load();
        long sealed = report.snapshotAfter();
        List<ManifestFileMeta> assigned =
                manifests(loaded, loaded.snapshotManager().tryGetSnapshot(sealed - 1));
        assertEquals(10, assigned.size());
        assertEquals(assigned, manifests(loaded, loaded.snapshotManager().tryGetSnapshot(sealed)));
    }

    @Test
    void aKeptManifestWithoutRowIdRangeGetsOne() {
        TestTable table = TestTable.unpartitioned(catalog, "t");
        table.append(0, 500);
        assignRowIdsOnly(table);
        forgetRowIdRanges(table.load());
        Snapshot latest = table.load().latestSnapshot().orElseThrow();
        ManifestFileMeta before = manifests(table.load(), latest).get(0);
        assertNull(before.minRowId());

        ConversionReport report = conversion(table).run();

        assertEquals(0, report.manifestsRewritten());
        List<ManifestFileMeta> after =
                manifests(table.load(), table.load().latestSnapshot().orElseThrow());
        assertEquals(
                List.of(before.fileName()),
                after.stream().map(ManifestFileMeta::fileName).toList());
        assertEquals(0L, after.get(0).minRowId());
        assertEquals(499L, after.get(0).maxRowId());
        assertEquals(500, table.rows().size());
    }

    /** Leaves the manifest list as writers do that know no row-id ranges. */
    private static void forgetRowIdRanges(FileStoreTable table) {
        Snapshot latest = table.latestSnapshot().orElseThrow();
        var list = table.store().manifestListFactory().create();
        List<ManifestFileMeta> withoutRanges =
                list.readDataManifests(latest).stream()
                        .map(
                                m ->
                                        new ManifestFileMeta(
                                                m.fileName(),
                                                m.fileSize(),
                                                m.numAddedFiles(),
                                                m.numDeletedFiles(),
                                                m.partitionStats(),
                                                m.schemaId(),
                                                m.minBucket(),
                                                m.maxBucket(),
                                                m.minLevel(),
                                                m.maxLevel(),
                                                null,
                                                null))
                        .toList();
        try (FileStoreCommitImpl commit =
                (FileStoreCommitImpl) table.store().newCommit("old", table)) {
            assertTrue(
                    commit.replaceManifestList(
                            latest,
                            latest.totalRecordCount(),
                            list.write(withoutRanges),
                            list.write(List.of()),
                            latest.indexManifest(),
                            latest.nextRowId()));
        }
    }
}
