package dev.paimoninplace.conversion;

import java.io.Serializable;

/**
 * One thing that was looked at before any write.
 *
 * @param name stable identifier in upper snake case, as listed in docs/errors.md
 * @param outcome whether the conversion may go on
 * @param detail the fact, with values
 * @param remedy what to do about it; empty when the check passed
 */
public record Check(String name, Outcome outcome, String detail, String remedy)
        implements Serializable {

    /** Verdict of a check. */
    public enum Outcome {
        PASSED,
        WARNING,
        FAILED
    }

    public static Check passed(String name, String detail) {
        return new Check(name, Outcome.PASSED, detail, "");
    }

    public static Check warning(String name, String detail, String remedy) {
        return new Check(name, Outcome.WARNING, detail, remedy);
    }

    public static Check failed(String name, String detail, String remedy) {
        return new Check(name, Outcome.FAILED, detail, remedy);
    }

    /** Detail and remedy as one sentence each. */
    public String text() {
        return remedy.isEmpty() ? detail + "." : detail + ". " + remedy + ".";
    }
}
