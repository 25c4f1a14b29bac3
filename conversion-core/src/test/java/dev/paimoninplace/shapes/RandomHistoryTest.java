package dev.paimoninplace.shapes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.paimoninplace.conversion.ConversionReport.Outcome;
import dev.paimoninplace.testing.Folders;
import dev.paimoninplace.testing.TestTable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.stream.LongStream;
import org.apache.paimon.catalog.Catalog;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random tables, converted at a random point of a random history, against a model in plain Java. A
 * failure names its seed and what was done; {@code -Dseed=} runs that one alone.
 */
final class RandomHistoryTest {

    private static final long SECONDS = 1_000_000_000L;
    private static final int FEWEST = 3;

    @TempDir Path folder;

    @Test
    void randomTablesKeepTheirRowsThroughConversionAndUse() {
        Long only = Long.getLong("seed");
        if (only != null) {
            run(only);
            return;
        }
        long end = System.nanoTime() + 35 * SECONDS;
        long seed = 0;
        while (seed < FEWEST || System.nanoTime() < end) {
            seed++;
            run(seed);
        }
        System.out.println("Random histories: seeds 1 to " + seed + ".");
        assertTrue(seed >= FEWEST);
    }

    @Test
    @Tag("long")
    void threeHundredRandomTablesKeepTheirRowsThroughConversionAndUse() {
        LongStream.rangeClosed(1001, 1300).parallel().forEach(this::run);
        System.out.println("Random histories: seeds 1001 to 1300.");
    }

    private void run(long seed) {
        Path warehouse = folder.resolve("seed-" + seed);
        Random random = new Random(seed);
        RandomHistory history = null;
        try (Catalog catalog = TestTable.catalog(Files.createDirectories(warehouse))) {
            history = RandomHistory.begin(catalog, random);
            convertAndUse(history, random, warehouse);
            Folders.delete(warehouse);
        } catch (Exception | AssertionError e) {
            String done = history == null ? "" : " after " + history.done();
            throw new AssertionError("Seed " + seed + " fails" + done, e);
        }
    }

    private static void convertAndUse(RandomHistory history, Random random, Path warehouse) {
        int before = random.nextInt(16);
        for (int i = 0; i < before; i++) {
            history.plainStep();
        }

        history.done().add("convert");
        ConvertedTable converted = ConvertedTable.convert(history.table(), warehouse);

        history.assertRows();
        if (history.table().files().isEmpty()) {
            assertEquals(1, converted.report().nextRowId());
        } else {
            converted.assertDensePerPartition();
            converted.assertManifestsKnowTheirRowIds();
            converted.assertReassignmentHasNothingToDo();
        }
        for (int i = 0; i < 8; i++) {
            history.evolvedStep();
        }
        assertEquals(Outcome.SKIPPED, ConvertedTable.conversion(history.table()).run().outcome());
    }
}
