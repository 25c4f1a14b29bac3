package dev.paimoninplace.adapter;

import dev.paimoninplace.conversion.ConversionException;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A failure for Flink to show. Flink's SQL client prints only the innermost cause, so this one has
 * no cause: its message carries kind, code and exit code. The original is attached as suppressed,
 * copied link by link because its messages may quote option values.
 */
public final class FlinkFailure extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private FlinkFailure(String message, @Nullable Throwable cause, StackTraceElement[] trace) {
        super(message, cause);
        setStackTrace(trace);
    }

    /**
     * @param scrubber takes option values out of every message
     */
    public static FlinkFailure of(Throwable failure, Scrubber scrubber) {
        ConversionException coded = Failures.coded(failure);
        FlinkFailure shown =
                new FlinkFailure(Failures.withCode(coded, scrubber), null, coded.getStackTrace());
        Throwable cause = coded.getCause();
        if (cause != null) {
            shown.addSuppressed(
                    copy(cause, scrubber, Collections.newSetFromMap(new IdentityHashMap<>())));
        }
        return shown;
    }

    private static FlinkFailure copy(Throwable original, Scrubber scrubber, Set<Throwable> seen) {
        seen.add(original);
        Throwable cause = original.getCause();
        return new FlinkFailure(
                scrubber.scrub(original.toString()),
                cause == null || seen.contains(cause) ? null : copy(cause, scrubber, seen),
                original.getStackTrace());
    }
}
