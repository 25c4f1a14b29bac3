package dev.paimoninplace.damage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.paimoninplace.conversion.DataEvolutionConversion;
import dev.paimoninplace.testing.DataFiles;
import dev.paimoninplace.testing.TestTable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.manifest.ManifestEntry;
import org.apache.paimon.table.FileStoreTable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Verification of a table with many files, which exist in its manifests only, in a small heap. */
@Tag("long")
final class VerifyMemoryTest {

    private static final int FILES = 100_000;
    private static final int HEAP_MIB = 128;
    private static final int MINUTES = 5;

    @TempDir Path folder;

    @Test
    void aHundredThousandFilesAreVerifiedInASmallHeap() throws Exception {
        Path warehouse = Files.createDirectories(folder.resolve("warehouse"));
        try (Catalog catalog = TestTable.catalog(warehouse)) {
            TestTable table = TestTable.partitioned(catalog, "t");
            commit(table.load(), 0, FILES);
            DataEvolutionConversion.of(catalog, table.identifier()).run();
        }

        Map<String, String> printed = verify(warehouse);

        assertEquals(String.valueOf(FILES), printed.get("files"));
        assertEquals("{}", printed.get("counts"));
    }

    @Test
    void aHundredThousandStraysAreVerifiedInASmallHeap() throws Exception {
        Path warehouse = Files.createDirectories(folder.resolve("warehouse"));
        try (Catalog catalog = TestTable.catalog(warehouse)) {
            TestTable table = TestTable.partitioned(catalog, "t");
            FileStoreTable job = table.load();
            DataEvolutionConversion.of(catalog, table.identifier()).run();
            commit(job, 0, FILES);
        }

        Map<String, String> printed = verify(warehouse);

        assertEquals(String.valueOf(FILES), printed.get("files"));
        assertEquals("{STRAY_FILE=" + FILES + "}", printed.get("counts"));
        assertEquals("100", printed.get("listed"));
    }

    private static void commit(FileStoreTable table, int from, int to) {
        List<BinaryRow> partitions = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            partitions.add(BinaryRow.singleColumn("p" + i));
        }
        List<ManifestEntry> files = new ArrayList<>(to - from);
        for (int i = from; i < to; i++) {
            files.add(
                    DataFiles.added(
                            partitions.get(i % 100),
                            DataFiles.plain("data-" + i + "-0.parquet", 1000)));
        }
        DataFiles.commit(table, files);
    }

    private Map<String, String> verify(Path warehouse) throws Exception {
        Path out = folder.resolve("out");
        Process process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-Xmx" + HEAP_MIB + "m",
                                "-cp",
                                System.getProperty("java.class.path"),
                                VerifyProcess.class.getName(),
                                warehouse.toString())
                        .redirectErrorStream(true)
                        .redirectOutput(out.toFile())
                        .start();
        assertTrue(process.waitFor(MINUTES, TimeUnit.MINUTES), "It did not end in time.");
        assertEquals(0, process.exitValue(), Files.readString(out));
        Map<String, String> printed = new TreeMap<>();
        for (String line : Files.readAllLines(out)) {
            int equals = line.indexOf('=');
            if (equals > 0) {
                printed.put(line.substring(0, equals), line.substring(equals + 1));
            }
        }
        System.out.println(
                "verify of "
                        + printed.get("files")
                        + " files in a heap of "
                        + HEAP_MIB
                        + " MiB: peak "
                        + printed.get("peak_heap_mib")
                        + " MiB, "
                        + printed.get("counts"));
        return printed;
    }
}
