package dev.paimoninplace.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** Runs one function over a list by some threads; results come in the order of the list. */
public final class Parallel {

    private final int threads;

    /**
     * @param threads items worked on at a time, at least 1
     */
    public Parallel(int threads) {
        this.threads = threads;
    }

    /**
     * Applies the function to each item. The first failure ends the others and is thrown.
     *
     * @throws IllegalStateException when the calling thread is interrupted
     */
    public <T, R> List<R> map(List<T> items, Function<T, R> function) {
        if (threads == 1 || items.size() < 2) {
            return items.stream().map(function).toList();
        }
        ExecutorService pool = Executors.newFixedThreadPool(Math.min(threads, items.size()));
        try {
            List<Future<R>> futures = new ArrayList<>(items.size());
            for (T item : items) {
                futures.add(pool.submit(() -> function.apply(item)));
            }
            List<R> results = new ArrayList<>(items.size());
            for (Future<R> future : futures) {
                results.add(result(future));
            }
            return results;
        } finally {
            end(pool);
        }
    }

    private static <R> R result(Future<R> future) {
        try {
            return future.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while working on manifests.", e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            if (e.getCause() instanceof Error cause) {
                throw cause;
            }
            throw new IllegalStateException(e.getCause());
        }
    }

    /** Waits for running items, so that nothing is written after a failure was reported. */
    private static void end(ExecutorService pool) {
        pool.shutdownNow();
        boolean interrupted = false;
        while (!pool.isTerminated()) {
            try {
                pool.awaitTermination(1, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
