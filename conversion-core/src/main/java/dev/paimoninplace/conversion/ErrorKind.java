package dev.paimoninplace.conversion;

/**
 * Kind of a failure, or of a result that needs attention, with the exit code of the command line.
 */
public enum ErrorKind {
    /** A fault that no rule foresees. */
    UNEXPECTED(1),
    /** The request itself is wrong: unknown table, malformed name, bad option. */
    USAGE(2),
    /** The table cannot be converted as it is; nothing was written. */
    REFUSED(3),
    /** Other writers kept winning; run again. */
    CONFLICT(4),
    /** A write neither surely landed nor surely failed; run again. */
    OUTCOME_UNKNOWN(5),
    /** Nothing failed: a verification found something. */
    FOUND(6);

    private final int exitCode;

    ErrorKind(int exitCode) {
        this.exitCode = exitCode;
    }

    public int exitCode() {
        return exitCode;
    }
}
