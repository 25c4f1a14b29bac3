package dev.paimoninplace.guard;

import dev.paimoninplace.testing.TestTable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExternalizedCheckpointRetention;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.streaming.api.CheckpointingMode;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.StatementSet;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;

/** A streaming session with a guarded and a stock catalog on one warehouse. */
final class GuardedSession {

    private static final String COLUMNS =
            "n, 'n' || CAST(n AS STRING), CAST(10 * n AS BIGINT), 'p0'";
    private static final long NEVER_MILLIS = 3_600_000L;

    private final MiniCluster cluster;
    private final Path warehouse;
    private final StreamExecutionEnvironment environment;
    private final StreamTableEnvironment tables;

    private GuardedSession(
            MiniCluster cluster, Path warehouse, StreamExecutionEnvironment environment) {
        this.cluster = cluster;
        this.warehouse = warehouse;
        this.environment = environment;
        this.tables = StreamTableEnvironment.create(environment);
    }

    /**
     * A session whose checkpoints are triggered by the test, and whose jobs restart at once.
     *
     * @param more configuration that goes before
     */
    static GuardedSession open(MiniCluster cluster, Path warehouse, Configuration more) {
        Configuration configuration = new Configuration();
        configuration.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
        configuration.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, 20);
        configuration.set(
                RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, Duration.ofMillis(10));
        configuration.set(CheckpointingOptions.CHECKPOINT_STORAGE, "filesystem");
        configuration.set(
                CheckpointingOptions.CHECKPOINTS_DIRECTORY,
                checkpointFolder(warehouse).toUri().toString());
        configuration.set(
                CheckpointingOptions.EXTERNALIZED_CHECKPOINT_RETENTION,
                ExternalizedCheckpointRetention.RETAIN_ON_CANCELLATION);
        configuration.addAll(more);
        StreamExecutionEnvironment environment =
                StreamExecutionEnvironment.getExecutionEnvironment(configuration);
        environment.setParallelism(1);
        environment.enableCheckpointing(
                configuration
                        .getOptional(CheckpointingOptions.CHECKPOINTING_INTERVAL)
                        .map(Duration::toMillis)
                        .orElse(NEVER_MILLIS),
                CheckpointingMode.EXACTLY_ONCE);
        GuardedSession session = new GuardedSession(cluster, warehouse, environment);
        session.createCatalog("guarded", "paimon-guarded");
        session.createCatalog("stock", "paimon");
        return session;
    }

    /** A session whose jobs start from a savepoint or a retained checkpoint. */
    static GuardedSession from(MiniCluster cluster, Path warehouse, String savepoint) {
        Configuration configuration = new Configuration();
        configuration.set(StateRecoveryOptions.SAVEPOINT_PATH, savepoint);
        return open(cluster, warehouse, configuration);
    }

    static Path checkpointFolder(Path warehouse) {
        return warehouse.resolveSibling(warehouse.getFileName() + "-checkpoints");
    }

    private void createCatalog(String name, String type) {
        sql(
                "CREATE CATALOG "
                        + name
                        + " WITH ('type'='"
                        + type
                        + "', 'warehouse'='"
                        + warehouse.toUri()
                        + "')");
    }

    StreamTableEnvironment tables() {
        return tables;
    }

    void sql(String statement) {
        tables.executeSql(statement);
    }

    /** The view {@code numbers} with column {@code n}, fed through a tap. */
    void numbers(String view, Tap tap, int parallelism) {
        tables.createTemporaryView(
                view,
                tables.fromDataStream(
                                environment
                                        .addSource(new NumberSource(tap))
                                        .name(view)
                                        .uid(view)
                                        .setParallelism(parallelism))
                        .as("n"));
    }

    /** The statement that writes the numbers of a view as {@link TestTable} writes its rows. */
    static String insert(String table, String view) {
        return "INSERT INTO " + table + " SELECT " + COLUMNS + " FROM " + view;
    }

    /** The same for a table that has one INT column more. */
    static String insertWithColumn(String table, String view) {
        return "INSERT INTO " + table + " SELECT " + COLUMNS + ", n FROM " + view;
    }

    RunningJob start(String statement) {
        StatementSet set = tables.createStatementSet();
        set.addInsertSql(statement);
        return start(set);
    }

    RunningJob start(StatementSet set) {
        JobClient client = set.execute().getJobClient().orElseThrow();
        return new RunningJob(cluster, client);
    }

    static Map<Integer, TestTable.Row> rows(int from, int to) {
        Map<Integer, TestTable.Row> rows = new TreeMap<>();
        for (int i = from; i < to; i++) {
            rows.put(i, new TestTable.Row(i, "n" + i, 10L * i, "p0"));
        }
        return rows;
    }
}
