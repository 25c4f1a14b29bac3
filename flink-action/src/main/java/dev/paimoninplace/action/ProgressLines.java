package dev.paimoninplace.action;

import dev.paimoninplace.conversion.ProgressListener;
import java.io.PrintWriter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Writes a line when a stage ends, and every two seconds while a long one goes on. */
final class ProgressLines implements ProgressListener {

    private static final long INTERVAL_NANOS = 2_000_000_000L;

    private final PrintWriter err;
    private @Nullable Stage stage;
    private long lastLineNanos;

    ProgressLines(PrintWriter err) {
        this.err = err;
    }

    @Override
    public synchronized void progress(Stage current, long done, long total) {
        long now = System.nanoTime();
        if (current != stage) {
            stage = current;
            lastLineNanos = now;
        }
        if (done >= total || now - lastLineNanos >= INTERVAL_NANOS) {
            lastLineNanos = now;
            String name = current.name().toLowerCase(Locale.ROOT);
            err.println(total <= 1 ? name : name + " " + done + "/" + total);
            err.flush();
        }
    }
}
