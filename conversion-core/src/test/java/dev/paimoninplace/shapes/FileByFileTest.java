package dev.paimoninplace.shapes;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.paimoninplace.testing.DataFiles;
import dev.paimoninplace.testing.FolderListing;
import dev.paimoninplace.testing.TestTable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.paimon.Snapshot;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.deletionvectors.DeletionVector;
import org.apache.paimon.index.IndexFileMeta;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.manifest.FileSource;
import org.apache.paimon.manifest.IndexManifestEntry;
import org.apache.paimon.manifest.ManifestEntry;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.source.DeletionFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every attribute of every live file before and after a conversion, side by side. */
final class FileByFileTest {

    private static final Set<String> CHANGED_BY_RULE =
            Set.of(
                    DataFileMeta.FIRST_ROW_ID,
                    DataFileMeta.MIN_SEQUENCE_NUMBER,
                    DataFileMeta.MAX_SEQUENCE_NUMBER);
    private static final List<String> PRINTED =
            List.of(
                    DataFileMeta.FILE_NAME,
                    DataFileMeta.ROW_COUNT,
                    DataFileMeta.SCHEMA_ID,
                    DataFileMeta.FILE_SOURCE,
                    DataFileMeta.MIN_SEQUENCE_NUMBER,
                    DataFileMeta.MAX_SEQUENCE_NUMBER,
                    DataFileMeta.FIRST_ROW_ID);

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

    /** Files that differ in every attribute that a real append file can differ in. */
    private TestTable tableWithEveryKindOfFile() {
        TestTable table =
                TestTable.partitioned(
                        catalog,
                        "t",
                        "deletion-vectors.enabled",
                        "true",
                        "file-index.bloom-filter.columns",
                        "name",
                        "file-index.in-manifest-threshold",
                        "1 mb",
                        "manifest.merge-min-count",
                        "1000");
        table.append(0, 400, i -> "p" + i % 2);
        table.setOption("file-index.in-manifest-threshold", "1 b");
        table.addColumn("w");
        table.append(400, 800, i -> "p" + i % 2);
        table.setOption("metadata.stats-mode", "none");
        table.append(800, 1000, i -> "p" + i % 2);
        table.setOption("data-file.external-paths", warehouse.resolve("elsewhere").toUri() + "");
        table.setOption("data-file.external-paths.strategy", "round-robin");
        table.append(1000, 1300, i -> "p" + i % 3);
        table.delete(id -> id % 10 == 0);
        table.overwrite("p2", 1300, 1400);
        return table;
    }

    /** A file that exists on paper only, as Paimon 0.8 registered it, and one with its row id. */
    private static void addPaperFiles(TestTable table) {
        BinaryRow partition = BinaryRow.singleColumn("paper");
        DataFileMeta withoutSource =
                DataFiles.with(
                        DataFiles.plain("data-old.parquet", 100), DataFileMeta.FILE_SOURCE, null);
        DataFileMeta withId =
                DataFiles.plain("data-known.parquet", 100)
                        .assignFirstRowId(500)
                        .assignSequenceNumber(1, 2);
        DataFileMeta withIdAndCounters =
                DataFiles.plain("data-counters.parquet", 100)
                        .assignFirstRowId(700)
                        .assignSequenceNumber(100, 199);
        DataFiles.commit(
                table.load(),
                List.of(
                        DataFiles.added(partition, withoutSource),
                        DataFiles.added(partition, withId),
                        DataFiles.added(partition, withIdAndCounters)));
    }

    @Test
    void onlyRowIdsSequencesAndAMissingFileSourceDiffer() {
        TestTable table = tableWithEveryKindOfFile();
        addPaperFiles(table);
        Map<String, ManifestEntry> before = byName(table);
        Map<String, List<Long>> vectorsBefore = deletionVectors(table);
        Map<String, String> listing = dataFiles();
        Snapshot latest = table.load().latestSnapshot().orElseThrow();

        ConvertedTable.conversion(table).run();

        Map<String, ManifestEntry> after = byName(table);
        assertEquals(before.keySet(), after.keySet());
        print(before, after);
        before.forEach((name, entry) -> assertSame(entry, requireNonNull(after.get(name))));
        assertFirstIdsDiffer(after);
        Snapshot sealed = table.load().latestSnapshot().orElseThrow();
        assertEquals(latest.indexManifest(), sealed.indexManifest());
        assertEquals(latest.totalRecordCount(), sealed.totalRecordCount());
        assertEquals(vectorsBefore, deletionVectors(table));
        assertTrue(vectorsBefore.values().stream().anyMatch(v -> v.size() > 1));
        assertEquals(listing, dataFiles());
    }

    @Test
    void theTableHoldsEveryKindOfFile() {
        TestTable table = tableWithEveryKindOfFile();
        List<DataFileMeta> files = table.files().stream().map(ManifestEntry::file).toList();

        assertTrue(files.stream().anyMatch(f -> f.embeddedIndex() != null));
        assertTrue(files.stream().anyMatch(f -> !f.extraFiles().isEmpty()));
        assertTrue(files.stream().anyMatch(f -> f.externalPath().isPresent()));
        assertTrue(files.stream().anyMatch(f -> f.schemaId() == 0));
        assertTrue(files.stream().anyMatch(f -> f.schemaId() > 1));
        assertTrue(files.stream().anyMatch(f -> f.valueStatsCols() != null));
        assertTrue(files.stream().anyMatch(f -> f.maxSequenceNumber() > 100));
    }

    private static void assertSame(ManifestEntry before, ManifestEntry after) {
        assertEquals(before.kind(), after.kind());
        assertEquals(before.partition(), after.partition());
        assertEquals(before.bucket(), after.bucket());
        assertEquals(before.totalBuckets(), after.totalBuckets());
        Map<String, String> was = new TreeMap<>(DataFiles.attributes(before.file()));
        Map<String, String> is = new TreeMap<>(DataFiles.attributes(after.file()));
        if (before.file().fileSource().isEmpty()) {
            assertEquals(FileSource.APPEND, after.file().fileSource().orElseThrow());
            was.remove(DataFileMeta.FILE_SOURCE);
            is.remove(DataFileMeta.FILE_SOURCE);
        }
        boolean hadUsableSequences =
                before.file().firstRowId() != null && before.file().maxSequenceNumber() < 100;
        long min = hadUsableSequences ? before.file().minSequenceNumber() : 1;
        long max = hadUsableSequences ? before.file().maxSequenceNumber() : 1;
        assertEquals(min, after.file().minSequenceNumber());
        assertEquals(max, after.file().maxSequenceNumber());
        if (before.file().firstRowId() != null) {
            assertEquals(before.file().firstRowId(), after.file().firstRowId());
        }
        was.keySet().removeAll(CHANGED_BY_RULE);
        is.keySet().removeAll(CHANGED_BY_RULE);
        assertEquals(was, is);
    }

    private static void assertFirstIdsDiffer(Map<String, ManifestEntry> files) {
        Set<Long> firstIds = new TreeSet<>();
        files.values().forEach(entry -> firstIds.add(entry.file().nonNullFirstRowId()));
        assertEquals(files.size(), firstIds.size());
    }

    private static Map<String, ManifestEntry> byName(TestTable table) {
        Map<String, ManifestEntry> files = new TreeMap<>();
        table.files().forEach(entry -> files.put(entry.file().fileName(), entry));
        return files;
    }

    /** Everything outside the folders of metadata. */
    private Map<String, String> dataFiles() {
        Map<String, String> listing = new HashMap<>(FolderListing.of(warehouse));
        listing.keySet()
                .removeIf(path -> path.matches("(db\\.db(/t(/(manifest|snapshot|schema).*)?)?)?"));
        return listing;
    }

    /** Deleted positions by data file. */
    private static Map<String, List<Long>> deletionVectors(TestTable table) {
        FileStoreTable loaded = table.load();
        var handler = loaded.store().newIndexFileHandler();
        Map<String, List<Long>> vectors = new TreeMap<>();
        for (IndexManifestEntry entry :
                handler.scan(loaded.latestSnapshot().orElseThrow(), "DELETION_VECTORS")) {
            IndexFileMeta file = entry.indexFile();
            var ranges = file.dvRanges();
            if (ranges == null) {
                continue;
            }
            ranges.forEach(
                    (name, range) -> {
                        DeletionFile deletion =
                                new DeletionFile(
                                        handler.filePath(entry).toString(),
                                        range.offset(),
                                        range.length(),
                                        range.cardinality());
                        vectors.put(name, positions(loaded, deletion));
                    });
        }
        return vectors;
    }

    private static List<Long> positions(FileStoreTable table, DeletionFile deletion) {
        try {
            DeletionVector vector = DeletionVector.read(table.fileIO(), deletion);
            List<Long> positions = new ArrayList<>();
            for (long i = 0; i < 1000; i++) {
                if (vector.isDeleted(i)) {
                    positions.add(i);
                }
            }
            return positions;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static void print(Map<String, ManifestEntry> before, Map<String, ManifestEntry> after) {
        StringBuilder text = new StringBuilder(String.join(" | ", PRINTED)).append('\n');
        before.forEach(
                (name, entry) -> {
                    Map<String, String> was = DataFiles.attributes(entry.file());
                    Map<String, String> is =
                            DataFiles.attributes(requireNonNull(after.get(name)).file());
                    List<String> cells = new ArrayList<>();
                    for (String attribute : PRINTED) {
                        String old = was.get(attribute);
                        String now = is.get(attribute);
                        cells.add(String.valueOf(now).equals(old) ? old : old + " -> " + now);
                    }
                    text.append(String.join(" | ", cells)).append('\n');
                });
        System.out.print(text);
    }
}
