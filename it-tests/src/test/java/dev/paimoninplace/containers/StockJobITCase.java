package dev.paimoninplace.containers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.paimoninplace.containers.NumberedRows.Content;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a conversion does to a running job of the stock catalog, and the way out: the job is stopped
 * with a savepoint, the table mended, and the job resumed.
 */
@Tag("long")
@NeedsContainerEngine
final class StockJobITCase {

    private static final int ROWS = 300_000;
    private static final int ROWS_PER_SECOND = 1_000;
    private static final int CHECKPOINTS_BEFORE = 12;
    private static final int CHECKPOINTS = 30;

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
    void leavesStraysThatAreMendedOnceTheJobIsStopped() throws Exception {
        StreamingJob job = startJob();
        convert();
        letTheJobDamageTheTable(job);
        String savepoint = flink.stop(job);
        mend();
        resume(savepoint);
    }

    private StreamingJob startJob() throws Exception {
        StreamingJob job =
                flink.submit(
                        "SET 'execution.runtime-mode' = 'streaming'",
                        NumberedRows.sources(ROWS, ROWS_PER_SECOND),
                        rows.catalog("paimon"),
                        NumberedRows.table("WITH ('sink.operator-uid.suffix'='numbers')"),
                        NumberedRows.insert());
        job.awaitCheckpoints(CHECKPOINTS_BEFORE);
        return job;
    }

    private void convert() {
        ClientRun conversion = flink.action(rows.action("enable_data_evolution")).succeeded();
        conversion.find("(Success. Enabled data evolution on table 'db.numbers')");
    }

    private void letTheJobDamageTheTable(StreamingJob job) throws Exception {
        job.awaitCheckpoints(CHECKPOINTS);

        assertEquals(List.of(), job.failures(), "the job does not notice");
        assertEquals(0, job.restarts());
        assertEquals("RUNNING", job.state());
        ClientRun verification = flink.action(rows.action("verify_data_evolution"));
        assertTrue(verification.exitCode() != 0, verification::output);
        verification.find("(\\[FOUND/STRAY_FILE, exit code 6\\])");
        ClientRun query =
                flink.sql(
                        "SET 'execution.runtime-mode' = 'batch'",
                        rows.catalog("paimon"),
                        "SELECT MAX(id) FROM db.numbers");
        query.find("(First row id should not be null)");
    }

    private void mend() throws Exception {
        long committed = rows.committedRowCount();
        ClientRun repair = flink.action(rows.action("enable_data_evolution")).succeeded();
        repair.find("(Repaired. Table 'db.numbers')");
        verifyAllRows();
        Content content = rows.read();
        assertEquals(committed, content.rowCount());
        assertEquals(committed, content.distinctCount());
        assertEquals(0, content.wrongCount());
    }

    /** Flink gives every row that the savepoint does not hold, quickly. */
    private void resume(String savepoint) throws Exception {
        StreamingJob job =
                flink.submit(
                        "SET 'execution.runtime-mode' = 'streaming'",
                        NumberedRows.recovery(savepoint),
                        NumberedRows.sources(ROWS, ROWS),
                        rows.catalog("paimon"),
                        NumberedRows.insert());
        rows.awaitCommitted(ROWS);
        assertEquals(List.of(), job.failures());
        flink.stop(job);

        assertEquals(Content.upTo(ROWS), rows.read());
        verifyAllRows();
    }

    private void verifyAllRows() {
        flink.action(rows.action("verify_data_evolution", "--level", "ROWS"))
                .succeeded()
                .find("(Clean. Table 'db.numbers' is as it should be)");
    }
}
