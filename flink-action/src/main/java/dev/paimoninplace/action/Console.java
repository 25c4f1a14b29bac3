package dev.paimoninplace.action;

import dev.paimoninplace.adapter.ActionResult;
import dev.paimoninplace.adapter.Failures;
import dev.paimoninplace.adapter.FlinkFailure;
import dev.paimoninplace.adapter.Scrubber;
import dev.paimoninplace.conversion.ConversionException;
import dev.paimoninplace.conversion.ErrorKind;
import dev.paimoninplace.conversion.ReportFormat;
import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;

/** Where a command writes: its result to {@code out}, everything else to {@code err}. */
final class Console {

    private final PrintWriter out;
    private final PrintWriter err;
    private @Nullable FlinkFailure failure;

    Console(PrintWriter out, PrintWriter err) {
        this.out = out;
        this.err = err;
    }

    PrintWriter out() {
        return out;
    }

    PrintWriter err() {
        return err;
    }

    /** The last failure or finding, for a host that wants an exception; null when there is none. */
    @Nullable FlinkFailure failure() {
        return failure;
    }

    void print(ActionResult result, Format format) {
        out.println(format == Format.JSON ? result.json() : result.text());
        out.flush();
    }

    /**
     * Ends a run whose printed result needs attention.
     *
     * @return its exit code
     */
    int found(ConversionException found, Scrubber scrubber) {
        failure = FlinkFailure.of(found, scrubber);
        err.println("code: " + found.code() + ", exit code " + found.kind().exitCode() + ".");
        flush();
        return found.kind().exitCode();
    }

    /** Prints a failure of the arguments, in the format that they seem to ask for. */
    int fail(ConversionException usage, String[] arguments) {
        return fail(usage, Format.askedForBy(arguments), Scrubber.NONE, Detail.MESSAGE);
    }

    /**
     * Prints a failure.
     *
     * @return its exit code
     */
    int fail(Throwable thrown, Format format, Scrubber scrubber, Detail detail) {
        ConversionException coded = Failures.coded(thrown);
        FlinkFailure shown = FlinkFailure.of(coded, scrubber);
        failure = shown;
        if (format == Format.JSON) {
            out.println(ReportFormat.json(coded, scrubber::scrub));
        }
        err.println("error: " + scrubber.scrub(String.valueOf(coded.getMessage())));
        err.println(
                "code: " + coded.code() + ", exit code " + coded.kind().exitCode() + hint(coded));
        if (detail == Detail.STACK_TRACE) {
            shown.printStackTrace(err);
        }
        flush();
        return coded.kind().exitCode();
    }

    void progress(String line) {
        err.println(line);
        err.flush();
    }

    void warn(String text) {
        err.println("warning: " + text);
        err.flush();
    }

    void flush() {
        out.flush();
        err.flush();
    }

    private static String hint(ConversionException coded) {
        if (coded.kind() == ErrorKind.USAGE) {
            return ". See --help.";
        }
        return coded.kind() == ErrorKind.UNEXPECTED ? ". --verbose shows the stack trace." : ".";
    }

    /** How much of a failure is printed. */
    enum Detail {
        MESSAGE,
        STACK_TRACE
    }
}
