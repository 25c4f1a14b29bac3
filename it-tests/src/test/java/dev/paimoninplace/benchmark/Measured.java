package dev.paimoninplace.benchmark;

import dev.paimoninplace.conversion.ConversionOptions;
import dev.paimoninplace.conversion.ConversionReport;
import dev.paimoninplace.conversion.DataEvolutionConversion;
import dev.paimoninplace.conversion.Estimate;
import dev.paimoninplace.conversion.MetadataRequests;
import dev.paimoninplace.conversion.ProgressListener.Stage;
import dev.paimoninplace.testing.Folders;
import dev.paimoninplace.testing.TestTable;
import dev.paimoninplace.verify.DataEvolutionVerification;
import dev.paimoninplace.verify.VerificationReport;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.paimon.append.dataevolution.DataEvolutionRowIdReassigner;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.manifest.ManifestFileMeta;
import org.apache.paimon.table.FileStoreTable;

/**
 * One measured piece of work in a process of its own. Prints {@code name=millis} lines.
 *
 * <p>Arguments: {@code <work> <warehouse> <files> <threads>}.
 */
public final class Measured {

    private static final int COLD_RUNS = 2;
    private static final int WARM_RUNS = 5;

    private final Catalog catalog;
    private final Path warehouse;
    private final Identifier identifier;
    private final int threads;

    private Measured(Catalog catalog, Path warehouse, Identifier identifier, int threads) {
        this.catalog = catalog;
        this.warehouse = warehouse;
        this.identifier = identifier;
        this.threads = threads;
    }

    public static void main(String[] args) throws Exception {
        int files = Integer.parseInt(args[2]);
        int threads = Integer.parseInt(args[3]);
        Path warehouse = Path.of(args[1]);
        try (Catalog catalog = TestTable.catalog(warehouse)) {
            Identifier identifier = Identifier.create("db", "t");
            Measured measured = new Measured(catalog, warehouse, identifier, threads);
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
                case "convert-under-writer" ->
                        ConversionUnderWriter.run(catalog, identifier, files, threads);
                case "predict" -> measured.predict();
                case "verify" -> measured.verify();
                case "create-rows" -> ManyRows.create(catalog, identifier, files);
                case "rewrite" -> ManyRows.rewrite(catalog, identifier, threads);
                case "reassign" -> measured.reassign();
                case "convert-warm" -> measured.convertWarm();
                case "reassign-warm" -> measured.reassignWarm();
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

    private void floor() throws Exception {
        Floor floor = new Floor(table());
        List<ManifestFileMeta> manifests = floor.manifests();
        forEach(manifests, floor::copy);
        System.out.println("manifests=" + manifests.size());
    }

    private void read() throws Exception {
        Floor floor = new Floor(table());
        forEach(floor.manifests(), floor::read);
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

    /** Converts fresh copies of the table in this process; the median of all but the first two. */
    private void convertWarm() throws Exception {
        System.out.println("assign=" + warm(copy -> copy.convertAll().assignMillis()));
    }

    private void reassignWarm() throws Exception {
        System.out.println(
                "reassign="
                        + warm(
                                copy -> {
                                    long start = System.nanoTime();
                                    copy.reassign();
                                    return millisSince(start);
                                }));
    }

    private interface Timed {
        long millis(Measured copy) throws Exception;
    }

    private long warm(Timed work) throws Exception {
        Path copy = warehouse.resolveSibling(warehouse.getFileName() + "-warm");
        List<Long> millis = new ArrayList<>();
        for (int run = 0; run < COLD_RUNS + WARM_RUNS; run++) {
            Folders.copy(warehouse, copy);
            try (Catalog fresh = TestTable.catalog(copy)) {
                long one = work.millis(new Measured(fresh, copy, identifier, threads));
                if (run >= COLD_RUNS) {
                    millis.add(one);
                }
            }
            Folders.delete(copy);
        }
        Collections.sort(millis);
        return millis.get(WARM_RUNS / 2);
    }

    private void convert() {
        Conversion conversion = convertAll();
        System.out.println("files=" + conversion.report().files());
        System.out.println("assign=" + conversion.assignMillis());
        print(conversion.report());
    }

    private record Conversion(ConversionReport report, long assignMillis) {}

    /** The ids are assigned when the last manifest is written; comparing comes after that. */
    private Conversion convertAll() {
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
        return new Conversion(report, Objects.requireNonNull(ends.get(Stage.REWRITE)));
    }

    private void predict() {
        ConversionReport report =
                DataEvolutionConversion.of(catalog, identifier)
                        .withOptions(ConversionOptions.DEFAULTS.withThreads(threads))
                        .predict();
        Estimate estimate = Objects.requireNonNull(report.estimate());
        System.out.println("estimate=" + estimate.elapsedMillis());
        System.out.println("bytes_per_second=" + estimate.bytesPerSecond());
        print(report);
    }

    private static void print(ConversionReport report) {
        MetadataRequests requests = report.requests();
        System.out.println("list=" + requests.list());
        System.out.println("head=" + requests.head());
        System.out.println("get=" + requests.get());
        System.out.println("put=" + requests.put());
        System.out.println("delete=" + requests.delete());
        System.out.println("manifest_reads=" + report.manifestReads());
        System.out.println("manifest_writes=" + report.manifestWrites());
        System.out.println("bytes_read=" + report.metadataBytesRead());
        System.out.println("bytes_written=" + report.metadataBytesWritten());
    }

    private void verify() {
        VerificationReport report =
                DataEvolutionVerification.of(catalog, identifier).withThreads(threads).run();
        System.out.println("findings=" + report.counts());
        System.out.println("files=" + report.files());
    }

    /** Paimon's own command; it must have every manifest to rewrite, as a conversion has. */
    private void reassign() throws Exception {
        Set<String> before = manifestNames();
        DataEvolutionRowIdReassigner.Result result =
                new DataEvolutionRowIdReassigner(table()).reassign();
        Set<String> kept = manifestNames();
        kept.retainAll(before);
        if (!kept.isEmpty()) {
            throw new IllegalStateException("Paimon kept " + kept.size() + " manifests.");
        }
        System.out.println("files=" + result.fileCount);
    }

    private Set<String> manifestNames() throws Exception {
        Set<String> names = new HashSet<>();
        new Floor(table()).manifests().forEach(manifest -> names.add(manifest.fileName()));
        return names;
    }
}
