package dev.paimoninplace.containers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.paimoninplace.containers.NumberedRows.Content;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * A job of the guarded catalog goes through a conversion, the loss of its TaskManager in the middle
 * of that, and later the loss of the JobManager, and no row is lost or doubled.
 */
@NeedsContainerEngine
final class GuardedJobITCase {

    private static final int ROWS = 400_000;
    private static final int ROWS_PER_SECOND = 1_000;
    private static final int CHECKPOINTS_BEFORE = 12;
    private static final int CHECKPOINTS_AFTER = 10;
    private static final int MOST_RESTARTS = 8;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path work;

    private NumberedRows rows;
    private FlinkCluster flink;

    @BeforeEach
    void startCluster() throws Exception {
        rows = new NumberedRows(work.resolve("warehouse"));
        flink = FlinkCluster.start(work);
    }

    @AfterEach
    void stopCluster() {
        flink.close();
    }

    @Test
    @Timeout(value = 15, unit = TimeUnit.MINUTES)
    void keepsEveryRowThroughAConversionAndTheLossOfBothManagers() throws Exception {
        StreamingJob job = startJob();
        convertAndLoseTheTaskManager(job);
        seeThatTheJobWentOnByItself(job);
        flink.replaceJobManager();
        resume(flink.latestCheckpoint(job));
    }

    private StreamingJob startJob() throws Exception {
        StreamingJob job =
                flink.submit(
                        "SET 'execution.runtime-mode' = 'streaming'",
                        NumberedRows.sources(ROWS, ROWS_PER_SECOND),
                        rows.catalog("paimon-guarded"),
                        NumberedRows.table("PARTITIONED BY (kind)"),
                        NumberedRows.insert());
        job.awaitCheckpoints(CHECKPOINTS_BEFORE);
        assertEquals(List.of(), job.failures());
        return job;
    }

    /** The conversion stands still from its first commit on until the new TaskManager is there. */
    private void convertAndLoseTheTaskManager(StreamingJob job) throws Exception {
        try (ClientProcess conversion = flink.beginAction(rows.action("enable_data_evolution"))) {
            boolean held =
                    conversion.holdOnce(
                            "the conversion commits", () -> rows.conversionCommits() > 0);
            System.out.printf(
                    "The conversion is %s after %d commit(s), with the schema %s.%n",
                    held ? "held" : "over",
                    rows.conversionCommits(),
                    rows.flipped() ? "changed" : "unchanged");
            job.awaitFailure("StaleWriterException");
            int failureCount = job.failures().size();
            flink.replaceTaskManager();
            assertTrue(job.failures().size() > failureCount, "its loss fails the job");
            job.awaitMoreCheckpoints(1);
            if (held) {
                conversion.release();
            }
            System.out.println(
                    conversion
                            .await()
                            .succeeded()
                            .find("(Success. Enabled data evolution on table 'db.numbers'.*)"));
        }
    }

    private void seeThatTheJobWentOnByItself(StreamingJob job) throws Exception {
        job.awaitMoreCheckpoints(CHECKPOINTS_AFTER);

        assertEquals("RUNNING", job.state());
        int restarts = job.restarts();
        System.out.println("The job restarted " + restarts + " times, because of:");
        job.failures().forEach(failure -> System.out.println("  " + failure.split("\n", 2)[0]));
        // One for the lost TaskManager, one for each pass of the conversion that found new files.
        assertTrue(restarts >= 2 && restarts <= MOST_RESTARTS, () -> "restarts: " + restarts);
        verify("METADATA");
    }

    /** Flink gives every row that the checkpoint does not hold, quickly. */
    private void resume(String checkpoint) throws Exception {
        StreamingJob job =
                flink.submit(
                        "SET 'execution.runtime-mode' = 'streaming'",
                        NumberedRows.recovery(checkpoint),
                        NumberedRows.sources(ROWS, ROWS),
                        rows.catalog("paimon-guarded"),
                        NumberedRows.insert());
        rows.awaitCommitted(ROWS);
        assertEquals(Path.of(URI.create(checkpoint)), Path.of(URI.create(job.restoredFrom())));
        assertEquals(List.of(), job.failures());
        flink.stop(job);

        assertEquals(Content.upTo(ROWS), rows.read());
        verify("ROWS");
    }

    private void verify(String level) {
        flink.action(rows.action("verify_data_evolution", "--level", level))
                .succeeded()
                .find("(Clean. Table 'db.numbers' is as it should be)");
    }
}
