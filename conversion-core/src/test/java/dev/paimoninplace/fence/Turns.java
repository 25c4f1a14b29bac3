package dev.paimoninplace.fence;

import dev.paimoninplace.testing.InterceptedFileIO.Interceptor;
import dev.paimoninplace.testing.InterceptedFileIO.Operation;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Semaphore;
import org.apache.paimon.fs.Path;
import org.jspecify.annotations.Nullable;

/**
 * Lets several sides work on one file system of which only one runs at a time. A side stops before
 * each operation on a snapshot or a schema: a listing, a look for it, a reading, its writing.
 */
final class Turns {

    /** Thrown in a side that is not to go on. */
    private static final class Stopped extends Error {
        private static final long serialVersionUID = 1L;

        Stopped() {
            super("stopped", null, false, false);
        }
    }

    /**
     * An operation that another side may see or change the result of.
     *
     * @param path of a file; of the folder when it is listed
     */
    record Step(Operation operation, String path) {

        /** Nothing: all up to the first real one. */
        static final Step START = new Step(Operation.MKDIRS, "");

        /** Whether it makes no difference which of two steps comes first. */
        boolean isIndependentOf(Step other) {
            if (!writes() && !other.writes()) {
                return true;
            }
            return !path.equals(other.path) && !lists(other) && !other.lists(this);
        }

        private boolean writes() {
            return switch (operation) {
                case CREATE, WRITE, CLOSE, RENAME, DELETE -> true;
                case OPEN, EXISTS, LIST, STATUS, MKDIRS -> false;
            };
        }

        /** Whoever lists a folder looks for snapshots or schemas there, not for hints. */
        private boolean lists(Step other) {
            return operation == Operation.LIST
                    && other.path.startsWith(path + "/")
                    && !HINTS.contains(name(other.path));
        }
    }

    private static final Set<String> FOLDERS = Set.of("snapshot", "schema");
    private static final Set<String> HINTS = Set.of("LATEST", "EARLIEST");

    /** What a side does, with the files that it has to do it on. */
    interface Work {

        /**
         * @param files looks on at its files
         * @param begin to be called once; nothing before it counts as a step
         */
        void run(Interceptor files, Runnable begin) throws Exception;
    }

    private final List<Side> sides = new ArrayList<>();
    private volatile boolean stopped;

    /** Adds a side and lets it go to where its steps begin. */
    void add(Work work) {
        Side side = new Side(work);
        sides.add(side);
        side.thread.start();
        side.arrived.acquireUninterruptibly();
    }

    int sideCount() {
        return sides.size();
    }

    boolean isDone(int side) {
        return sides.get(side).done;
    }

    /**
     * Lets a side do its next steps and all up to the one after, without a break.
     *
     * @return the steps; fewer than asked for when it came to its end
     */
    List<Step> run(int side, int steps) throws InterruptedException {
        return sides.get(side).go(steps);
    }

    /** What a side does in its next turn. */
    Step next(int side) {
        return sides.get(side).next;
    }

    /** What the work of a side threw; null when it did not. */
    @Nullable Throwable failure(int side) {
        return sides.get(side).failure;
    }

    /** Ends all sides, also those that have something left to do. */
    void stop() throws InterruptedException {
        stopped = true;
        for (Side side : sides) {
            while (!side.done) {
                side.go(1);
            }
            side.thread.join();
        }
    }

    private static String name(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    private final class Side implements Interceptor {

        private final Semaphore turn = new Semaphore(0);
        private final Semaphore arrived = new Semaphore(0);
        private final Thread thread;
        private final List<Step> steps = Collections.synchronizedList(new ArrayList<>());
        private int allowed;
        private volatile Step next = Step.START;
        private volatile boolean begun;
        private volatile boolean done;
        private volatile @Nullable Throwable failure;

        Side(Work work) {
            thread = new Thread(() -> run(work));
            thread.setDaemon(true);
        }

        private void run(Work work) {
            try {
                work.run(this, this::begin);
            } catch (Throwable e) {
                failure = e;
            } finally {
                done = true;
                arrived.release();
            }
        }

        private void begin() {
            begun = true;
            await();
        }

        private void await() {
            while (!stopped && allowed == 0) {
                arrived.release();
                turn.acquireUninterruptibly();
            }
            if (stopped) {
                throw new Stopped();
            }
            allowed--;
            steps.add(next);
        }

        List<Step> go(int count) throws InterruptedException {
            steps.clear();
            allowed = count;
            turn.release();
            arrived.acquire();
            return List.copyOf(steps);
        }

        @Override
        public void before(Operation operation, Path path) {
            String key = path.toUri().getPath();
            if (!begun || !matters(operation, key)) {
                return;
            }
            next = new Step(operation, key);
            await();
        }

        private boolean matters(Operation operation, String path) {
            if (name(path).startsWith(".")) {
                return false;
            }
            if (operation == Operation.LIST) {
                return FOLDERS.contains(name(path));
            }
            String folder = path.substring(0, path.lastIndexOf('/'));
            return operation != Operation.MKDIRS && FOLDERS.contains(name(folder));
        }
    }
}
