package dev.paimoninplace.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.paimoninplace.testing.TableProof;
import dev.paimoninplace.testing.TestTable;
import java.nio.file.Path;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.test.junit5.InjectMiniCluster;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.paimon.catalog.Catalog;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A streaming job whose table is converted under it comes back by itself. */
final class SelfHealingITCase {

    @RegisterExtension
    static final MiniClusterExtension CLUSTER =
            new MiniClusterExtension(
                    new MiniClusterResourceConfiguration.Builder()
                            .setNumberTaskManagers(1)
                            .setNumberSlotsPerTaskManager(4)
                            .build());

    private static final int STEP = 2_000;

    @TempDir Path warehouse;
    private Catalog catalog;

    @BeforeEach
    void open() {
        catalog = TestTable.catalog(warehouse);
    }

    @AfterEach
    void close() throws Exception {
        catalog.close();
    }

    @Test
    void goesOnAsAWriterOfTheConvertedTable(@InjectMiniCluster MiniCluster cluster)
            throws Exception {
        TestTable table = TestTable.unpartitioned(catalog, "t");
        GuardedSession session = GuardedSession.open(cluster, warehouse);
        Tap tap = Tap.closed();
        session.numbers("numbers", tap, 1);
        RunningJob job = session.start(GuardedSession.insert("guarded.db.t", "numbers"));
        write(job, tap, STEP);
        Await.until("a first commit", () -> table.rows().size() == STEP);

        GuardedSession.convert(warehouse, table);
        write(job, tap, 2 * STEP);
        Await.until("what was refused is committed", () -> table.rows().size() == 2 * STEP);
        write(job, tap, 3 * STEP);
        Await.until("the next commit", () -> table.rows().size() == 3 * STEP);
        String failures = job.failures();
        job.cancel();

        assertEquals(2, tap.starts());
        assertTrue(failures.contains("StaleWriterException"), failures);
        TableProof.assertConverted(table, GuardedSession.rows(0, 3 * STEP));
        assertEquals(3 * STEP, TableProof.rowCount(table.files()));
        TableProof.assertUpdatesAreVisible(table);
    }

    private static void write(RunningJob job, Tap tap, int end) {
        tap.openTo(end);
        Await.until("numbers below " + end + " are emitted", () -> tap.isDrained(1));
        job.checkpoint();
    }
}
