package dev.paimoninplace.conversion;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The one failure that the engine reports: what was to be done, the fact that prevented it with its
 * values, what to do next, and what had already been committed.
 */
public final class ConversionException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final ErrorKind kind;
    private final String code;
    private final CommittedSteps committed;

    // List.copyOf gives a serialisable list.
    @SuppressWarnings("serial")
    private final List<Check> failedChecks;

    /**
     * @param code stable identifier of the cause in upper snake case, as listed in docs/errors.md
     * @param committed what this run had committed before it stopped
     */
    public ConversionException(
            ErrorKind kind,
            String code,
            String message,
            CommittedSteps committed,
            @Nullable Throwable cause) {
        this(kind, code, message, committed, List.of(), cause);
    }

    private ConversionException(
            ErrorKind kind,
            String code,
            String message,
            CommittedSteps committed,
            List<Check> failedChecks,
            @Nullable Throwable cause) {
        super(message, cause);
        this.kind = kind;
        this.code = code;
        this.committed = committed;
        this.failedChecks = List.copyOf(failedChecks);
    }

    /** Nothing was written and the request itself is at fault. */
    public static ConversionException usage(String code, String message) {
        return new ConversionException(
                ErrorKind.USAGE, code, message, CommittedSteps.NONE, List.of(), null);
    }

    /** The table fails at least one check of a conversion; every failed one is listed. */
    public static ConversionException refused(
            String table, List<Check> failed, CommittedSteps committed) {
        return refused(Goal.CONVERT, table, failed, committed);
    }

    /** The table fails at least one check; every failed one is listed. */
    public static ConversionException refused(
            Goal goal, String table, List<Check> failed, CommittedSteps committed) {
        StringBuilder message = new StringBuilder("Cannot ").append(goal.verb());
        message.append(' ').append(table).append(": ");
        if (failed.size() == 1) {
            message.append(failed.get(0).text());
        } else {
            message.append(failed.size()).append(" checks failed.");
            for (Check check : failed) {
                message.append("\n  - ").append(check.text());
            }
        }
        if (!committed.isEmpty()) {
            message.append('\n').append(committed.text());
        }
        return new ConversionException(
                ErrorKind.REFUSED,
                failed.get(0).name(),
                message.toString(),
                committed,
                failed,
                null);
    }

    public ErrorKind kind() {
        return kind;
    }

    public String code() {
        return code;
    }

    /** What the run had committed when it stopped; {@link CommittedSteps#NONE} before any write. */
    public CommittedSteps committed() {
        return committed;
    }

    /** All failed checks of a refusal, in check order; empty for other kinds. */
    public List<Check> failedChecks() {
        return failedChecks;
    }
}
