package dev.paimoninplace.containers;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The configuration of a cluster in a folder of its own.
 *
 * @param folder the value of {@code FLINK_CONF_DIR}
 * @param restPort a port of the loopback address
 */
record FlinkConf(Path folder, int restPort) {

    private static final Path HOME_CONF = Path.of("flink-home/conf").toAbsolutePath();

    /** Takes that of the Flink home, with free ports, and with checkpoints below a folder. */
    static FlinkConf write(Path work) throws IOException {
        Path folder = Files.createDirectories(work.resolve("conf"));
        for (String name : List.of("log4j.properties", "log4j-cli.properties")) {
            Files.copy(HOME_CONF.resolve(name), folder.resolve(name));
        }
        int restPort = freePort();
        Map<String, String> options = new LinkedHashMap<>();
        for (String line : Files.readAllLines(HOME_CONF.resolve("config.yaml"))) {
            String[] option = line.split(": ", 2);
            if (option.length == 2 && !line.startsWith("#")) {
                options.put(option[0], option[1]);
            }
        }
        options.put("rest.port", String.valueOf(restPort));
        options.put("jobmanager.rpc.port", String.valueOf(freePort()));
        // A lost process refuses connections, which ends the wait; a busy machine only answers
        // late.
        options.put("heartbeat.timeout", "60000");
        options.put("metrics.fetcher.update-interval", "500");
        options.put("execution.checkpointing.interval", "1 s");
        options.put(
                "execution.checkpointing.externalized-checkpoint-retention",
                "RETAIN_ON_CANCELLATION");
        options.put("execution.checkpointing.dir", work.resolve("checkpoints").toUri().toString());
        StringBuilder yaml = new StringBuilder();
        options.forEach((key, value) -> yaml.append(key + ": " + value + "\n"));
        Files.writeString(folder.resolve("config.yaml"), yaml);
        return new FlinkConf(folder, restPort);
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
