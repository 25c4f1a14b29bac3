package dev.paimoninplace.adapter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.paimoninplace.conversion.Check;
import dev.paimoninplace.conversion.CommittedSteps;
import dev.paimoninplace.conversion.ConversionException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class FlinkFailureTest {

    private static final Scrubber SCRUBBER = Scrubber.of(Map.of("k", "zzsecret"));

    @Test
    void endsTheMessageWithKindCodeAndExitCode() {
        ConversionException refused =
                ConversionException.refused(
                        "db.t",
                        List.of(Check.failed("BUCKET", "bucket is 4", "Copy it")),
                        CommittedSteps.NONE);

        FlinkFailure failure = FlinkFailure.of(refused, SCRUBBER);

        assertEquals(refused.getMessage() + " [REFUSED/BUCKET, exit code 3]", failure.getMessage());
    }

    @Test
    void hasNoCauseBecauseTheSqlClientPrintsTheInnermostOne() {
        IllegalStateException unexpected =
                new IllegalStateException("outer", new IOException("inner"));

        FlinkFailure failure = FlinkFailure.of(unexpected, SCRUBBER);

        assertNull(failure.getCause());
        assertEquals(
                "Unexpected failure: IllegalStateException: outer; caused by IOException: inner."
                        + " Running again is safe. [UNEXPECTED/UNEXPECTED, exit code 1]",
                failure.getMessage());
    }

    @Test
    void keepsTheOriginalStackWithoutOptionValues() {
        IllegalStateException unexpected =
                new IllegalStateException("a zzsecret", new IOException("b zzsecret"));

        StringWriter printed = new StringWriter();
        FlinkFailure.of(unexpected, SCRUBBER).printStackTrace(new PrintWriter(printed, true));

        String text = printed.toString();
        assertFalse(text.contains("zzsecret"), text);
        assertTrue(text.contains("java.lang.IllegalStateException: a ***"), text);
        assertTrue(text.contains("java.io.IOException: b ***"), text);
        assertTrue(text.contains("keepsTheOriginalStackWithoutOptionValues"), text);
    }

    @Test
    void survivesACircleOfCauses() {
        IOException first = new IOException("first");
        IOException second = new IOException("second", first);
        first.initCause(second);

        String message = String.valueOf(FlinkFailure.of(second, SCRUBBER).getMessage());

        assertTrue(message.contains("IOException: second; caused by IOException: first"), message);
    }
}
