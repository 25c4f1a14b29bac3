package dev.paimoninplace.benchmark;

import dev.paimoninplace.conversion.ConversionException;
import dev.paimoninplace.conversion.ConversionOptions;
import dev.paimoninplace.conversion.ConversionReport;
import dev.paimoninplace.conversion.DataEvolutionConversion;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.table.FileStoreTable;

/** A conversion beside a writer that wants to commit one file ten times a second. */
final class ConversionUnderWriter {

    private static final long INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final int SECONDS_BEFORE = 5;

    private ConversionUnderWriter() {}

    /** Prints attempts, duration, and the writer's commits per second with and without. */
    static void run(Catalog catalog, Identifier identifier, int files, int threads)
            throws Exception {
        FileStoreTable stale = (FileStoreTable) catalog.getTable(identifier);
        AtomicBoolean stop = new AtomicBoolean();
        AtomicInteger commits = new AtomicInteger();
        ExecutorService pool = Executors.newSingleThreadExecutor();
        Future<?> writing = pool.submit(() -> write(stale, files, commits, stop));
        TimeUnit.SECONDS.sleep(SECONDS_BEFORE);
        int before = commits.get();
        long start = System.nanoTime();
        try {
            ConversionReport report =
                    DataEvolutionConversion.of(catalog, identifier)
                            .withOptions(ConversionOptions.DEFAULTS.withThreads(threads))
                            .run();
            System.out.println("attempts=" + report.attempts());
            System.out.println("files=" + report.files());
        } catch (ConversionException e) {
            System.out.println("attempts=" + e.code());
        } finally {
            double seconds = (System.nanoTime() - start) / 1e9;
            int during = commits.get() - before;
            stop.set(true);
            writing.get();
            pool.shutdown();
            System.out.printf("conversion=%d%n", Math.round(seconds * 1_000));
            System.out.printf("commits_per_second_before=%.1f%n", before / (double) SECONDS_BEFORE);
            System.out.printf("commits_per_second_during=%.1f%n", during / seconds);
        }
    }

    private static Void write(
            FileStoreTable table, int files, AtomicInteger commits, AtomicBoolean stop)
            throws Exception {
        long next = System.nanoTime();
        while (!stop.get()) {
            int file = files + commits.get();
            ManyFiles.append(table, file, file + 1);
            commits.incrementAndGet();
            next += INTERVAL_NANOS;
            TimeUnit.NANOSECONDS.sleep(Math.max(0, next - System.nanoTime()));
        }
        return null;
    }
}
