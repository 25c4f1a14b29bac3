package dev.paimoninplace.adapter;

import dev.paimoninplace.conversion.CommittedSteps;
import dev.paimoninplace.conversion.ConversionException;
import dev.paimoninplace.conversion.ErrorKind;
import java.io.IOException;
import org.apache.paimon.catalog.CatalogContext;
import org.apache.paimon.fs.FileIO;
import org.apache.paimon.fs.Path;

/**
 * The file that {@code --report} names: a path on this machine, or one with a scheme that Paimon
 * has a file system for. No usage error repeats it.
 */
public final class ReportFile {

    /** What is done to a file that is there already. */
    public enum Existing {
        KEPT,
        REPLACED
    }

    private final FileIO fileIO;
    private final Path path;
    private final Existing existing;

    private ReportFile(FileIO fileIO, Path path, Existing existing) {
        this.fileIO = fileIO;
        this.path = path;
        this.existing = existing;
    }

    /**
     * Looks whether the report can be written, so that nothing is done when it cannot.
     *
     * @param context says which file systems there are, and their options
     * @throws ConversionException of kind USAGE, code REPORT
     */
    static ReportFile prepare(String path, Existing existing, CatalogContext context) {
        try {
            Path target = new Path(path);
            FileIO fileIO = FileIO.get(target, context);
            if (fileIO.exists(target)) {
                requireReplaceable(fileIO, target, existing);
            }
            return new ReportFile(fileIO, target, existing);
        } catch (IOException | IllegalArgumentException e) {
            throw unusable(
                    "looking at its path fails with "
                            + e.getClass().getSimpleName()
                            + ". Name a path that can be written");
        }
    }

    private static void requireReplaceable(FileIO fileIO, Path target, Existing existing)
            throws IOException {
        if (fileIO.getFileStatus(target).isDir()) {
            throw unusable("it is a folder. Name a file");
        }
        if (existing == Existing.KEPT) {
            throw unusable("the file exists. Name another one, or add --overwrite_report");
        }
    }

    /**
     * @throws ConversionException of kind UNEXPECTED, code REPORT_NOT_WRITTEN; what the report is
     *     about was done
     */
    public void write(String report, Scrubber scrubber) {
        try {
            fileIO.writeFile(path, report + "\n", existing == Existing.REPLACED);
        } catch (IOException | RuntimeException e) {
            throw new ConversionException(
                    ErrorKind.UNEXPECTED,
                    "REPORT_NOT_WRITTEN",
                    scrubber.scrub(
                            "Cannot write the report: "
                                    + Failures.chain(e)
                                    + ". The result stands; it was printed."),
                    CommittedSteps.NONE,
                    e);
        }
    }

    private static ConversionException unusable(String fact) {
        return ConversionException.usage("REPORT", "Cannot use --report: " + fact + ".");
    }
}
