package dev.paimoninplace.action;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.paimoninplace.adapter.FlinkFailure;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The process ends with an exit code when it is ours, and never otherwise. */
final class HostTest {

    @Test
    void throwsForAHostAndLetsItLive() {
        FlinkFailure failure =
                assertThrows(
                        FlinkFailure.class,
                        () -> PaimonInPlace.main(new String[] {"enable_data_evolution"}));

        String message = String.valueOf(failure.getMessage());
        assertTrue(message.endsWith("exit code 2]"), message);
    }

    @Test
    void returnsToAHostAfterSuccess() {
        PaimonInPlace.main(new String[] {"--version"});
    }

    @Test
    void endsItsOwnProcessWithTheExitCode() throws Exception {
        assertEquals(2, java("enable_data_evolution"));
        assertEquals(0, java("--version"));
    }

    /** Runs the command line in a process of its own; returns its exit code. */
    static int java(String... arguments) throws Exception {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        List<String> command = new ArrayList<>();
        command.add(java.toString());
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.add(PaimonInPlace.class.getName());
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try (InputStream output = process.getInputStream()) {
            String text = new String(output.readAllBytes(), StandardCharsets.UTF_8);
            int exitCode = process.waitFor();
            assertFalse(text.contains("Exception"), text);
            return exitCode;
        }
    }
}
