package dev.paimoninplace.adapter;

import dev.paimoninplace.conversion.ConversionException;
import dev.paimoninplace.conversion.ConversionReport;
import dev.paimoninplace.conversion.FileLines;
import dev.paimoninplace.conversion.RepairFormat;
import dev.paimoninplace.conversion.RepairReport;
import dev.paimoninplace.conversion.ReportFormat;
import dev.paimoninplace.verify.VerificationFormat;
import dev.paimoninplace.verify.VerificationReport;
import java.util.Optional;

/**
 * What an action has to say when it is done, free of option values.
 *
 * @param text for people, without a last line break
 * @param json for programs, one line
 * @param files what was changed in single files, for the file of a report
 * @param found what needs attention; it decides the exit code
 */
public record ActionResult(
        String text, String json, Optional<FileLines> files, Optional<ConversionException> found) {

    public static ActionResult of(
            ConversionReport report, Optional<FileLines> files, Scrubber scrubber) {
        return new ActionResult(
                ReportFormat.text(report, scrubber::scrub),
                ReportFormat.json(report, scrubber::scrub),
                files,
                Optional.empty());
    }

    public static ActionResult of(
            RepairReport report, Optional<FileLines> files, Scrubber scrubber) {
        return new ActionResult(
                RepairFormat.text(report, scrubber::scrub),
                RepairFormat.json(report, scrubber::scrub),
                files,
                Optional.empty());
    }

    public static ActionResult of(VerificationReport report, Scrubber scrubber) {
        return new ActionResult(
                VerificationFormat.text(report, scrubber::scrub),
                VerificationFormat.json(report, scrubber::scrub),
                Optional.empty(),
                Failures.found(report));
    }
}
