package dev.paimoninplace.containers;

import dev.paimoninplace.testing.Await;
import java.util.List;

/** A job that was submitted to the cluster behind a REST interface. */
record StreamingJob(JobRest rest, String id) {

    /** Waits until it has that many checkpoints since it was submitted. */
    void awaitCheckpoints(int count) {
        Await.until(
                count + " checkpoints of the job", () -> rest.completedCheckpoints(id) >= count);
    }

    /** Waits until it has that many checkpoints more than now. */
    void awaitMoreCheckpoints(int count) throws Exception {
        awaitCheckpoints(rest.completedCheckpoints(id) + count);
    }

    /** Waits for a failure that the job restarts from, by a part of its stack trace. */
    void awaitFailure(String part) {
        Await.until(
                "a failure with " + part,
                () -> failures().stream().anyMatch(failure -> failure.contains(part)));
    }

    /** Stack traces of what it restarted from. */
    List<String> failures() throws Exception {
        return rest.failures(id);
    }

    int restarts() {
        return rest.restarts(id);
    }

    String state() throws Exception {
        return rest.state(id);
    }

    /** Address of the checkpoint or savepoint that its latest start began with. */
    String restoredFrom() throws Exception {
        return rest.restoredFrom(id);
    }
}
