package dev.paimoninplace.guard;

import dev.paimoninplace.testing.Await;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.execution.ExecutionState;
import org.apache.flink.runtime.executiongraph.AccessExecutionGraph;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.jspecify.annotations.Nullable;

/** A job of a test. */
final class RunningJob {

    private final MiniCluster cluster;
    private final JobClient client;
    private @Nullable Exception lastFailure;

    RunningJob(MiniCluster cluster, JobClient client) {
        this.cluster = cluster;
        this.client = client;
    }

    JobID id() {
        return client.getJobID();
    }

    JobStatus status() throws Exception {
        return client.getJobStatus().get();
    }

    /** Waits until all tasks run. */
    void awaitRunning() {
        Await.until("all tasks run", this::allTasksRun);
    }

    private boolean allTasksRun() throws Exception {
        AccessExecutionGraph graph = graph();
        for (var vertex : graph.getAllExecutionVertices()) {
            if (vertex.getExecutionState() != ExecutionState.RUNNING
                    && vertex.getExecutionState() != ExecutionState.FINISHED) {
                return false;
            }
        }
        return graph.getState() == JobStatus.RUNNING;
    }

    AccessExecutionGraph graph() throws Exception {
        return cluster.getExecutionGraph(id()).get();
    }

    /** Takes a checkpoint; one that fails while the job restarts is tried again. */
    void checkpoint() {
        Await.until(
                "a checkpoint",
                () -> {
                    if (!allTasksRun()) {
                        return false;
                    }
                    cluster.triggerCheckpoint(id()).get();
                    return true;
                });
    }

    /** One attempt for a checkpoint that completes, whatever its commit does. */
    void completeCheckpoint() throws Exception {
        awaitRunning();
        cluster.triggerCheckpoint(id()).get();
    }

    /** One attempt for a checkpoint that may fail. */
    void tryCheckpoint() throws InterruptedException {
        awaitRunning();
        try {
            cluster.triggerCheckpoint(id()).get();
        } catch (ExecutionException e) {
            // Up to the caller to look at what became of the job.
            lastFailure = e;
        }
    }

    /** Takes checkpoints until one of the tasks has finished, which needs one after its end. */
    void checkpointUntilOneTaskFinished() {
        Await.until(
                "a task has finished",
                () -> {
                    cluster.triggerCheckpoint(id()).get();
                    for (var vertex : graph().getAllExecutionVertices()) {
                        if (vertex.getExecutionState() == ExecutionState.FINISHED) {
                            return true;
                        }
                    }
                    return false;
                });
    }

    /** Takes checkpoints until the job has ended by itself. */
    void checkpointUntilFinished() throws Exception {
        Await.until(
                "the job has finished",
                () -> {
                    if (status() == JobStatus.FINISHED) {
                        return true;
                    }
                    cluster.triggerCheckpoint(id()).get();
                    return false;
                });
        awaitFinished();
    }

    String stopWithSavepoint(Path folder) throws Exception {
        return client.stopWithSavepoint(
                        false, folder.toUri().toString(), SavepointFormatType.CANONICAL)
                .get();
    }

    void cancel() throws Exception {
        client.cancel().get();
        Await.until("the job has ended", () -> status().isGloballyTerminalState());
    }

    void awaitFinished() throws Exception {
        Await.until("the job has ended", () -> status().isGloballyTerminalState());
        if (status() != JobStatus.FINISHED) {
            throw new AssertionError("The job is " + status(), failure().orElse(lastFailure));
        }
    }

    /** Waits until the job has failed for good, and returns why. */
    Throwable awaitFailed() throws Exception {
        Await.until("the job has failed", () -> status() == JobStatus.FAILED);
        return failure().orElseThrow();
    }

    private Optional<Throwable> failure() throws InterruptedException {
        try {
            client.getJobExecutionResult().get();
            return Optional.empty();
        } catch (ExecutionException e) {
            return Optional.of(e);
        }
    }

    /** All failures that the job restarted from, as Flink shows them. */
    String failures() throws Exception {
        URI exceptions =
                cluster.getRestAddress()
                        .get()
                        .resolve("/jobs/" + id().toHexString() + "/exceptions");
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(exceptions).build(),
                        HttpResponse.BodyHandlers.ofString())
                .body();
    }
}
