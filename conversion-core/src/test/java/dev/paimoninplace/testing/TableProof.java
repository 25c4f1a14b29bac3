package dev.paimoninplace.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.paimoninplace.testing.TestTable.Row;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.paimon.Snapshot;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.manifest.FileKind;
import org.apache.paimon.manifest.ManifestEntry;
import org.apache.paimon.manifest.ManifestFileMeta;
import org.apache.paimon.manifest.ManifestList;
import org.apache.paimon.operation.LocalOrphanFilesClean;
import org.apache.paimon.schema.TableSchema;
import org.apache.paimon.table.FileStoreTable;
import org.jspecify.annotations.Nullable;

/** What must hold for every converted table, computed from its live files by the stock reader. */
public final class TableProof {

    private static final long DAY_MILLIS = 24 * 60 * 60 * 1000L;

    private TableProof() {}

    /** Rows are as expected, and the table is Data Evolution in every respect. */
    public static void assertConverted(TestTable table, Map<Integer, Row> expectedRows) {
        assertEquals(expectedRows, table.rows());
        Snapshot latest = required(table.latest());
        FileStoreTable loaded = table.load();
        assertTracksRows(loaded.schema());
        assertTracksRows(loaded.schemaManager().schema(latest.schemaId()));
        List<ManifestEntry> files = table.files();
        Map<Integer, Long> positions = rowIdsByPosition(table, files);
        positions.keySet().retainAll(expectedRows.keySet());
        assertEquals(positions, table.rowIds());
        long nextRowId = Objects.requireNonNull(latest.nextRowId());
        assertTrue(nextRowId >= Math.max(1, endOfIds(files)), "nextRowId is " + nextRowId);
        assertEquals(rowCount(files), latest.totalRecordCount());
    }

    private static Snapshot required(@Nullable Snapshot snapshot) {
        if (snapshot == null) {
            throw new AssertionError("There is no snapshot.");
        }
        return snapshot;
    }

    private static void assertTracksRows(TableSchema schema) {
        assertEquals("true", schema.options().get("row-tracking.enabled"));
        assertEquals("true", schema.options().get("data-evolution.enabled"));
    }

    /** First id of its file plus position, by the id column; deleted rows too. */
    private static Map<Integer, Long> rowIdsByPosition(TestTable table, List<ManifestEntry> files) {
        Map<Integer, Long> ids = new TreeMap<>();
        Set<Long> taken = new HashSet<>();
        for (ManifestEntry entry : files) {
            if (entry.file().writeCols() != null) {
                continue;
            }
            long next = entry.file().nonNullFirstRowId();
            for (int id : table.idsIn(entry)) {
                assertTrue(taken.add(next), "Row id " + next + " is there twice");
                ids.put(id, next++);
            }
        }
        return ids;
    }

    /** 1 + the highest row id of these files. */
    public static long endOfIds(List<ManifestEntry> files) {
        return files.stream()
                .mapToLong(e -> e.file().nonNullFirstRowId() + e.file().rowCount())
                .max()
                .orElse(0);
    }

    public static long rowCount(List<ManifestEntry> files) {
        return files.stream().mapToLong(entry -> entry.file().rowCount()).sum();
    }

    /** How many gapless runs of row ids each partition consists of. */
    public static Map<BinaryRow, Integer> runsPerPartition(List<ManifestEntry> files) {
        Map<BinaryRow, TreeMap<Long, Long>> ranges = new HashMap<>();
        for (ManifestEntry entry : files) {
            long first = entry.file().nonNullFirstRowId();
            ranges.computeIfAbsent(entry.partition(), p -> new TreeMap<>())
                    .put(first, first + entry.file().rowCount());
        }
        Map<BinaryRow, Integer> runs = new HashMap<>();
        ranges.forEach(
                (partition, ofPartition) -> {
                    long end = -1;
                    int count = 0;
                    for (Map.Entry<Long, Long> range : ofPartition.entrySet()) {
                        count += range.getKey() == end ? 0 : 1;
                        end = range.getValue();
                    }
                    runs.put(partition, count);
                });
        return runs;
    }

    /** Every update of one column of every row is visible. */
    public static void assertUpdatesAreVisible(TestTable table) {
        Map<Integer, Row> expected = new TreeMap<>();
        table.rows()
                .forEach(
                        (id, row) -> expected.put(id, new Row(id, row.name(), -7L * id, row.pt())));
        table.updateV(id -> -7L * id);
        assertEquals(expected, table.rows());
    }

    /** Stock orphan cleaning changes no row and leaves no file that nothing references. */
    public static void assertOrphanCleaningIsSafeAndComplete(TestTable table) {
        Map<Integer, Row> before = table.rows();
        FileStoreTable loaded = table.load();
        try {
            new LocalOrphanFilesClean(loaded, System.currentTimeMillis() + DAY_MILLIS).clean();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
        assertEquals(before, table.rows());
        assertEquals(referencedManifestFiles(loaded), manifestFiles(loaded));
        Set<String> statistics = new TreeSet<>();
        for (Snapshot snapshot : snapshots(loaded)) {
            if (snapshot.statistics() != null) {
                statistics.add(snapshot.statistics());
            }
        }
        assertEquals(statistics, files(loaded, "statistics"));
    }

    /** Names of all files in the folder of manifests. */
    public static Set<String> manifestFiles(FileStoreTable table) {
        return files(table, "manifest");
    }

    private static Set<String> files(FileStoreTable table, String name) {
        Path folder = Path.of(table.location().toUri().getPath(), name);
        if (!Files.exists(folder)) {
            return Set.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString())
                    .collect(Collectors.toCollection(TreeSet::new));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Names of all manifests, manifest lists and index manifests of the retained snapshots. */
    public static Set<String> referencedManifestFiles(FileStoreTable table) {
        Set<String> names = new TreeSet<>();
        ManifestList lists = table.store().manifestListFactory().create();
        for (Snapshot snapshot : snapshots(table)) {
            names.add(snapshot.baseManifestList());
            names.add(snapshot.deltaManifestList());
            if (snapshot.indexManifest() != null) {
                names.add(snapshot.indexManifest());
            }
            for (ManifestFileMeta manifest : lists.readDataManifests(snapshot)) {
                names.add(manifest.fileName());
            }
        }
        return names;
    }

    /** The retained snapshots, oldest first. */
    public static List<Snapshot> snapshots(FileStoreTable table) {
        try {
            List<Snapshot> snapshots = new ArrayList<>();
            table.snapshotManager().snapshots().forEachRemaining(snapshots::add);
            return snapshots;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Entries of the newest snapshot's manifests that delete a file. */
    public static long deleteEntries(FileStoreTable table) {
        Snapshot latest = required(table.snapshotManager().latestSnapshotFromFileSystem());
        var manifestFile = table.store().manifestFileFactory().create();
        return table.store().manifestListFactory().create().readDataManifests(latest).stream()
                .flatMap(m -> manifestFile.read(m.fileName(), m.fileSize()).stream())
                .filter(entry -> entry.kind() == FileKind.DELETE)
                .count();
    }
}
