package dev.paimoninplace.procedures.spi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

final class LinkageTest {

    @Test
    void saysWhichJavaIsNeededWhenAClassFileIsTooNew() {
        UnsupportedClassVersionError error = new UnsupportedClassVersionError("61.0");

        IllegalStateException failure = Linkage.failure("some_action", error);

        String message = String.valueOf(failure.getMessage());
        assertTrue(
                message.startsWith("Cannot run some_action: it needs Java 17, and Flink runs on"),
                message);
        assertNull(failure.getCause());
        assertArrayEquals(new Throwable[] {error}, failure.getSuppressed());
    }

    @Test
    void saysWhatIsMissingFromTheClassPath() {
        IllegalStateException failure =
                Linkage.failure("some_action", new NoSuchMethodError("a.B.c()"));

        String message = String.valueOf(failure.getMessage());
        assertTrue(message.contains("java.lang.NoSuchMethodError: a.B.c()"), message);
        assertTrue(message.contains("Paimon 2.0"), message);
    }
}
