package dev.paimoninplace.adapter;

import dev.paimoninplace.conversion.CommittedSteps;
import dev.paimoninplace.conversion.ConversionException;
import dev.paimoninplace.conversion.ErrorKind;
import dev.paimoninplace.verify.FindingCode;
import dev.paimoninplace.verify.VerificationReport;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Words for failures at the border to the user. */
public final class Failures {

    private Failures() {}

    /** The failure itself when it is coded, else one of kind UNEXPECTED with all its messages. */
    public static ConversionException coded(Throwable failure) {
        if (failure instanceof ConversionException coded) {
            return coded;
        }
        return new ConversionException(
                ErrorKind.UNEXPECTED,
                "UNEXPECTED",
                "Unexpected failure: " + chain(failure) + ". Running again is safe.",
                CommittedSteps.NONE,
                failure);
    }

    /**
     * What a verification found, for where a result cannot be told from a failure; empty when the
     * table is clean. Its code is that of the first error, else of the first warning.
     */
    public static Optional<ConversionException> found(VerificationReport report) {
        return report.worst().map(code -> found(report, code));
    }

    private static ConversionException found(VerificationReport report, FindingCode worst) {
        String counts =
                report.counts().entrySet().stream()
                        .map(count -> count.getKey() + " " + count.getValue())
                        .collect(Collectors.joining(", "));
        return new ConversionException(
                ErrorKind.FOUND,
                worst.name(),
                report.resultLine() + " " + counts + ". The report says what to do about each.",
                CommittedSteps.NONE,
                null);
    }

    /** Message with kind, code and exit code behind it, for where no exit code gets through. */
    public static String withCode(ConversionException failure, Scrubber scrubber) {
        return scrubber.scrub(String.valueOf(failure.getMessage()))
                + " ["
                + failure.kind()
                + "/"
                + failure.code()
                + ", exit code "
                + failure.kind().exitCode()
                + "]";
    }

    /** Class and message of a failure and of each of its causes, without repetition. */
    static String chain(Throwable failure) {
        List<String> texts = new ArrayList<>();
        Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        String previous = "";
        for (Throwable t = failure; t != null && seen.add(t); t = t.getCause()) {
            String text = text(t);
            // A cause whose text the failure above it carries already says nothing new.
            if (!previous.contains(text)) {
                texts.add(text);
                previous = text;
            }
        }
        return String.join("; caused by ", texts);
    }

    private static String text(Throwable failure) {
        String message = failure.getMessage();
        String name = failure.getClass().getSimpleName();
        return message == null || message.isBlank() ? name : name + ": " + stripped(message);
    }

    private static String stripped(String message) {
        String text = message.strip();
        return text.endsWith(".") ? text.substring(0, text.length() - 1) : text;
    }
}
