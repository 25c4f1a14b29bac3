package dev.paimoninplace.conversion;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.paimoninplace.conversion.ConversionReport.Outcome;
import dev.paimoninplace.testing.CrashFault;
import dev.paimoninplace.testing.Folders;
import dev.paimoninplace.testing.InterceptedFileIO;
import dev.paimoninplace.testing.TableProof;
import dev.paimoninplace.testing.TestTable;
import dev.paimoninplace.testing.TestTable.Row;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.paimon.Snapshot;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.schema.TableSchema;

/**
 * Stops a conversion at its first, second, third... operation on the file system, each time from
 * the same prepared table, until a run is not stopped any more; after each stop the table must be
 * readable and another run must complete it.
 */
final class CrashPoints {

    private static final int NEW_ROW = 100_000;

    private final Path folder;
    private final Path template;
    private final CrashFault.Mode mode;
    private final Map<Integer, Row> rows;
    private final long snapshotsBefore;
    private final long schemasBefore;
    private int stopped;
    private int resumed;

    /**
     * @param folder an empty folder to work in
     */
    CrashPoints(Path folder, PreparedTable prepared, CrashFault.Mode mode) throws Exception {
        this.folder = folder;
        this.template = folder.resolve("template");
        this.mode = mode;
        prepared.prepare(template);
        try (Catalog catalog = TestTable.catalog(template)) {
            TestTable table = TestTable.existing(catalog, PreparedTable.IDENTIFIER);
            rows = table.rows();
            snapshotsBefore = Optional.ofNullable(table.latest()).map(Snapshot::id).orElse(0L);
            schemasBefore = table.load().schemaManager().listAllIds().size();
        }
    }

    /** Every {@code stride}-th operation, from {@code first} on. */
    void enumerate(long first, long stride) throws Exception {
        long at = first;
        while (reaches(at)) {
            at += stride;
        }
    }

    int stopped() {
        return stopped;
    }

    int resumed() {
        return resumed;
    }

    private boolean reaches(long at) throws Exception {
        Path warehouse = folder.resolve("at-" + at);
        Folders.copy(template, warehouse);
        CrashFault fault = new CrashFault(mode, at);
        Optional<ConversionReport> report = Optional.empty();
        Optional<RuntimeException> failure = Optional.empty();
        try {
            report = Optional.of(run(InterceptedFileIO.catalog(warehouse, fault)));
        } catch (RuntimeException e) {
            failure = Optional.of(e);
        }
        String where = mode + " at operation " + at + ", " + fault.stoppedAt().orElse("never");
        try (Catalog catalog = TestTable.catalog(warehouse)) {
            TestTable table = TestTable.existing(catalog, PreparedTable.IDENTIFIER);
            failure.ifPresent(e -> assertTellsTheTruth(e, table));
            report.ifPresent(r -> assertEquals(Outcome.CONVERTED, r.outcome()));
            assertEquals(rows, table.rows());
            if (fault.stoppedAt().isPresent()) {
                stopped++;
                assertResumes(table);
                resumed++;
            }
        } catch (Throwable e) {
            failure.ifPresent(e::addSuppressed);
            throw new AssertionError(where + ": " + e.getMessage(), e);
        }
        Folders.delete(warehouse);
        return fault.isReached();
    }

    private static ConversionReport run(Catalog catalog) {
        // One thread, so that the n-th operation is always the same one.
        return DataEvolutionConversion.of(catalog, PreparedTable.IDENTIFIER)
                .withOptions(ConversionOptions.DEFAULTS.withThreads(1))
                .run();
    }

    /** What a failure says was committed is there, and nothing else is. */
    private void assertTellsTheTruth(RuntimeException failure, TestTable table) {
        List<Long> snapshotIds =
                TableProof.snapshots(table.load()).stream()
                        .map(Snapshot::id)
                        .filter(id -> id > snapshotsBefore)
                        .toList();
        List<Long> schemaIds =
                table.load().schemaManager().listAll().stream()
                        .map(TableSchema::id)
                        .filter(id -> id >= schemasBefore)
                        .toList();
        CommittedSteps actual = new CommittedSteps(snapshotIds, schemaIds);
        if (!(failure instanceof ConversionException coded)) {
            assertTrue(actual.isEmpty(), "a bare " + failure + " after " + actual.text());
            return;
        }
        if (!mode.isDeath() && coded.kind() != ErrorKind.OUTCOME_UNKNOWN && actual.isEmpty()) {
            assertEquals(
                    TableProof.referencedManifestFiles(table.load()),
                    TableProof.manifestFiles(table.load()),
                    "after " + coded.getMessage());
        }
        CommittedSteps said = coded.committed();
        String message = String.valueOf(coded.getMessage());
        assertTrue(message.contains(said.text()), message);
        if (coded.kind() == ErrorKind.OUTCOME_UNKNOWN) {
            assertTrue(snapshotIds.containsAll(said.snapshotIds()), message);
            assertTrue(schemaIds.containsAll(said.schemaIds()), message);
            int more =
                    snapshotIds.size()
                            - said.snapshotIds().size()
                            + schemaIds.size()
                            - said.schemaIds().size();
            assertTrue(more <= 1, message + " But there is " + actual.text());
        } else {
            assertEquals(actual, said, message);
        }
        if (!actual.isEmpty()) {
            assertTrue(message.contains("Run again"), message);
        }
    }

    private void assertResumes(TestTable table) {
        Map<Integer, Row> expected = new TreeMap<>(rows);
        for (int i = NEW_ROW; i < NEW_ROW + 5; i++) {
            expected.put(i, new Row(i, "n" + i, 10L * i, "p0"));
        }
        table.append(NEW_ROW, NEW_ROW + 5);

        ConversionReport second = run(table.catalog());
        ConversionReport third = run(table.catalog());

        assertTrue(
                Set.of(Outcome.CONVERTED, Outcome.REPAIRED, Outcome.SKIPPED)
                        .contains(second.outcome()));
        assertEquals(Outcome.SKIPPED, third.outcome());
        assertEquals(schemasBefore + 1, table.load().schemaManager().listAllIds().size());
        TableProof.assertConverted(table, expected);
        TableProof.assertOrphanCleaningIsSafeAndComplete(table);
        TableProof.assertUpdatesAreVisible(table);
    }
}
