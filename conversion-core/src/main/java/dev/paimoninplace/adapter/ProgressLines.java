package dev.paimoninplace.adapter;

import dev.paimoninplace.conversion.ProgressListener;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Says how far a run has come in lines of text: one when a stage ends, and one every two seconds
 * while a long one goes on, with what is done, the total, the rate and the time that remains.
 */
public final class ProgressLines implements ProgressListener {

    private static final long INTERVAL_NANOS = 2_000_000_000L;
    private static final double NANOS_PER_SECOND = 1e9;

    private final Consumer<String> lines;
    private final LongSupplier nanos;
    private @Nullable Stage stage;
    private long stageStartNanos;
    private long lastLineNanos;
    private long doneAtStart;

    /**
     * @param lines takes each line, without a line break; called by one thread at a time
     */
    public ProgressLines(Consumer<String> lines) {
        this(lines, System::nanoTime);
    }

    ProgressLines(Consumer<String> lines, LongSupplier nanos) {
        this.lines = lines;
        this.nanos = nanos;
    }

    @Override
    public synchronized void progress(Stage current, long done, long total) {
        long now = nanos.getAsLong();
        if (current != stage) {
            stage = current;
            stageStartNanos = now;
            lastLineNanos = now;
            doneAtStart = done;
        }
        if (done >= total || now - lastLineNanos >= INTERVAL_NANOS) {
            lastLineNanos = now;
            lines.accept(line(current, done, total, now - stageStartNanos));
        }
    }

    private String line(Stage current, long done, long total, long elapsedNanos) {
        String name = current.name().toLowerCase(Locale.ROOT);
        if (total <= 1) {
            return name;
        }
        String counts = name + " " + done + "/" + total;
        long doneSince = done - doneAtStart;
        if (done >= total || doneSince <= 0 || elapsedNanos <= 0) {
            return counts;
        }
        double perSecond = doneSince / (elapsedNanos / NANOS_PER_SECOND);
        return String.format(
                Locale.ROOT,
                "%s, %.1f/s, %.0f s remaining",
                counts,
                perSecond,
                (total - done) / perSecond);
    }
}
