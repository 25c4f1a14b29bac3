package dev.paimoninplace.adapter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.paimoninplace.adapter.ReportFile.Existing;
import dev.paimoninplace.conversion.ConversionException;
import dev.paimoninplace.conversion.ErrorKind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class ReportFileTest {

    private static final ActionResult RESULT =
            new ActionResult("", "{}", Optional.empty(), Optional.empty());

    @TempDir Path folder;

    @ParameterizedTest
    @EnumSource
    void writesALineIntoANewFileOfAPlainPath(Existing existing) throws Exception {
        Path file = folder.resolve("new folder/report.json");

        reportFile(file.toString(), existing).write(RESULT, Scrubber.NONE);

        assertEquals("{}\n", Files.readString(file));
    }

    @Test
    void writesToAPathWithAScheme() throws Exception {
        Path file = folder.resolve("report.json");

        reportFile(file.toUri().toString(), Existing.KEPT).write(RESULT, Scrubber.NONE);

        assertEquals("{}\n", Files.readString(file));
    }

    @Test
    void takesARelativePathFromTheWorkingDirectory() throws Exception {
        Path file = folder.toAbsolutePath().resolve("report.json");
        Path relative = Path.of("").toAbsolutePath().relativize(file);

        reportFile(relative.toString(), Existing.KEPT).write(RESULT, Scrubber.NONE);

        assertEquals("{}\n", Files.readString(file));
    }

    @Test
    void createsNothingBeforeItIsWritten() throws Exception {
        reportFile(folder.resolve("a/report.json").toString(), Existing.KEPT);

        try (Stream<Path> files = Files.list(folder)) {
            assertEquals(List.of(), files.toList());
        }
    }

    @Test
    void refusesAFileThatExists() throws Exception {
        Path file = Files.writeString(folder.resolve("zz.json"), "kept");

        assertRefused("the file exists", file.toString(), Existing.KEPT);

        assertEquals("kept", Files.readString(file));
    }

    @Test
    void keepsAFileThatCameInBetween() throws Exception {
        Path file = folder.resolve("report.json");
        ReportFile report = reportFile(file.toString(), Existing.KEPT);
        Files.writeString(file, "kept");

        ConversionException failure =
                assertThrows(ConversionException.class, () -> report.write(RESULT, Scrubber.NONE));

        assertEquals(ErrorKind.UNEXPECTED, failure.kind());
        assertEquals("REPORT_NOT_WRITTEN", failure.code());
        assertEquals("kept", Files.readString(file));
    }

    @Test
    void replacesALongerFileWhenToldTo() throws Exception {
        Path file = Files.writeString(folder.resolve("report.json"), "a longer text than the new");

        reportFile(file.toString(), Existing.REPLACED).write(RESULT, Scrubber.NONE);

        assertEquals("{}\n", Files.readString(file));
    }

    @ParameterizedTest
    @EnumSource
    void refusesAFolder(Existing existing) throws Exception {
        Path zz = Files.createDirectory(folder.resolve("zz"));

        assertRefused("it is a folder", zz.toString(), existing);
    }

    @ParameterizedTest
    @EnumSource
    void refusesWhatNoFileSystemKnows(Existing existing) {
        assertRefused("looking at its path fails with ", "zznone://zz/report.json", existing);
        assertRefused("looking at its path fails with ", "", existing);
    }

    @Test
    void saysThatTheResultStandsWhenTheFileCannotBeWritten() throws Exception {
        Path blocked = Files.writeString(folder.resolve("file"), "").resolve("report.json");
        ReportFile report = reportFile(blocked.toString(), Existing.KEPT);

        ConversionException failure =
                assertThrows(ConversionException.class, () -> report.write(RESULT, Scrubber.NONE));

        String message = String.valueOf(failure.getMessage());
        assertEquals("REPORT_NOT_WRITTEN", failure.code());
        assertTrue(message.endsWith(". The result stands; it was printed."), message);
    }

    private void assertRefused(String fact, String path, Existing existing) {
        ConversionException failure =
                assertThrows(ConversionException.class, () -> reportFile(path, existing));

        String message = String.valueOf(failure.getMessage());
        assertEquals(ErrorKind.USAGE, failure.kind());
        assertEquals("REPORT", failure.code());
        assertTrue(message.startsWith("Cannot use --report: " + fact), message);
        assertFalse(message.contains("zz"), message);
    }

    private ReportFile reportFile(String path, Existing existing) {
        CatalogConf conf = CatalogConf.parse(folder.toUri().toString(), List.of(), null);
        return conf.reportFile(path, existing, null);
    }
}
