package dev.paimoninplace.containers;

import dev.paimoninplace.testing.Await;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.JsonNode;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.ObjectMapper;

/** Flink's REST interface on a port of the loopback address. */
final class JobRest {

    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration LIMIT = Duration.ofSeconds(10);

    private final int port;

    JobRest(int port) {
        this.port = port;
    }

    /** Slots of all TaskManagers, in use or not. */
    int slots() throws IOException, InterruptedException {
        return ask("/overview").get("slots-total").asInt();
    }

    /** A name of Flink's {@code JobStatus}. */
    String state(String job) throws IOException, InterruptedException {
        return ask("/jobs/" + job).get("state").asText();
    }

    /** How many checkpoints and savepoints were completed since the JobManager has the job. */
    int completedCheckpoints(String job) throws IOException, InterruptedException {
        return ask("/jobs/" + job + "/checkpoints").get("counts").get("completed").asInt();
    }

    /** Address of the checkpoint or savepoint that the latest start of the job began with. */
    String restoredFrom(String job) throws IOException, InterruptedException {
        return ask("/jobs/" + job + "/checkpoints")
                .get("latest")
                .get("restored")
                .get("external_path")
                .asText();
    }

    /** Metric {@code numRestarts}: how often the job was restarted since it was submitted. */
    int restarts(String job) {
        String path = "/jobs/" + job + "/metrics?get=numRestarts";
        // The JobManager collects metrics only once somebody has asked for them.
        Await.until("the number of restarts", () -> !ask(path).isEmpty());
        try {
            return ask(path).get(0).get("value").asInt();
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Stack traces of what failed the job, all that Flink remembers. */
    List<String> failures(String job) throws IOException, InterruptedException {
        List<String> failures = new ArrayList<>();
        for (JsonNode entry :
                ask("/jobs/" + job + "/exceptions?maxExceptions=100")
                        .get("exceptionHistory")
                        .get("entries")) {
            failures.add(entry.get("stacktrace").asText());
        }
        return failures;
    }

    private JsonNode ask(String path) throws IOException, InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                        .timeout(LIMIT)
                        .build();
        HttpResponse<String> response = HTTP.send(request, HttpResponse.BodyHandlers.ofString());
        if (response.statusCode() != 200) {
            throw new IOException(path + ": " + response.statusCode() + " " + response.body());
        }
        return JSON.readTree(response.body());
    }
}
