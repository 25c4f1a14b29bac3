package dev.paimoninplace.testing;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Waits for a condition, and fails when it does not come true. */
public final class Await {

    private static final Duration LIMIT = Duration.ofMinutes(4);
    private static final long PAUSE_NANOS = 5_000_000L;

    private Await() {}

    /** A condition that may throw while it is not true yet. */
    public interface Condition {
        boolean holds() throws Exception;
    }

    public static void until(String what, Condition condition) {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        Exception last = null;
        while (System.nanoTime() < deadline) {
            try {
                if (condition.holds()) {
                    return;
                }
                last = null;
            } catch (Exception e) {
                last = e;
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        throw new AssertionError("Waited " + LIMIT + " for: " + what, last);
    }
}
