package dev.paimoninplace.commit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.paimoninplace.conversion.ConversionException;
import dev.paimoninplace.conversion.ConversionOptions;
import dev.paimoninplace.conversion.ConversionReport;
import dev.paimoninplace.conversion.ConversionReport.Outcome;
import dev.paimoninplace.conversion.DataEvolutionConversion;
import dev.paimoninplace.conversion.ProgressListener;
import dev.paimoninplace.conversion.ProgressListener.Stage;
import dev.paimoninplace.plan.ManifestPlan;
import dev.paimoninplace.plan.ManifestPlan.PlannedManifest;
import dev.paimoninplace.plan.ManifestPlanner;
import dev.paimoninplace.plan.Parallel;
import dev.paimoninplace.plan.TableHandle;
import dev.paimoninplace.testing.DataFiles;
import dev.paimoninplace.testing.FolderListing;
import dev.paimoninplace.testing.InterceptedFileIO;
import dev.paimoninplace.testing.InterceptedFileIO.Interceptor;
import dev.paimoninplace.testing.InterceptedFileIO.Operation;
import dev.paimoninplace.testing.TableProof;
import dev.paimoninplace.testing.TestTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.manifest.ManifestEntry;
import org.apache.paimon.manifest.ManifestFileMeta;
import org.apache.paimon.table.FileStoreTable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Manifests are written by many threads, and wrong ones are never committed. */
final class StagingOnRealTablesTest {

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

    private void assignRowIdsOnly(TestTable table) {
        TableHandle handle = TableHandle.load(catalog, table.identifier());
        ManifestPlanner planner =
                new ManifestPlanner(handle, new Parallel(1), ProgressListener.NONE);
        Run run = new Run("t", ConversionOptions.DEFAULTS, ProgressListener.NONE);
        new RowIdPass(handle, planner, run).commit(planner.plan(handle.read()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"avro", "orc", "parquet"})
    void threadsThatOpenTheirManifestsAtOnceDoNotMixThemUp(String format) {
        int threads = 16;
        TestTable table =
                TestTable.unpartitioned(
                        catalog,
                        "t",
                        "manifest.format",
                        format,
                        "manifest.merge-min-count",
                        "1000");
        for (int i = 0; i < 2 * threads; i++) {
            DataFiles.commit(
                    table.load(),
                    List.of(
                            DataFiles.added(
                                    BinaryRow.EMPTY_ROW,
                                    DataFiles.plain("data-" + i + ".parquet", 100 + i))));
        }
        Catalog meeting = InterceptedFileIO.catalog(warehouse, manifestsOpenedTogether(threads));

        ConversionReport report =
                DataEvolutionConversion.of(meeting, table.identifier())
                        .withOptions(ConversionOptions.DEFAULTS.withThreads(threads))
                        .run();

        assertEquals(2 * threads, report.manifestsRewritten());
        assertEquals(TableProof.rowCount(table.files()), report.nextRowId());
        assertEquals(report.nextRowId(), TableProof.endOfIds(table.files()));
    }

    /** Lets nobody go on who has created a manifest until as many have as there are threads. */
    private static Interceptor manifestsOpenedTogether(int threads) {
        CyclicBarrier barrier = new CyclicBarrier(threads);
        return new Interceptor() {
            @Override
            public void after(Operation operation, org.apache.paimon.fs.Path path) {
                if (operation != Operation.CREATE || !path.getName().matches("manifest-[^l].*")) {
                    return;
                }
                try {
                    barrier.await(1, TimeUnit.MINUTES);
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            }
        };
    }

    @Test
    void aKeptManifestThatCountsOtherFilesThanItHoldsIsNotCommitted() {
        TestTable table = TestTable.unpartitioned(catalog, "t");
        table.append(0, 500);
        assignRowIdsOnly(table);
        TableHandle handle = TableHandle.load(catalog, table.identifier());
        ManifestPlan plan =
                new ManifestPlanner(handle, new Parallel(1), ProgressListener.NONE)
                        .plan(handle.read());
        PlannedManifest kept = plan.manifests().get(0);
        ManifestFileMeta meta = kept.meta();
        ManifestFileMeta wrong =
                new ManifestFileMeta(
                        meta.fileName(),
                        meta.fileSize(),
                        meta.numAddedFiles() + 1,
                        meta.numDeletedFiles(),
                        meta.partitionStats(),
                        meta.schemaId(),
                        meta.minBucket(),
                        meta.maxBucket(),
                        meta.minLevel(),
                        meta.maxLevel(),
                        meta.minRowId(),
                        meta.maxRowId());
        ManifestPlan wrongPlan =
                new ManifestPlan(
                        plan.view(),
                        plan.rule(),
                        plan.deleted(),
                        List.of(new PlannedManifest(wrong, kept.summary())),
                        plan.findings(),
                        plan.addedTwice(),
                        plan.repeatedRowId(),
                        plan.rowIdWithoutFullRow());
        Run run = new Run("t", ConversionOptions.DEFAULTS, ProgressListener.NONE);
        RowIdPass pass =
                new RowIdPass(
                        handle,
                        new ManifestPlanner(handle, new Parallel(1), ProgressListener.NONE),
                        run);

        IllegalStateException failure =
                assertThrows(IllegalStateException.class, () -> pass.commit(wrongPlan));

        assertEquals(
                "The staged manifests add 2 and delete 0 files instead of 1 and 0; nothing was"
                        + " committed.",
                failure.getMessage());
        assertTrue(run.committed().isEmpty());
    }

    @Test
    void aManifestThatChangesAfterItWasWrittenIsNotCommitted() {
        TestTable table = TestTable.partitioned(catalog, "t");
        table.append(0, 100, i -> "p" + i % 2);
        table.append(100, 200, i -> "p" + i % 2);
        Set<String> known = new TreeSet<>(TableProof.manifestFiles(table.load()));
        Map<String, String> listing = FolderListing.of(warehouse);
        ProgressListener tampering =
                (stage, done, total) -> {
                    if (stage == Stage.REWRITE && done == total) {
                        Set<String> staged = new TreeSet<>(TableProof.manifestFiles(table.load()));
                        staged.removeAll(known);
                        loseAFile(table.load(), staged.iterator().next());
                    }
                };

        ConversionException failure =
                assertThrows(
                        ConversionException.class,
                        () -> conversion(table).withProgress(tampering).run());

        String message = String.valueOf(failure.getMessage());
        assertTrue(message.contains("is wrong and was not committed"), message);
        assertTrue(failure.committed().isEmpty());
        assertEquals(listing.keySet(), FolderListing.of(warehouse).keySet());
        assertEquals(200, table.rows().size());
        assertEquals(Outcome.CONVERTED, conversion(table).run().outcome());
    }

    /** Replaces a manifest by one that lacks its last file. */
    private static void loseAFile(FileStoreTable table, String manifest) {
        var manifests = table.store().manifestFileFactory().create();
        Path folder = Path.of(table.location().toUri().getPath(), "manifest");
        try {
            List<ManifestEntry> entries =
                    manifests.read(manifest, Files.size(folder.resolve(manifest)));
            ManifestFileMeta shorter =
                    manifests.write(entries.subList(0, entries.size() - 1)).get(0);
            Files.move(
                    folder.resolve(shorter.fileName()),
                    folder.resolve(manifest),
                    StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
