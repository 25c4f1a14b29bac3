package dev.paimoninplace.action;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.paimoninplace.adapter.FlinkFailure;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
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

    private static int java(String argument) throws Exception {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        Process process =
                new ProcessBuilder(
                                List.of(
                                        java.toString(),
                                        "-cp",
                                        System.getProperty("java.class.path"),
                                        PaimonInPlace.class.getName(),
                                        argument))
                        .redirectErrorStream(true)
                        .start();
        try (InputStream output = process.getInputStream()) {
            String text = new String(output.readAllBytes(), StandardCharsets.UTF_8);
            int exitCode = process.waitFor();
            assertFalse(text.contains("Exception"), text);
            return exitCode;
        }
    }
}
