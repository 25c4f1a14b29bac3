package dev.paimoninplace.damage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Damaged tables: what verify says, what repair does, and the rows afterwards. */
final class CorpusTest {

    private static final Map<String, Integer> ENDINGS = new TreeMap<>();

    @TempDir Path warehouse;

    /** All of them, or with {@code -Dcase=} those whose name holds a text. */
    static List<DamageCase> cases() {
        String only = System.getProperty("case", "");
        return Corpus.all().stream().filter(damage -> damage.name().contains(only)).toList();
    }

    @AfterAll
    static void print() {
        int tables = ENDINGS.values().stream().mapToInt(Integer::intValue).sum();
        System.out.println("corpus: " + tables + " tables, " + ENDINGS);
    }

    @Test
    void thereAreFortyOfThemAndNoTwoWithOneName() {
        List<String> names = Corpus.all().stream().map(DamageCase::name).distinct().toList();

        assertEquals(Corpus.all().size(), names.size());
        assertTrue(names.size() >= 40, names::toString);
    }

    @ParameterizedTest
    @MethodSource("cases")
    void isFoundAndMendedOrRefused(DamageCase damage) throws Exception {
        CaseRun.run(damage, warehouse);

        ENDINGS.merge(damage.ending().getClass().getSimpleName(), 1, Integer::sum);
    }
}
