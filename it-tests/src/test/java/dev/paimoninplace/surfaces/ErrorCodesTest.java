package dev.paimoninplace.surfaces;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.paimoninplace.verify.FindingCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** docs/errors.md lists every code that the sources can give and every finding, and no other. */
final class ErrorCodesTest {

    private static final Pattern IN_SOURCES =
            Pattern.compile("\"([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*)\"");

    private static final Pattern IN_PAGE =
            Pattern.compile("(?m)^\\| `([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*)` \\|");

    private static final Pattern FINDING_IN_PAGE =
            Pattern.compile("(?m)^\\| `([A-Z_]+)` \\| ([EW]) \\|");

    /** Literals in upper snake case that mean something else. */
    private static final Set<String> NO_CODES =
            Set.of(
                    "DRY_RUN",
                    "FAILED",
                    "BOOLEAN",
                    "STRING",
                    "METADATA",
                    "ROWS",
                    "ADDED",
                    "REMOVED",
                    "CHANGED",
                    "EXPIRED",
                    "CLEAN",
                    "OK",
                    "PARQUET_1_0");

    @Test
    void areAllDocumented() throws IOException {
        Set<String> used = new TreeSet<>();
        Path root = DocPage.folder().resolve("..");
        for (String module : List.of("conversion-core", "flink-procedures", "flink-action")) {
            used.addAll(codes(root.resolve(module).resolve("src/main/java")));
        }

        used.removeAll(NO_CODES);
        assertFalse(used.isEmpty());
        assertEquals(used, new TreeSet<>(found(IN_PAGE, page().replace(findings(), ""))));
    }

    @Test
    void findingsAreAllDocumentedInTheirOrderWithTheirSeverity() throws IOException {
        List<String> rows =
                Arrays.stream(FindingCode.values())
                        .map(code -> code + " " + code.severity().name().charAt(0))
                        .toList();

        List<String> documented =
                FINDING_IN_PAGE
                        .matcher(findings())
                        .results()
                        .map(row -> row.group(1) + " " + row.group(2))
                        .toList();

        assertEquals(rows, documented);
        assertEquals(rows.size(), found(IN_PAGE, findings()).size());
    }

    private static String page() throws IOException {
        return Files.readString(DocPage.folder().resolve("errors.md"));
    }

    /** The section on findings. */
    private static String findings() throws IOException {
        String page = page();
        int start = page.indexOf("\n## Found by verify (exit code 6)\n");
        return page.substring(start, page.indexOf("\n## ", start + 1));
    }

    private static Set<String> codes(Path sources) throws IOException {
        Set<String> codes = new TreeSet<>();
        try (Stream<Path> files = Files.walk(sources)) {
            for (Path file : files.filter(f -> f.toString().endsWith(".java")).toList()) {
                codes.addAll(found(IN_SOURCES, Files.readString(file)));
            }
        }
        return codes;
    }

    private static List<String> found(Pattern pattern, String text) {
        return pattern.matcher(text).results().map(match -> match.group(1)).toList();
    }
}
