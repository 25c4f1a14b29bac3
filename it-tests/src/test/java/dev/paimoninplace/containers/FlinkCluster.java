package dev.paimoninplace.containers;

import com.github.dockerjava.api.model.Bind;
import com.github.dockerjava.api.model.Volume;
import dev.paimoninplace.testing.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
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

    /** Builds an image, starts both and waits for the slots. */
    static FlinkCluster start(Path work) throws IOException {
        Files.copy(BUILT_ACTION, work.resolve(ACTION_JAR));
        FlinkConf conf = FlinkConf.write(work);
        FlinkCluster cluster = new FlinkCluster(FlinkImage.build(), work, conf);
        try {
            cluster.startJobManager();
            cluster.startTaskManager();
        } catch (RuntimeException | Error e) {
            cluster.close();
            throw e;
        }
        return cluster;
    }

    private JobRest rest() {
        return new JobRest(conf.restPort());
    }

    private void startJobManager() {
        jobManager = container("jobmanager.sh", "start-foreground");
        jobManager.start();
    }

    private void startTaskManager() {
        taskManager = container("taskmanager.sh", "start-foreground");
        taskManager.start();
        awaitSlots(SLOTS);
    }

    private void awaitSlots(int count) {
        Await.until(
                "the JobManager knows of " + count + " slots, used or not",
                () -> rest().slots() == count);
    }

    /** Ends the TaskManager as a lost machine does, and starts another when that was noticed. */
    void replaceTaskManager() {
        kill(Objects.requireNonNull(taskManager));
        taskManager = null;
        awaitSlots(0);
        startTaskManager();
    }

    /** Ends the JobManager as a lost machine does, and starts another, which knows no job. */
    void replaceJobManager() {
        kill(Objects.requireNonNull(jobManager));
        jobManager = null;
        startJobManager();
        awaitSlots(SLOTS);
    }

    /** Address of the latest checkpoint that was completed, whatever became of its job since. */
    String latestCheckpoint(StreamingJob job) throws IOException {
        String prefix = "chk-";
        try (Stream<Path> folders = Files.list(work.resolve("checkpoints").resolve(job.id()))) {
            return folders.filter(folder -> Files.exists(folder.resolve("_metadata")))
                    .max(
                            Comparator.comparingInt(
                                    folder ->
                                            Integer.parseInt(
                                                    folder.getFileName()
                                                            .toString()
                                                            .substring(prefix.length()))))
                    .orElseThrow()
                    .toUri()
                    .toString();
        }
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

    /** Runs SQL statements that start one job. */
    StreamingJob submit(String... statements) throws IOException {
        String id = sql(statements).succeeded().find("Job ID: ([0-9a-f]{32})");
        return new StreamingJob(rest(), id);
    }

    /** Stops a job with a savepoint and returns the address of that. */
    String stop(StreamingJob job) {
        String folder = work.resolve("savepoints").toUri().toString();
        return client("flink", "stop", "--savepointPath", folder, job.id())
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
        image.close();
    }
}
