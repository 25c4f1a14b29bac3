package dev.paimoninplace.action;

import dev.paimoninplace.conversion.ProgressListener;
import java.io.PrintWriter;
import java.util.Locale;
import me.tongfei.progressbar.DelegatingProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/**
 * One line of a terminal that is written again and again: stage, bar, done, total, rate and the
 * time that remains. A stage that ends leaves its line behind.
 */
final class ProgressLine implements ProgressListener {

    /** Narrow enough for every terminal: a line that wraps could not be written again. */
    private static final int COLUMNS = 79;

    private static final int INTERVAL_MILLIS = 200;

    private final PrintWriter terminal;
    private @Nullable Stage stage;
    private @Nullable ProgressBar bar;

    /**
     * @param terminal a terminal that goes back to the beginning of the line on a carriage return
     */
    ProgressLine(PrintWriter terminal) {
        this.terminal = terminal;
    }

    @Override
    public synchronized void progress(Stage current, long done, long total) {
        if (current != stage) {
            // The total of a commit is the number of attempts allowed, not work to be done.
            end();
            stage = current;
            bar = total > 1 && current != Stage.COMMIT ? begin(current, total) : null;
        }
        if (bar != null) {
            bar.maxHint(total);
            bar.stepTo(done);
        }
        if (done >= total) {
            end();
            stage = null;
        }
    }

    private ProgressBar begin(Stage current, long total) {
        return new ProgressBarBuilder()
                .setTaskName(String.format("%-8s", current.name().toLowerCase(Locale.ROOT)))
                .setInitialMax(total)
                .setUpdateIntervalMillis(INTERVAL_MILLIS)
                .setStyle(ProgressBarStyle.ASCII)
                .showSpeed()
                .setConsumer(new DelegatingProgressBarConsumer(this::write, COLUMNS))
                .build();
    }

    private void write(String line) {
        terminal.print('\r' + line);
        terminal.flush();
    }

    private void end() {
        if (bar != null) {
            bar.close();
            bar = null;
            terminal.println();
            terminal.flush();
        }
    }
}
