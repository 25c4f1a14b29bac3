package dev.paimoninplace.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.paimoninplace.conversion.DataEvolutionConversion;
import dev.paimoninplace.testing.TableProof;
import dev.paimoninplace.testing.TestTable;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.manifest.ManifestEntry;

/** One table and one job that writes the numbers of a tap to it. */
final class Scenario implements AutoCloseable {

    private final Path warehouse;
    private final Catalog catalog;
    private final GuardedSession session;
    private final TestTable table;
    private final int parallelism;
    private final Tap tap = Tap.closed();
    private RunningJob job;

    private Scenario(
            Path warehouse,
            Catalog catalog,
            GuardedSession session,
            TestTable table,
            int parallelism) {
        this.warehouse = warehouse;
        this.catalog = catalog;
        this.session = session;
        this.table = table;
        this.parallelism = parallelism;
        session.numbers("numbers", tap, parallelism);
    }

    static MiniClusterExtension cluster() {
        return new MiniClusterExtension(
                new MiniClusterResourceConfiguration.Builder()
                        .setNumberTaskManagers(1)
                        .setNumberSlotsPerTaskManager(8)
                        .build());
    }

    static Scenario unpartitioned(MiniCluster cluster, Path warehouse, String... options) {
        Catalog catalog = TestTable.catalog(warehouse);
        return new Scenario(
                warehouse,
                catalog,
                GuardedSession.open(cluster, warehouse),
                TestTable.unpartitioned(catalog, "t", options),
                1);
    }

    static Scenario partitioned(
            MiniCluster cluster, Path warehouse, int parallelism, String... options) {
        Catalog catalog = TestTable.catalog(warehouse);
        return new Scenario(
                warehouse,
                catalog,
                GuardedSession.open(cluster, warehouse),
                TestTable.partitioned(catalog, "t", options),
                parallelism);
    }

    /** Starts the job through the guarded catalog. */
    void start() {
        start("guarded.db.t");
    }

    /** Starts the job. */
    void start(String sink) {
        job = session.start(GuardedSession.insert(sink, "numbers"));
    }

    /** Makes all numbers below {@code end} part of a checkpoint. */
    void write(int end) {
        emit(end);
        job.checkpoint();
    }

    /** Lets the sources emit all numbers below {@code end}. */
    void emit(int end) {
        tap.openTo(end);
        Await.until("numbers below " + end + " are emitted", () -> tap.isDrained(parallelism));
    }

    /** The same, and waits until they are rows of the table. */
    void writeAndCommit(int end) {
        write(end);
        awaitRows(end);
    }

    void awaitRows(int end) {
        Await.until(
                end + " rows",
                () -> end == Objects.requireNonNull(table.latest()).totalRecordCount());
    }

    /** Converts the table as another session would. */
    void convert() throws Exception {
        try (Catalog other = TestTable.catalog(warehouse)) {
            DataEvolutionConversion.of(other, table.identifier()).run();
        }
    }

    /** Ends the job and proves the rows below {@code end}, each once and with its id. */
    void endAndProve(int end) throws Exception {
        job.cancel();
        prove(end);
    }

    void prove(int end) throws Exception {
        List<ManifestEntry> files = table.files();
        assertEquals(end, TableProof.rowCount(files));
        TableProof.assertConverted(table, GuardedSession.rows(0, end));
        TableProof.assertUpdatesAreVisible(table);
    }

    RunningJob job() {
        return job;
    }

    Tap tap() {
        return tap;
    }

    TestTable table() {
        return table;
    }

    GuardedSession session() {
        return session;
    }

    @Override
    public void close() throws Exception {
        if (job != null && !job.status().isGloballyTerminalState()) {
            job.cancel();
        }
        catalog.close();
    }
}
