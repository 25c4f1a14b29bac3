package dev.paimoninplace.surfaces;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A page of the documentation.
 *
 * @param file where it lies
 * @param examples its SQL blocks, in order
 */
record DocPage(Path file, List<Example> examples) {

    private static final Pattern SQL_BLOCK =
            Pattern.compile("(?ms)^```sql\\n(.*?)^```\\n(?:\\n^```text\\n(.*?)^```\\n)?");

    /**
     * A SQL block.
     *
     * @param statements its statements, without semicolon
     * @param rows lines of the text block that follows it: what the last statement returns. A line
     *     of three dots stands for any further rows. Empty when no text block follows.
     */
    record Example(List<String> statements, List<String> rows) {}

    static List<DocPage> all() throws IOException {
        List<DocPage> pages = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder())) {
            for (Path file : files.filter(f -> f.toString().endsWith(".md")).sorted().toList()) {
                pages.add(read(file));
            }
        }
        return pages;
    }

    /** The folder docs, from the module or from the root of the checkout. */
    static Path folder() {
        return Stream.of(Path.of("../docs"), Path.of("docs"))
                .filter(Files::isDirectory)
                .findFirst()
                .orElseThrow();
    }

    static DocPage read(Path file) throws IOException {
        List<Example> examples = new ArrayList<>();
        Matcher block = SQL_BLOCK.matcher(Files.readString(file));
        while (block.find()) {
            String rows = block.group(2);
            examples.add(
                    new Example(
                            statements(block.group(1)),
                            rows == null ? List.of() : rows.lines().toList()));
        }
        return new DocPage(file, examples);
    }

    private static List<String> statements(String sql) {
        return Arrays.stream(sql.replaceAll("(?m)\\s*--.*$", "").split(";\\s*(\\n|$)"))
                .map(String::strip)
                .filter(statement -> !statement.isEmpty())
                .toList();
    }
}
