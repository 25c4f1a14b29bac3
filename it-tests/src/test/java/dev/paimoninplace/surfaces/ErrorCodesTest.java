package dev.paimoninplace.surfaces;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** docs/errors.md lists every code that the sources can give, and no other. */
final class ErrorCodesTest {

    private static final Pattern IN_SOURCES =
            Pattern.compile("\"([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*)\"");

    private static final Pattern IN_PAGE =
            Pattern.compile("(?m)^\\| `([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*)` \\|");

    /** Literals in upper snake case that mean something else. */
    private static final Set<String> NO_CODES = Set.of("DRY_RUN", "FAILED", "BOOLEAN", "STRING");

    @Test
    void areAllDocumented() throws IOException {
        Set<String> documented =
                found(IN_PAGE, Files.readString(DocPage.folder().resolve("errors.md")));

        Set<String> used = new TreeSet<>();
        Path root = DocPage.folder().resolve("..");
        for (String module : List.of("conversion-core", "flink-procedures", "flink-action")) {
            used.addAll(codes(root.resolve(module).resolve("src/main/java")));
        }

        used.removeAll(NO_CODES);
        assertFalse(used.isEmpty());
        assertEquals(used, documented);
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

    private static Set<String> found(Pattern pattern, String text) {
        Set<String> found = new TreeSet<>();
        Matcher matcher = pattern.matcher(text);
        while (matcher.find()) {
            found.add(matcher.group(1));
        }
        return found;
    }
}
