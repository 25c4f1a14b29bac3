package dev.paimoninplace.adapter;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.paimoninplace.conversion.CommittedSteps;
import dev.paimoninplace.conversion.ConversionException;
import dev.paimoninplace.conversion.ErrorKind;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
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
     * Writes the result as one line, then a line for each file that was changed.
     *
     * @throws ConversionException of kind UNEXPECTED, code REPORT_NOT_WRITTEN; what the report is
     *     about was done
     */
    public void write(ActionResult result, Scrubber scrubber) {
        boolean overwrite = existing == Existing.REPLACED;
        try (Writer writer =
                new BufferedWriter(
                        new OutputStreamWriter(fileIO.newOutputStream(path, overwrite), UTF_8))) {
            write(result.json(), writer);
            result.files().ifPresent(files -> files.forEach(line -> write(line, writer)));
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

    private static void write(String line, Writer writer) {
        try {
            writer.write(line);
            writer.write('\n');
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static ConversionException unusable(String fact) {
        return ConversionException.usage("REPORT", "Cannot use --report: " + fact + ".");
    }
}
