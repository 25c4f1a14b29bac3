package dev.paimoninplace.containers;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.command.WaitContainerResultCallback;
import com.github.dockerjava.api.exception.DockerException;
import dev.paimoninplace.testing.Await;
import java.util.concurrent.TimeUnit;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;

/** A command line program of Flink that runs in a container of its own. */
final class ClientProcess implements AutoCloseable {

    private static final int LIMIT_MINUTES = 3;

    private final GenericContainer<?> container;

    private ClientProcess(GenericContainer<?> container) {
        this.container = container;
    }

    /** Starts it in a container that was prepared for that. */
    static ClientProcess start(GenericContainer<?> container) {
        container.start();
        return new ClientProcess(container);
    }

    /**
     * Lets it go on in short steps until something has come about, and leaves all its threads held.
     * Returns false when it ended first.
     */
    boolean holdOnce(String what, Await.Condition condition) {
        Await.until(
                what,
                () -> {
                    if (!freeze() || condition.holds()) {
                        return true;
                    }
                    release();
                    return false;
                });
        return Boolean.TRUE.equals(
                engine().inspectContainerCmd(container.getContainerId())
                        .exec()
                        .getState()
                        .getPaused());
    }

    private boolean freeze() {
        try {
            engine().pauseContainerCmd(container.getContainerId()).exec();
            return true;
        } catch (DockerException e) {
            if (container.isRunning()) {
                throw e;
            }
            return false;
        }
    }

    /** Lets its threads go on. */
    void release() {
        engine().unpauseContainerCmd(container.getContainerId()).exec();
    }

    /** Waits for its end. */
    ClientRun await() {
        try (WaitContainerResultCallback end = new WaitContainerResultCallback()) {
            int exitCode =
                    engine().waitContainerCmd(container.getContainerId())
                            .exec(end)
                            .awaitStatusCode(LIMIT_MINUTES, TimeUnit.MINUTES);
            return new ClientRun(exitCode, container.getLogs());
        } catch (Exception e) {
            throw new AssertionError("It did not end: " + container.getLogs(), e);
        }
    }

    @Override
    public void close() {
        container.stop();
    }

    private static DockerClient engine() {
        return DockerClientFactory.instance().client();
    }
}
