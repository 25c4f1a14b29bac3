package dev.paimoninplace.benchmark;

import dev.paimoninplace.conversion.ConversionOptions;
import dev.paimoninplace.conversion.ConversionReport;
import dev.paimoninplace.conversion.DataEvolutionConversion;
import dev.paimoninplace.testing.TestTable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.manifest.BinaryManifestEntry;
import org.apache.paimon.manifest.ManifestEntrySerializer;
import org.apache.paimon.manifest.ManifestFile;
import org.apache.paimon.manifest.ManifestFileMeta;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.utils.CloseableIterator;

/**
 * Compares a conversion with the floor: reading, decoding, encoding and writing every manifest once
 * through Paimon's own entry objects, with as many threads.
 *
 * <p>Arguments: {@code create|floor|convert <warehouse> <files> <threads>}.
 */
public final class ConversionBenchmark {

    private ConversionBenchmark() {}

    public static void main(String[] args) throws Exception {
        Path warehouse = Path.of(args[1]);
        int files = Integer.parseInt(args[2]);
        int threads = Integer.parseInt(args[3]);
        Identifier identifier = Identifier.create("db", "t" + files);
        try (Catalog catalog = TestTable.catalog(warehouse)) {
            long start = System.nanoTime();
            switch (args[0]) {
                case "create" -> ManyFiles.create(catalog, identifier, files);
                case "floor" -> floor((FileStoreTable) catalog.getTable(identifier), threads);
                case "convert" -> convert(catalog, identifier, threads);
                default -> throw new IllegalArgumentException(args[0]);
            }
            long millis = (System.nanoTime() - start) / 1_000_000;
            System.out.println(
                    args[0] + " " + files + " files, " + threads + " threads: " + millis + " ms");
        }
    }

    private static void convert(Catalog catalog, Identifier identifier, int threads) {
        long[] stageMillis = new long[16];
        long[] last = {System.currentTimeMillis()};
        ConversionReport report =
                DataEvolutionConversion.of(catalog, identifier)
                        .withOptions(ConversionOptions.DEFAULTS.withThreads(threads))
                        .withProgress(
                                (stage, done, total) -> {
                                    if (done == total) {
                                        long now = System.currentTimeMillis();
                                        stageMillis[stage.ordinal()] += now - last[0];
                                        System.out.println(
                                                "  " + stage + " " + (now - last[0]) + " ms");
                                        last[0] = now;
                                    }
                                })
                        .run();
        System.out.println(report.resultLine());
    }

    private static void floor(FileStoreTable table, int threads) throws Exception {
        ManifestFile manifestFile = table.store().manifestFileFactory().create();
        List<ManifestFileMeta> manifests =
                table.store()
                        .manifestListFactory()
                        .create()
                        .readDataManifests(table.snapshotManager().latestSnapshot());
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        List<Future<?>> futures = new ArrayList<>();
        for (ManifestFileMeta manifest : manifests) {
            futures.add(pool.submit(() -> copy(table, manifestFile, manifest)));
        }
        for (Future<?> future : futures) {
            future.get();
        }
        pool.shutdown();
        System.out.println(manifests.size() + " manifests");
    }

    private static void copy(FileStoreTable table, ManifestFile file, ManifestFileMeta manifest) {
        ManifestEntrySerializer serializer = new ManifestEntrySerializer();
        ManifestFile.ManifestEntryWriter writer =
                file.createManifestEntryWriter(
                        table.store().pathFactory().manifestFileFactory().newPath());
        try (CloseableIterator<BinaryManifestEntry> entries =
                file.scan(
                        manifest.fileName(),
                        manifest.fileSize(),
                        BinaryManifestEntry.fullProjection())) {
            while (entries.hasNext()) {
                writer.write(serializer.fromRow(entries.next().fullRow()));
            }
            writer.close();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
        writer.abort();
    }
}
