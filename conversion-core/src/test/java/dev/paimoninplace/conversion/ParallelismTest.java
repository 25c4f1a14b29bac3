package dev.paimoninplace.conversion;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.paimoninplace.testing.TestTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.manifest.ManifestEntry;
import org.apache.paimon.table.FileStoreTable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Row ids do not depend on the number of threads. */
final class ParallelismTest {

    @TempDir Path folder;

    @Test
    void oneAndFourThreadsWriteTheSameEntriesInTheSameManifests() throws Exception {
        Path one = folder.resolve("one");
        Path four = folder.resolve("four");
        try (Catalog catalog = TestTable.catalog(one)) {
            TestTable table =
                    TestTable.partitioned(catalog, "t", "manifest.merge-min-count", "1000");
            for (int commit = 0; commit < 20; commit++) {
                int from = commit * 50;
                table.append(from, from + 50, i -> "p" + i % 7);
            }
            table.dropPartition("p3");
        }
        copy(one, four);

        List<List<ManifestEntry>> withOne = convert(one, 1);
        List<List<ManifestEntry>> withFour = convert(four, 4);

        assertTrue(withOne.size() >= 20, () -> withOne.size() + " manifests");
        assertEquals(withOne, withFour);
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> paths = Files.walk(from)) {
            paths.forEach(
                    path -> {
                        try {
                            Files.copy(path, to.resolve(from.relativize(path)));
                        } catch (IOException e) {
                            throw new UncheckedIOException(e);
                        }
                    });
        }
    }

    private static List<List<ManifestEntry>> convert(Path warehouse, int threads) throws Exception {
        try (Catalog catalog = TestTable.catalog(warehouse)) {
            TestTable table = TestTable.existing(catalog, Identifier.create("db", "t"));
            DataEvolutionConversion.of(catalog, table.identifier())
                    .withOptions(ConversionOptions.DEFAULTS.withThreads(threads))
                    .run();
            FileStoreTable loaded = table.load();
            var manifests = loaded.store().manifestFileFactory().create();
            return loaded
                    .store()
                    .manifestListFactory()
                    .create()
                    .readDataManifests(loaded.snapshotManager().latestSnapshot())
                    .stream()
                    .map(meta -> manifests.read(meta.fileName(), meta.fileSize()))
                    .toList();
        }
    }
}
