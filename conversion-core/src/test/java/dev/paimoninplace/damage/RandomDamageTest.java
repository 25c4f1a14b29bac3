package dev.paimoninplace.damage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.paimoninplace.conversion.ConversionException;
import dev.paimoninplace.conversion.DataEvolutionConversion;
import dev.paimoninplace.conversion.DataEvolutionRepair;
import dev.paimoninplace.conversion.ErrorKind;
import dev.paimoninplace.conversion.RepairOptions;
import dev.paimoninplace.conversion.RepairReport;
import dev.paimoninplace.conversion.RepairReport.Outcome;
import dev.paimoninplace.shapes.RandomHistory;
import dev.paimoninplace.testing.FolderListing;
import dev.paimoninplace.testing.Folders;
import dev.paimoninplace.testing.RowGroups;
import dev.paimoninplace.testing.TestTable;
import dev.paimoninplace.testing.TextRows;
import dev.paimoninplace.verify.DataEvolutionVerification;
import dev.paimoninplace.verify.Finding;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.apache.paimon.catalog.Catalog;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random tables, converted at a random point of a random history and damaged at random, against a
 * model in plain Java: verify finds the damage, repair mends it or refuses. A failure names its
 * seed and what was done; {@code -Dseed=} runs that one alone.
 */
final class RandomDamageTest {

    @TempDir Path folder;

    private final Map<String, AtomicInteger> endings = new ConcurrentSkipListMap<>();

    @Test
    void randomDamageIsFoundAndMendedOrRefused() {
        Long only = Long.getLong("seed");
        Long last = Long.getLong("last.seed", only == null ? 12L : only);
        run(only == null ? 1 : only, last);
    }

    @Test
    @Tag("long")
    void aThousandRandomDamagesAreFoundAndMendedOrRefused() {
        run(5001, 6000);
    }

    private void run(long first, long last) {
        LongStream.rangeClosed(first, last).parallel().forEach(this::run);
        System.out.println(
                "histories with damage: seeds " + first + " to " + last + ", " + endings);
        assertEquals(
                last - first + 1, endings.values().stream().mapToInt(AtomicInteger::get).sum());
    }

    private void run(long seed) {
        Path warehouse = folder.resolve("seed-" + seed);
        Random random = new Random(seed);
        RandomHistory history = null;
        try (Catalog catalog = TestTable.catalog(Files.createDirectories(warehouse))) {
            history = RandomHistory.begin(catalog, random);
            String ending = new OneRun(warehouse, history, random).run();
            endings.computeIfAbsent(ending, e -> new AtomicInteger()).incrementAndGet();
            Folders.delete(warehouse);
        } catch (Exception | AssertionError e) {
            String done = history == null ? "" : " after " + history.done();
            throw new AssertionError("Seed " + seed + " fails" + done, e);
        }
    }

    private static final class OneRun {

        private final Path warehouse;
        private final RandomHistory history;
        private final Random random;
        private final TestTable table;
        private final RandomDamage damage;

        OneRun(Path warehouse, RandomHistory history, Random random) {
            this.warehouse = warehouse;
            this.history = history;
            this.random = random;
            this.table = history.table();
            this.damage = new RandomDamage(random, history);
        }

        String run() {
            for (int i = random.nextInt(8); i >= 0; i--) {
                damage.plainStep();
            }
            damage.convert();
            for (int i = random.nextInt(5); i > 0; i--) {
                damage.evolvedStep();
            }
            for (int i = random.nextInt(3); i >= 0; i--) {
                damage.damage();
            }
            assertVerifyFindsWhatIsWrong();
            String ending = repair();
            if (!ending.equals("refused")) {
                assertSound();
                use();
            }
            return ending;
        }

        private void assertVerifyFindsWhatIsWrong() {
            if (errors().isEmpty()) {
                history.assertRows();
                assertEquals(history.rows().size(), TextRows.idsByRowId(table.load()).size());
            }
        }

        private List<Finding> errors() {
            return DataEvolutionVerification.of(table.catalog(), table.identifier())
                    .run()
                    .findings()
                    .stream()
                    .filter(finding -> finding.severity() == Finding.Severity.ERROR)
                    .toList();
        }

        private DataEvolutionRepair repair(RepairOptions options) {
            return DataEvolutionRepair.of(table.catalog(), table.identifier()).withOptions(options);
        }

        private String repair() {
            Optional<String> refusal = refusal(Allow.NOTHING);
            if (refusal.isEmpty()) {
                return run(Allow.NOTHING).outcome() == Outcome.SKIPPED ? "skipped" : "mended";
            }
            if (refusal.get().equals("NEVER_CONVERTED")) {
                DataEvolutionConversion.of(table.catalog(), table.identifier()).run();
                return "converted again";
            }
            if (refusal(Allow.ROLL_BACK).isPresent()) {
                return "refused";
            }
            RepairReport report = run(Allow.ROLL_BACK);
            damage.expectRollBackTo(Objects.requireNonNull(report.rolledBackTo()));
            return "rolled back";
        }

        /** The code of a refusal, which a dry run and a run give alike, writing nothing. */
        private Optional<String> refusal(RepairOptions options) {
            Map<String, String> before = FolderListing.of(warehouse);
            Optional<String> code = code(() -> repair(options).predict());
            if (code.isPresent()) {
                assertEquals(code, code(() -> repair(options).run()));
            }
            assertEquals(before, FolderListing.of(warehouse));
            return code;
        }

        private static Optional<String> code(Runnable work) {
            try {
                work.run();
                return Optional.empty();
            } catch (ConversionException e) {
                assertEquals(ErrorKind.REFUSED, e.kind(), e.getMessage());
                return Optional.of(e.code());
            }
        }

        private RepairReport run(RepairOptions options) {
            String predicted = repair(options).predict().resultLine();
            RepairReport report = repair(options).run();
            if (report.outcome() == Outcome.REPAIRED) {
                assertEquals(
                        predicted.replaceFirst(".* would do: ", ""),
                        report.resultLine().replaceFirst("Repaired\\. Table '.*?': ", ""));
            }
            return report;
        }

        private void assertSound() {
            assertEquals(List.of(), errors());
            history.assertRows();
            assertEquals(history.rows().size(), TextRows.idsByRowId(table.load()).size());
            assertEquals(Outcome.SKIPPED, repair(Allow.NOTHING).run().outcome());
        }

        /** An update is seen, and the history goes on. */
        private void use() {
            RowGroups.of(table).update("v", id -> "-7");
            history.rows().values().forEach(row -> row.put("v", "-7"));
            history.assertRows();
            for (int i = damage.wentToBranch() ? 0 : 2; i > 0; i--) {
                history.evolvedStep();
            }
            assertEquals(List.of(), errors());
            assertTrue(table.load().coreOptions().dataEvolutionEnabled());
        }
    }
}
