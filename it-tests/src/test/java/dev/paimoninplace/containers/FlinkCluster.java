package dev.paimoninplace.containers;

import com.github.dockerjava.api.model.Bind;
import com.github.dockerjava.api.model.Volume;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.startupcheck.IsRunningStartupCheckStrategy;
import org.testcontainers.utility.DockerImageName;

/**
 * A Flink whose JobManager, TaskManager and client programs are containers in the network of this
 * machine. They share one folder, which has the same path inside as outside.
 */
final class FlinkCluster implements AutoCloseable {

    private static final int SLOTS = 4;
    private static final String ACTION_JAR = "action.jar";
    private static final Path BUILT_ACTION =
            Path.of(
                    "../flink-action/target/paimon-inplace-flink-action-%s.jar"
                            .formatted(System.getProperty("project.version")));

    private final FlinkImage image;
    private final Path work;
    private final FlinkConf conf;
    private @Nullable GenericContainer<?> jobManager;
    private @Nullable GenericContainer<?> taskManager;
    private int startCount;

    private FlinkCluster(FlinkImage image, Path work, FlinkConf conf) {
        this.image = image;
        this.work = work;
        this.conf = conf;
    }

    /** Starts both and waits for the slots. */
    static FlinkCluster start(FlinkImage image, Path work) throws IOException {
        Files.copy(BUILT_ACTION, work.resolve(ACTION_JAR));
        FlinkCluster cluster = new FlinkCluster(image, work, FlinkConf.write(work));
        try {
            cluster.startJobManager();
            cluster.startTaskManager();
        } catch (RuntimeException | Error e) {
            cluster.close();
            throw e;
        }
        return cluster;
    }

    JobRest rest() {
        return new JobRest(conf.restPort());
    }

    void startJobManager() {
        jobManager = container("jobmanager.sh", "start-foreground");
        jobManager.start();
    }

    /** Starts it and waits until the JobManager has its slots, those in use included. */
    void startTaskManager() {
        taskManager = container("taskmanager.sh", "start-foreground");
        taskManager.start();
        Await.until("the TaskManager offers its slots", () -> rest().slots() == SLOTS);
    }

    /** Ends it at once, as a lost machine does. */
    void killJobManager() {
        kill(Objects.requireNonNull(jobManager));
        jobManager = null;
    }

    /** Ends it at once, as a lost machine does. */
    void killTaskManager() {
        kill(Objects.requireNonNull(taskManager));
        taskManager = null;
    }

    private static void kill(GenericContainer<?> container) {
        DockerClientFactory.instance().client().killContainerCmd(container.getContainerId()).exec();
        container.stop();
    }

    /** Runs SQL statements with Flink's SQL client, and waits for its end. */
    ClientRun sql(String... statements) throws IOException {
        startCount++;
        Path script = work.resolve("script-" + startCount + ".sql");
        Files.writeString(script, String.join(";\n", statements) + ";\n");
        return client("sql-client.sh", "-f", script.toString());
    }

    /** Runs SQL statements that start one job, and returns its id. */
    String submit(String... statements) throws IOException {
        return sql(statements).succeeded().find("Job ID: ([0-9a-f]{32})");
    }

    /** Stops a job with a savepoint and returns the address of that. */
    String stop(String job) {
        String folder = work.resolve("savepoints").toUri().toString();
        return client("flink", "stop", "--savepointPath", folder, job)
                .succeeded()
                .find("Savepoint completed. Path: (\\S+)");
    }

    /** Runs an action with {@code flink run}, and waits for its end. */
    ClientRun action(List<String> arguments) {
        try (ClientProcess client = beginAction(arguments)) {
            return client.await();
        }
    }

    /** Starts an action with {@code flink run}. */
    ClientProcess beginAction(List<String> arguments) {
        List<String> command =
                new ArrayList<>(List.of("flink", "run", work.resolve(ACTION_JAR).toString()));
        command.addAll(arguments);
        return ClientProcess.start(container(command.toArray(new String[0])));
    }

    private ClientRun client(String... command) {
        try (ClientProcess client = ClientProcess.start(container(command))) {
            return client.await();
        }
    }

    private GenericContainer<?> container(String... command) {
        startCount++;
        String logs = work.resolve("log/" + startCount + "-" + command[0]).toString();
        GenericContainer<?> container =
                new GenericContainer<>(DockerImageName.parse(image.name()))
                        .withNetworkMode("host")
                        .withStartupCheckStrategy(new IsRunningStartupCheckStrategy())
                        .withEnv("FLINK_CONF_DIR", conf.folder().toString())
                        .withEnv("FLINK_LOG_DIR", logs)
                        .withEnv("FLINK_PID_DIR", "/tmp/run")
                        // Of the client programs: they start, ask and end.
                        .withEnv("JVM_ARGS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")
                        .withCommand(command);
        String folder = work.toString();
        String user = user();
        return container.withCreateContainerCmdModifier(
                create ->
                        Objects.requireNonNull(create.withUser(user).getHostConfig())
                                .withBinds(new Bind(folder, new Volume(folder))));
    }

    /** Whoever runs the tests owns the files that the containers write. */
    private String user() {
        try {
            return Files.getAttribute(work, "unix:uid")
                    + ":"
                    + Files.getAttribute(work, "unix:gid");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        List<@Nullable GenericContainer<?>> containers = Arrays.asList(taskManager, jobManager);
        for (GenericContainer<?> container : containers) {
            if (container != null) {
                container.stop();
            }
        }
    }
}
