package dev.paimoninplace.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.paimoninplace.conversion.DataEvolutionConversion;
import dev.paimoninplace.testing.Await;
import dev.paimoninplace.testing.TableProof;
import dev.paimoninplace.testing.TestTable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.table.api.StatementSet;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.paimon.Snapshot;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.manifest.ManifestEntry;
import org.jspecify.annotations.Nullable;

/** One table and one job that writes the numbers of a tap to it. */
final class Scenario implements AutoCloseable {

    private final Path warehouse;
    private final Catalog catalog;
    private final MiniCluster cluster;
    private GuardedSession session;
    private final TestTable table;
    private final int parallelism;
    private final Tap tap = Tap.closed();
    private @Nullable RunningJob job;

    private Scenario(
            MiniCluster cluster,
            Path warehouse,
            Catalog catalog,
            TestTable table,
            int parallelism) {
        this(cluster, warehouse, catalog, table, parallelism, new Configuration());
    }

    private Scenario(
            MiniCluster cluster,
            Path warehouse,
            Catalog catalog,
            TestTable table,
            int parallelism,
            Configuration configuration) {
        this.cluster = cluster;
        this.warehouse = warehouse;
        this.catalog = catalog;
        this.table = table;
        this.parallelism = parallelism;
        this.session = GuardedSession.open(cluster, warehouse, configuration);
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
                cluster, warehouse, catalog, TestTable.unpartitioned(catalog, "t", options), 1);
    }

    /** A job that takes checkpoints by itself, and compacts. */
    static Scenario withCheckpointsEvery(
            Duration interval, MiniCluster cluster, Path warehouse, int parallelism) {
        Catalog catalog = TestTable.catalog(warehouse);
        Configuration configuration = new Configuration();
        configuration.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, interval);
        configuration.set(CheckpointingOptions.TOLERABLE_FAILURE_NUMBER, 100);
        return new Scenario(
                cluster,
                warehouse,
                catalog,
                TestTable.unpartitioned(catalog, "t", "continuous.discovery-interval", "1 s"),
                parallelism,
                configuration);
    }

    /** A job whose checkpoints are given up soon, and may be. */
    static Scenario withShortCheckpoints(MiniCluster cluster, Path warehouse) {
        Catalog catalog = TestTable.catalog(warehouse);
        Configuration configuration = new Configuration();
        configuration.set(CheckpointingOptions.CHECKPOINTING_TIMEOUT, Duration.ofSeconds(3));
        configuration.set(CheckpointingOptions.TOLERABLE_FAILURE_NUMBER, 100);
        return new Scenario(
                cluster,
                warehouse,
                catalog,
                TestTable.unpartitioned(catalog, "t"),
                1,
                configuration);
    }

    static Scenario partitioned(
            MiniCluster cluster, Path warehouse, int parallelism, String... options) {
        Catalog catalog = TestTable.catalog(warehouse);
        return new Scenario(
                cluster,
                warehouse,
                catalog,
                TestTable.partitioned(catalog, "t", options),
                parallelism);
    }

    /** Starts the job through the guarded catalog. */
    void start() {
        start("guarded.db.t");
    }

    /** Starts the job. */
    void start(String sink) {
        run(GuardedSession.insert(sink, "numbers"));
    }

    /** Starts a job that reads {@code numbers}. */
    void run(String statement) {
        job = session.start(statement);
    }

    void run(StatementSet set) {
        job = session.start(set);
    }

    /** Opens a new session whose job starts from a savepoint or a checkpoint. */
    void resumeFrom(String savepoint) {
        session = GuardedSession.from(cluster, warehouse, savepoint);
        session.numbers("numbers", tap, parallelism);
    }

    String stopWithSavepoint() throws Exception {
        return job().stopWithSavepoint(
                        warehouse.resolveSibling(warehouse.getFileName() + "-savepoints"));
    }

    /** The newest completed checkpoint of the job. */
    String retainedCheckpoint() throws Exception {
        Path folder = GuardedSession.checkpointFolder(warehouse).resolve(job().id().toHexString());
        try (Stream<Path> checkpoints = Files.list(folder)) {
            return checkpoints
                    .filter(path -> Files.exists(path.resolve("_metadata")))
                    .max(Comparator.comparingInt(Scenario::number))
                    .orElseThrow()
                    .toUri()
                    .toString();
        }
    }

    private static int number(Path checkpoint) {
        return Integer.parseInt(checkpoint.getFileName().toString().substring("chk-".length()));
    }

    /** The users of all snapshots but those of conversions and updates. */
    Set<String> jobUsers() {
        return TableProof.snapshots(table.load()).stream()
                .filter(snapshot -> snapshot.commitIdentifier() != Long.MAX_VALUE)
                .map(Snapshot::commitUser)
                .filter(user -> !user.startsWith("enable-data-evolution-"))
                .collect(Collectors.toSet());
    }

    /** Makes all numbers below {@code end} part of a checkpoint. */
    void write(int end) {
        emit(end);
        job().checkpoint();
    }

    /** Waits until the sources have been started again so many times. */
    void awaitRestarts(int restarts) {
        Await.until(restarts + " restart(s)", () -> tap.starts() == (1 + restarts) * parallelism);
        job().awaitRunning();
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
        job().cancel();
        prove(end);
    }

    void prove(int end) throws Exception {
        List<ManifestEntry> files = table.files();
        assertEquals(end, TableProof.rowCount(files));
        TableProof.assertConverted(table, GuardedSession.rows(0, end));
        TableProof.assertUpdatesAreVisible(table);
    }

    RunningJob job() {
        return Objects.requireNonNull(job, "no job was started");
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
        if (job != null && !job().status().isGloballyTerminalState()) {
            job().cancel();
        }
        catalog.close();
    }
}
