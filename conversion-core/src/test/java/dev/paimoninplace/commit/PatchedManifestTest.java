package dev.paimoninplace.commit;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.paimoninplace.commit.StagedManifest.By;
import dev.paimoninplace.conversion.ProgressListener;
import dev.paimoninplace.plan.ManifestPlan;
import dev.paimoninplace.plan.ManifestPlan.PlannedManifest;
import dev.paimoninplace.plan.ManifestPlanner;
import dev.paimoninplace.plan.Parallel;
import dev.paimoninplace.plan.TableHandle;
import dev.paimoninplace.plan.TableView;
import dev.paimoninplace.rowid.RowIdAssignment;
import dev.paimoninplace.testing.DataFiles;
import dev.paimoninplace.testing.TestTable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.manifest.FileSource;
import org.apache.paimon.manifest.ManifestEntry;
import org.apache.paimon.manifest.ManifestFile;
import org.apache.paimon.manifest.ManifestFileMeta;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Patching the bytes of a manifest gives the same manifest as writing it entry by entry. */
final class PatchedManifestTest {

    private static final int FILES = 2_000;

    /** A file with every attribute; its source is APPEND. */
    private static final int CHANGED = 998;

    @TempDir Path warehouse;
    private Catalog catalog;
    private TableHandle handle;
    private ManifestFile manifests;
    private List<ManifestEntry> original;
    private ManifestFileMeta meta;

    /** A manifest with attributes of every kind, over several blocks of Avro. */
    @BeforeEach
    void write() {
        catalog = TestTable.catalog(warehouse);
        TestTable table = TestTable.partitioned(catalog, "t");
        handle = TableHandle.load(catalog, table.identifier());
        manifests = handle.table().store().manifestFileFactory().create();
        original = new ArrayList<>();
        for (int i = 0; i < FILES; i++) {
            BinaryRow partition = BinaryRow.singleColumn(i % 7 == 0 ? null : "p" + i % 5);
            original.add(DataFiles.added(partition, file(i)));
        }
        List<ManifestFileMeta> written = manifests.write(original);
        assertEquals(1, written.size());
        meta = written.get(0);
    }

    private static DataFileMeta file(int i) {
        DataFileMeta base = i % 2 == 0 ? DataFiles.full() : DataFiles.plain("data-" + i, i % 50);
        DataFileMeta file = DataFiles.with(base, DataFileMeta.FIRST_ROW_ID, null);
        file = DataFiles.with(file, DataFileMeta.WRITE_COLS, null);
        byte source = (i % 4 == 0 ? FileSource.COMPACT : FileSource.APPEND).toByteValue();
        return DataFiles.with(file, DataFileMeta.FILE_SOURCE, i % 3 == 0 ? null : source);
    }

    @AfterEach
    void close() throws Exception {
        catalog.close();
    }

    private ManifestPlan plan() {
        ManifestPlanner planner =
                new ManifestPlanner(handle, new Parallel(1), ProgressListener.NONE);
        var view = handle.read();
        return planner.plan(new TableView(view.schema(), Optional.empty(), List.of(meta)));
    }

    private static Map<BinaryRow, Long> firstIds(ManifestPlan plan) {
        PlannedManifest source = plan.manifests().get(0);
        RowIdAssignment assignment = RowIdAssignment.assign(1_000_000_000L, plan.summaries());
        return requireNonNull(assignment.firstIds().get(source.meta().fileName()));
    }

    private List<ManifestEntry> read(StagedManifest staged) {
        ManifestFileMeta written = staged.meta().orElseThrow();
        return manifests.read(written.fileName(), written.fileSize());
    }

    @Test
    void thePatchedManifestEqualsTheOneWrittenEntryByEntry() throws Exception {
        ManifestPlan plan = plan();
        PlannedManifest source = plan.manifests().get(0);
        ManifestRewriter rewriter = new ManifestRewriter(handle);

        StagedManifest patched = rewriter.patcher().patch(source, firstIds(plan)).orElseThrow();
        StagedManifest written = rewriter.byEntries(source, plan, firstIds(plan));

        assertEquals(By.BYTES, patched.by());
        assertEquals(read(written), read(patched));
        ManifestFileMeta a = written.meta().orElseThrow();
        ManifestFileMeta b = patched.meta().orElseThrow();
        assertEquals(a, renamed(b, a));
        assertDoesNotThrow(() -> new StagedManifestCheck(rewriter).check(patched));
        assertDoesNotThrow(() -> new StagedManifestCheck(rewriter).check(written));
    }

    private static ManifestFileMeta renamed(ManifestFileMeta meta, ManifestFileMeta like) {
        return new ManifestFileMeta(
                like.fileName(),
                like.fileSize(),
                meta.numAddedFiles(),
                meta.numDeletedFiles(),
                meta.partitionStats(),
                meta.schemaId(),
                meta.minBucket(),
                meta.maxBucket(),
                meta.minLevel(),
                meta.maxLevel(),
                meta.minRowId(),
                meta.maxRowId());
    }

    @Test
    void anyOtherByteThanThoseToBePatchedIsDetected() throws Exception {
        ManifestPlan plan = plan();
        PlannedManifest source = plan.manifests().get(0);
        ManifestRewriter rewriter = new ManifestRewriter(handle);
        StagedManifest patched = rewriter.patcher().patch(source, firstIds(plan)).orElseThrow();
        List<ManifestEntry> entries = new ArrayList<>(read(patched));

        for (Map.Entry<String, Object> other : DataFiles.otherValues().entrySet()) {
            List<ManifestEntry> wrong = new ArrayList<>(entries);
            ManifestEntry entry = wrong.get(CHANGED);
            wrong.set(
                    CHANGED,
                    DataFiles.added(
                            entry.partition(),
                            DataFiles.with(entry.file(), other.getKey(), other.getValue())));
            StagedManifest staged =
                    new StagedManifest(
                            source,
                            Optional.of(manifests.write(wrong).get(0)),
                            patched.firstIds(),
                            patched.content(),
                            By.BYTES);

            IllegalStateException failure =
                    assertThrows(
                            IllegalStateException.class,
                            () -> new StagedManifestCheck(rewriter).check(staged),
                            other.getKey());
            assertTrue(
                    String.valueOf(failure.getMessage()).contains("is wrong and was not committed"),
                    other::toString);
        }
    }

    @Test
    void countingTheBytesGivesWhatCountingTheEntriesGives() {
        ManifestPlan plan = plan();
        meta =
                new ManifestFileMeta(
                        meta.fileName(),
                        meta.fileSize(),
                        meta.numAddedFiles(),
                        1, // said to delete a file, so that it is read entry by entry
                        meta.partitionStats(),
                        meta.schemaId(),
                        meta.minBucket(),
                        meta.maxBucket(),
                        meta.minLevel(),
                        meta.maxLevel(),
                        null,
                        null);

        ManifestPlan byEntries = plan();

        assertEquals(FILES, plan.liveFiles());
        assertEquals(byEntries.summaries(), plan.summaries());
    }
}
