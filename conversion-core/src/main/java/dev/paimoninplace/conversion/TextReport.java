package dev.paimoninplace.conversion;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** A report for people: the result line, then sections of indented lines; no last line break. */
public final class TextReport {

    private static final int NAME_WIDTH = 14;

    private final StringBuilder text;

    public TextReport(String resultLine) {
        this.text = new StringBuilder(resultLine);
    }

    /** Begins a section. */
    public void section(String title) {
        text.append("\n\n").append(title).append(':');
    }

    /** A line of the section. */
    public void line(String line) {
        text.append("\n  ").append(line);
    }

    /** A line that belongs to the one before it. */
    public void subLine(String line) {
        text.append("\n    ").append(line);
    }

    /** A line with a name of at most 13 characters and its value, in two columns. */
    public void value(String name, Object value) {
        line(name + " ".repeat(NAME_WIDTH - name.length()) + value);
    }

    /**
     * A time as reports show it, to the second in UTC.
     *
     * @param millis epoch milliseconds
     */
    public static String time(long millis) {
        return Instant.ofEpochMilli(millis).truncatedTo(ChronoUnit.SECONDS).toString();
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
