package dev.paimoninplace.benchmark;

import dev.paimoninplace.conversion.ConversionOptions;
import dev.paimoninplace.conversion.ConversionReport;
import dev.paimoninplace.conversion.DataEvolutionConversion;
import dev.paimoninplace.conversion.ProgressListener.Stage;
import dev.paimoninplace.testing.TestTable;
import dev.paimoninplace.verify.DataEvolutionVerification;
import dev.paimoninplace.verify.VerificationReport;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.paimon.append.dataevolution.DataEvolutionRowIdReassigner;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.manifest.BinaryManifestEntry;
import org.apache.paimon.manifest.ManifestEntrySerializer;
import org.apache.paimon.manifest.ManifestFile;
import org.apache.paimon.manifest.ManifestFileMeta;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.utils.CloseableIterator;

/**
 * One measured piece of work in a process of its own. Prints {@code name=millis} lines.
 *
 * <p>Arguments: {@code <work> <warehouse> <files> <threads>}.
 */
public final class Measured {

    private final Catalog catalog;
    private final Identifier identifier;
    private final int threads;

    private Measured(Catalog catalog, Identifier identifier, int threads) {
        this.catalog = catalog;
        this.identifier = identifier;
        this.threads = threads;
    }

    public static void main(String[] args) throws Exception {
        int files = Integer.parseInt(args[2]);
        int threads = Integer.parseInt(args[3]);
        try (Catalog catalog = TestTable.catalog(Path.of(args[1]))) {
            Identifier identifier = Identifier.create("db", "t");
            Measured measured = new Measured(catalog, identifier, threads);
            long start = System.nanoTime();
            switch (args[0]) {
                case "create" -> ManyFiles.create(catalog, identifier, files);
                case "create-small" ->
                        ManyFiles.create(
                                catalog,
                                identifier,
                                files,
                                "manifest.target-file-size",
                                Math.max(1, files / 1_000 * 160) + " b",
                                "manifest.merge-min-count",
                                "1000000",
                                "manifest.full-compaction-threshold-size",
                                "1 tb");
                case "create-twin" ->
                        ManyFiles.create(
                                catalog,
                                identifier,
                                files,
                                "row-tracking.enabled",
                                "true",
                                "data-evolution.enabled",
                                "true",
                                "row-tracking.partition-group-on-commit",
                                "false");
                case "floor" -> measured.floor();
                case "read" -> measured.read();
                case "convert" -> measured.convert();
                case "convert-under-writer" -> measured.convertUnderWriter(files);
                case "verify" -> measured.verify();
                case "reassign" -> measured.reassign();
                default -> throw new IllegalArgumentException("No such work: " + args[0]);
            }
            System.out.println("total=" + millisSince(start));
            System.out.println("peak_heap_mib=" + peakHeapBytes() / (1024 * 1024));
        }
    }

    private static long millisSince(long startNanos) {
        return (System.nanoTime() - startNanos) / 1_000_000;
    }

    private static long peakHeapBytes() {
        return ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getType() == MemoryType.HEAP)
                .map(MemoryPoolMXBean::getPeakUsage)
                .mapToLong(MemoryUsage::getUsed)
                .sum();
    }

    private FileStoreTable table() throws Exception {
        return (FileStoreTable) catalog.getTable(identifier);
    }

    private static List<ManifestFileMeta> manifests(FileStoreTable table) {
        return table.store()
                .manifestListFactory()
                .create()
                .readDataManifests(table.snapshotManager().latestSnapshot());
    }

    /** Reads, decodes, encodes and writes every manifest once through Paimon's entry objects. */
    private void floor() throws Exception {
        FileStoreTable table = table();
        ManifestFile file = table.store().manifestFileFactory().create();
        List<ManifestFileMeta> manifests = manifests(table);
        forEach(manifests, manifest -> copy(table, file, manifest));
        System.out.println("manifests=" + manifests.size());
    }

    /** Reads and decodes every entry once. */
    private void read() throws Exception {
        FileStoreTable table = table();
        ManifestFile file = table.store().manifestFileFactory().create();
        forEach(
                manifests(table),
                manifest -> {
                    ManifestEntrySerializer serializer = new ManifestEntrySerializer();
                    try (CloseableIterator<BinaryManifestEntry> entries = entries(file, manifest)) {
                        while (entries.hasNext()) {
                            serializer.fromRow(entries.next().fullRow());
                        }
                    }
                });
    }

    private interface Work {
        void on(ManifestFileMeta manifest) throws Exception;
    }

    private void forEach(List<ManifestFileMeta> manifests, Work work) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        List<Future<?>> futures = new ArrayList<>();
        for (ManifestFileMeta manifest : manifests) {
            futures.add(
                    pool.submit(
                            () -> {
                                work.on(manifest);
                                return manifest;
                            }));
        }
        for (Future<?> future : futures) {
            future.get();
        }
        pool.shutdown();
    }

    private static CloseableIterator<BinaryManifestEntry> entries(
            ManifestFile file, ManifestFileMeta manifest) {
        return file.scan(
                manifest.fileName(), manifest.fileSize(), BinaryManifestEntry.fullProjection());
    }

    private static void copy(FileStoreTable table, ManifestFile file, ManifestFileMeta manifest)
            throws Exception {
        ManifestEntrySerializer serializer = new ManifestEntrySerializer();
        ManifestFile.ManifestEntryWriter writer =
                file.createManifestEntryWriter(
                        table.store().pathFactory().manifestFileFactory().newPath());
        try (CloseableIterator<BinaryManifestEntry> entries = entries(file, manifest)) {
            while (entries.hasNext()) {
                writer.write(serializer.fromRow(entries.next().fullRow()));
            }
        }
        writer.close();
        file.delete(writer.result().fileName());
    }

    private void convert() {
        Map<Stage, Long> ends = new EnumMap<>(Stage.class);
        long start = System.nanoTime();
        ConversionReport report =
                DataEvolutionConversion.of(catalog, identifier)
                        .withOptions(ConversionOptions.DEFAULTS.withThreads(threads))
                        .withProgress(
                                (stage, done, total) -> {
                                    if (done == total) {
                                        synchronized (ends) {
                                            ends.put(stage, millisSince(start));
                                        }
                                    }
                                })
                        .run();
        System.out.println("files=" + report.files());
        System.out.println("assign=" + ends.get(Stage.REWRITE));
    }

    /** Converts while another thread commits one file, ten times a second. */
    private void convertUnderWriter(int files) throws Exception {
        FileStoreTable stale = table();
        AtomicBoolean stop = new AtomicBoolean();
        AtomicInteger commits = new AtomicInteger();
        ExecutorService writer = Executors.newSingleThreadExecutor();
        Future<?> writing =
                writer.submit(
                        () -> {
                            while (!stop.get()) {
                                int next = files + commits.get();
                                ManyFiles.append(stale, next, next + 1);
                                commits.incrementAndGet();
                                TimeUnit.MILLISECONDS.sleep(100);
                            }
                            return commits;
                        });
        TimeUnit.SECONDS.sleep(3);
        System.out.println("commits_per_second_before=" + commits.get() / 3.0);
        int before = commits.get();
        long start = System.nanoTime();
        try {
            ConversionReport report =
                    DataEvolutionConversion.of(catalog, identifier)
                            .withOptions(ConversionOptions.DEFAULTS.withThreads(threads))
                            .run();
            System.out.println("attempts=" + report.attempts());
            System.out.println("files=" + report.files());
        } finally {
            stop.set(true);
            writing.get();
            writer.shutdown();
        }
        double seconds = millisSince(start) / 1000.0;
        System.out.println("commits_per_second_during=" + (commits.get() - before) / seconds);
    }

    private void verify() {
        VerificationReport report =
                DataEvolutionVerification.of(catalog, identifier).withThreads(threads).run();
        System.out.println("findings=" + report.counts());
        System.out.println("files=" + report.files());
    }

    private void reassign() throws Exception {
        DataEvolutionRowIdReassigner.Result result =
                new DataEvolutionRowIdReassigner(table()).reassign();
        System.out.println("files=" + result.fileCount);
    }
}
