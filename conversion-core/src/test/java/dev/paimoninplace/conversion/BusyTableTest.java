package dev.paimoninplace.conversion;

import dev.paimoninplace.conversion.ConversionReport.Outcome;
import dev.paimoninplace.testing.TableProof;
import dev.paimoninplace.testing.TestTable;
import dev.paimoninplace.testing.TestTable.Row;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.paimon.catalog.Catalog;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** Writers at full speed, each with its own partitions; their commits merge manifests. */
@Tag("long")
final class BusyTableTest {

    private static final int WRITERS = 3;

    @TempDir Path warehouse;
    private final AtomicBoolean isOver = new AtomicBoolean();

    /** Commits of all writers together: against the others, one of them may starve for long. */
    private final CountDownLatch warm = new CountDownLatch(4 * WRITERS);

    @RepeatedTest(20)
    void everyRowOfEveryWriterIsThereAfterwards(RepetitionInfo repetition) throws Exception {
        try (Catalog catalog = TestTable.catalog(warehouse)) {
            TestTable table =
                    TestTable.partitioned(
                            catalog,
                            "t",
                            "commit.max-retries",
                            "1000",
                            "manifest.merge-min-count",
                            "3");
            ExecutorService pool = Executors.newFixedThreadPool(WRITERS);
            List<Future<Map<Integer, Row>>> writers = new ArrayList<>();
            for (int writer = 0; writer < WRITERS; writer++) {
                int number = writer;
                long seed = 100L * repetition.getCurrentRepetition() + writer;
                writers.add(pool.submit(() -> write(number, new Random(seed))));
            }
            warm.await();

            Map<Integer, Row> rows = new TreeMap<>();
            try {
                convertUntilDone(catalog);
            } finally {
                isOver.set(true);
                for (Future<Map<Integer, Row>> writer : writers) {
                    rows.putAll(writer.get());
                }
                pool.shutdownNow();
            }
            convertUntilDone(catalog);

            TableProof.assertConverted(table, rows);
            TableProof.assertOrphanCleaningIsSafeAndComplete(table);
            TableProof.assertUpdatesAreVisible(table);
        }
    }

    /** A conversion may lose against writers like these; running it again must end well. */
    private static void convertUntilDone(Catalog catalog) {
        Outcome outcome = Outcome.DRY_RUN;
        while (outcome != Outcome.CONVERTED && outcome != Outcome.SKIPPED) {
            try {
                outcome =
                        DataEvolutionConversion.of(catalog, PreparedTable.IDENTIFIER)
                                .run()
                                .outcome();
            } catch (ConversionException e) {
                if (e.kind() != ErrorKind.CONFLICT) {
                    throw e;
                }
            }
        }
    }

    private Map<Integer, Row> write(int writer, Random random) throws Exception {
        Map<Integer, Row> rows = new TreeMap<>();
        try (Catalog catalog = TestTable.catalog(warehouse)) {
            TestTable table = TestTable.existing(catalog, PreparedTable.IDENTIFIER);
            int next = writer * 1_000_000;
            while (!isOver.get()) {
                String partition = "w" + writer + "-" + random.nextInt(3);
                int from = next;
                next += 1 + random.nextInt(30);
                if (random.nextInt(4) == 0) {
                    table.overwrite(partition, from, next);
                    rows.values().removeIf(row -> partition.equals(row.pt()));
                } else {
                    table.append(from, next, i -> partition);
                }
                OtherCommit.add(from, next, partition, rows);
                warm.countDown();
            }
        }
        return rows;
    }
}
