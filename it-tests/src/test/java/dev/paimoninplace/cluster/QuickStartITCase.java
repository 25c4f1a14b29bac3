package dev.paimoninplace.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The quick start of the README, with the jars of this build. The script checks every count. */
final class QuickStartITCase {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    @Test
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    void theQuickStartConvertsTwoTablesOnARealClusterAndLeavesNothingRunning() throws Exception {
        Path output = ROOT.resolve("target/quick-start.out");
        Files.createDirectories(output.getParent());
        ProcessBuilder script =
                new ProcessBuilder("bash", ROOT.resolve("quick-start.sh").toString(), "--no-build");
        script.redirectErrorStream(true).redirectOutput(output.toFile());
        script.environment()
                .put("MAVEN_ARGS", "-Dmaven.repo.local=" + System.getProperty("maven.repo.local"));
        script.environment().remove("FLINK_HOME");

        int exitCode = script.start().waitFor();

        List<String> lines = Files.readAllLines(output);
        lines.forEach(System.out::println);
        assertEquals(0, exitCode, () -> String.join(System.lineSeparator(), lines));
        assertTrue(leftRunning().isEmpty(), () -> "left running: " + leftRunning());
    }

    private static List<Long> leftRunning() {
        File[] pidFiles = ROOT.resolve("target/quick-start/run").toFile().listFiles();
        return List.of(pidFiles == null ? new File[0] : pidFiles).stream()
                .flatMap(file -> read(file).stream())
                .map(String::strip)
                .filter(pid -> !pid.isEmpty())
                .map(Long::valueOf)
                .filter(pid -> ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false))
                .toList();
    }

    private static List<String> read(File file) {
        try {
            return Files.readAllLines(file.toPath());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
