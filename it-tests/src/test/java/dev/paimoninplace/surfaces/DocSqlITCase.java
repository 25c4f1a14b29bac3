package dev.paimoninplace.surfaces;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.paimoninplace.surfaces.DocPage.Example;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.flink.types.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every SQL block of the documentation runs and returns what the page shows. */
final class DocSqlITCase {

    private static final Pattern WAREHOUSE = Pattern.compile("('warehouse'\\s*=\\s*)'[^']*'");
    private static final Pattern SAVEPOINT = Pattern.compile("'file:///flink/savepoints/[^']*'");
    private static final String ANY_ROWS = "...";

    @RegisterExtension static final MiniClusterExtension CLUSTER = SqlSession.cluster();

    @TempDir Path warehouse;
    @TempDir Path savepoint;

    @ParameterizedTest(name = "{0}")
    @MethodSource("pagesWithSql")
    void runsAsThePageShows(String name, DocPage page) throws Exception {
        SqlSession sql = SqlSession.bare(warehouse);
        DocSavepoint.write(savepoint);

        for (Example example : page.examples()) {
            List<String> rows = List.of();
            for (String statement : example.statements()) {
                rows = shown(sql.run(inWarehouse(statement)));
            }
            if (!example.rows().isEmpty()) {
                assertShows(example.rows(), rows);
            }
        }
    }

    static Stream<Arguments> pagesWithSql() throws IOException {
        return DocPage.all().stream()
                .filter(page -> !page.examples().isEmpty())
                .map(page -> Arguments.of(page.file().getFileName().toString(), page));
    }

    @Test
    void findsThePagesToRun() throws IOException {
        DocPage page = DocPage.read(DocPage.folder().resolve("convert.md"));

        assertTrue(page.examples().size() >= 5, page.toString());
        assertTrue(page.examples().stream().anyMatch(e -> !e.rows().isEmpty()), page.toString());
    }

    private String inWarehouse(String statement) {
        String path = Matcher.quoteReplacement(warehouse.toUri().toString());
        String there = WAREHOUSE.matcher(statement).replaceAll("$1'" + path + "'");
        return SAVEPOINT
                .matcher(there)
                .replaceAll(Matcher.quoteReplacement("'" + savepoint.toUri() + "'"));
    }

    private static List<String> shown(List<Row> rows) {
        return rows.stream()
                .map(
                        row ->
                                IntStream.range(0, row.getArity())
                                        .mapToObj(i -> String.valueOf(row.getField(i)))
                                        .collect(Collectors.joining(", ")))
                .toList();
    }

    private static void assertShows(List<String> expected, List<String> actual) {
        int dots = expected.indexOf(ANY_ROWS);
        if (dots < 0) {
            assertEquals(expected, actual);
        } else {
            assertEquals(expected.subList(0, dots), actual.stream().limit(dots).toList());
        }
    }
}
