package dev.paimoninplace.containers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.paimoninplace.containers.NumberedRows.Content;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a conversion does to a running job of the stock catalog, and the way out: the job is stopped
 * with a savepoint, the table mended, and the job resumed.
 */
@NeedsContainerEngine
final class StockJobITCase {

    private static final int ROWS = 120_000;
    private static final int ROWS_PER_SECOND = 1_000;
    private static final int CHECKPOINTS_BEFORE = 12;
    private static final int CHECKPOINTS = 30;

    private static FlinkImage image;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path work;

    private NumberedRows rows;
    private FlinkCluster flink;

    @BeforeAll
    static void buildImage() throws Exception {
        image = FlinkImage.build();
    }

    @AfterAll
    static void removeImage() {
        image.close();
    }

    @BeforeEach
    void startCluster() throws Exception {
        rows = new NumberedRows(work.resolve("warehouse"));
        flink = FlinkCluster.start(image, work);
    }

    @AfterEach
    void stopCluster() {
        flink.close();
    }

    @Test
    @Timeout(value = 8, unit = TimeUnit.MINUTES)
    void leavesStraysThatAreMendedOnceTheJobIsStopped() throws Exception {
        String job = startJob();
        convert();
        letTheJobDamageTheTable(job);
        String savepoint = flink.stop(job);
        mend();
        resume(savepoint);
    }

    private String startJob() throws Exception {
        String job =
                flink.submit(
                        "SET 'execution.runtime-mode' = 'streaming'",
                        NumberedRows.source(ROWS, ROWS_PER_SECOND),
                        rows.catalog("paimon"),
                        NumberedRows.table("WITH ('sink.operator-uid.suffix'='numbers')"),
                        NumberedRows.insert());
        awaitCheckpoints(job, CHECKPOINTS_BEFORE);
        return job;
    }

    private void awaitCheckpoints(String job, int count) {
        Await.until(
                count + " checkpoints of the job",
                () -> flink.rest().completedCheckpoints(job) >= count);
    }

    private void convert() {
        ClientRun conversion = flink.action(rows.action("enable_data_evolution")).succeeded();
        conversion.find("(Success. Enabled data evolution on table 'db.numbers')");
    }

    private void letTheJobDamageTheTable(String job) throws Exception {
        awaitCheckpoints(job, CHECKPOINTS);

        assertEquals(List.of(), flink.rest().failures(job), "the job does not notice");
        assertEquals(0, flink.rest().restarts(job));
        assertEquals("RUNNING", flink.rest().state(job));
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

    /** Flink gives every row that the savepoint does not hold, quickly, and then the job ends. */
    private void resume(String savepoint) throws Exception {
        String job =
                flink.submit(
                        "SET 'execution.runtime-mode' = 'streaming'",
                        "SET 'execution.state-recovery.path' = '" + savepoint + "'",
                        NumberedRows.source(ROWS, ROWS),
                        rows.catalog("paimon"),
                        NumberedRows.insert());
        Await.until("the job ends", () -> flink.rest().state(job).equals("FINISHED"));

        assertEquals(Content.upTo(ROWS), rows.read());
        verifyAllRows();
    }

    private void verifyAllRows() {
        flink.action(rows.action("verify_data_evolution", "--level", "ROWS"))
                .succeeded()
                .find("(Clean. Table 'db.numbers' is as it should be)");
    }
}
