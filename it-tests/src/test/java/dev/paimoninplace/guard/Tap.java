package dev.paimoninplace.guard;

import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** How a test controls the sources of one of its jobs, which run in the same JVM. */
final class Tap {

    private static final Map<String, Tap> TAPS = new ConcurrentHashMap<>();

    private final String name = UUID.randomUUID().toString();
    private final Set<Integer> ended = ConcurrentHashMap.newKeySet();
    private final Map<Integer, Integer> next = new ConcurrentHashMap<>();
    private final AtomicInteger starts = new AtomicInteger();
    private final AtomicReference<@Nullable String> fault = new AtomicReference<>();
    private volatile int limit;
    private volatile int first;
    private volatile boolean held;

    private Tap() {}

    static Tap closed() {
        Tap tap = new Tap();
        TAPS.put(tap.name, tap);
        return tap;
    }

    static Tap named(String name) {
        return Objects.requireNonNull(TAPS.get(name), name);
    }

    String name() {
        return name;
    }

    /** Lets the numbers below a limit through. */
    void openTo(int end) {
        limit = end;
    }

    int limit() {
        return limit;
    }

    /** Makes new sources begin with a number, not with 0. */
    void skipTo(int number) {
        first = number;
    }

    int first() {
        return first;
    }

    /** Lets no source finish its part of a checkpoint. */
    void holdCheckpoints() {
        held = true;
    }

    void releaseCheckpoints() {
        held = false;
    }

    boolean holdsCheckpoints() {
        return held;
    }

    /** Lets a source end as soon as it has emitted all numbers below the limit. */
    void end(int subtask) {
        ended.add(subtask);
    }

    boolean isEnded(int subtask) {
        return ended.contains(subtask);
    }

    void started(int subtask) {
        next.remove(subtask);
        starts.incrementAndGet();
    }

    /** How many sources have been started, over all restarts. */
    int starts() {
        return starts.get();
    }

    void emittedBelow(int subtask, int end) {
        next.put(subtask, end);
    }

    /** Whether each of so many sources has emitted its numbers below the limit. */
    boolean isDrained(int parallelism) {
        return next.size() == parallelism && next.values().stream().allMatch(end -> end >= limit);
    }

    /** Makes one source fail. */
    void fail(String message) {
        fault.set(message);
    }

    @Nullable String takeFault() {
        return fault.getAndSet(null);
    }
}
