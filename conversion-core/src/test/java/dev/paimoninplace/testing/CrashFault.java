package dev.paimoninplace.testing;

import dev.paimoninplace.testing.InterceptedFileIO.Interceptor;
import dev.paimoninplace.testing.InterceptedFileIO.Operation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import org.apache.paimon.fs.Path;

/** Fails the n-th operation on a file system. */
public final class CrashFault implements Interceptor {

    /** How it fails. */
    public enum Mode {
        /** The process dies before the operation. */
        DIES_BEFORE,
        /** The operation is done, then the process dies. */
        DIES_AFTER,
        /** The operation fails once. */
        FAILS_ONCE,
        /** The operation is done, but its answer is lost, once. */
        ANSWER_LOST_ONCE;

        /** Whether nothing works any more afterwards, not even what cleans up. */
        public boolean isDeath() {
            return this == DIES_BEFORE || this == DIES_AFTER;
        }

        boolean landsFirst() {
            return this == DIES_AFTER || this == ANSWER_LOST_ONCE;
        }
    }

    /** The failure, wherever in a chain of causes it ends up. */
    public static final class Crash extends IOException {

        private static final long serialVersionUID = 1L;

        Crash(String message) {
            super(message);
        }
    }

    private final Mode mode;
    private final long at;
    private long operations;
    private Optional<String> stoppedAt = Optional.empty();

    /**
     * @param at the operation that fails, from 1
     */
    public CrashFault(Mode mode, long at) {
        this.mode = mode;
        this.at = at;
    }

    /** Whether there were enough operations for one to fail. */
    public synchronized boolean isReached() {
        return operations >= at;
    }

    /** What failed; empty when nothing did, or when it failed by itself before its answer. */
    public synchronized Optional<String> stoppedAt() {
        return stoppedAt;
    }

    @Override
    public synchronized void before(Operation operation, Path path) throws IOException {
        operations++;
        boolean now = operations == at;
        boolean dead = mode.isDeath() && operations > at;
        if (dead || (now && !mode.landsFirst())) {
            fail(operation, path);
        }
    }

    @Override
    public synchronized void after(Operation operation, Path path) throws IOException {
        if (operations == at && mode.landsFirst()) {
            fail(operation, path);
        }
    }

    private void fail(Operation operation, Path path) throws IOException {
        String what = operation + " " + path.getName();
        if (stoppedAt.isEmpty()) {
            stoppedAt = Optional.of(what);
        }
        Crash crash = new Crash(mode + " at operation " + at + ": " + what);
        // Paimon sleeps a second or more on an IOException at a hint file.
        if (path.getName().equals("LATEST") || path.getName().equals("EARLIEST")) {
            throw new UncheckedIOException(crash);
        }
        throw crash;
    }
}
