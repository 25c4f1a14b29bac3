package dev.paimoninplace.conversion;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.paimoninplace.conversion.ConversionReport.Outcome;
import dev.paimoninplace.testing.FolderListing;
import dev.paimoninplace.testing.LockedObjectStore;
import dev.paimoninplace.testing.TableProof;
import dev.paimoninplace.testing.TestTable;
import dev.paimoninplace.testing.TestTable.Row;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.paimon.catalog.Catalog;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A warehouse in which a rename replaces what is there, so that only a lock keeps commits apart.
 */
final class ObjectStoreTest {

    /** Times that a conversion takes the lock: row ids, schema, seal. */
    private static final int LOCKS = 3;

    @TempDir Path warehouse;

    private static TestTable table(Catalog catalog) {
        TestTable table = TestTable.unpartitioned(catalog, "t");
        table.append(0, 30);
        table.append(30, 60);
        return table;
    }

    private static DataEvolutionConversion conversion(Catalog catalog) {
        return DataEvolutionConversion.of(catalog, PreparedTable.IDENTIFIER);
    }

    @Test
    void withoutALockTheTableIsRefusedAndNothingIsWritten() throws Exception {
        try (Catalog catalog = LockedObjectStore.withoutLock(warehouse)) {
            TestTable table = table(catalog);
            Map<String, String> before = FolderListing.of(warehouse);

            ConversionException predicted =
                    assertThrows(ConversionException.class, () -> conversion(catalog).predict());
            ConversionException refused =
                    assertThrows(ConversionException.class, () -> conversion(catalog).run());

            assertEquals(ErrorKind.REFUSED, refused.kind());
            assertEquals("ATOMIC_COMMIT", refused.code());
            assertEquals(
                    "Cannot convert db.t: the table lies in an object store and the catalog has no"
                            + " lock, so a commit of another writer could be lost. Set"
                            + " lock.enabled and lock.type in the catalog, for every writer too.",
                    refused.getMessage());
            assertEquals(refused.getMessage(), predicted.getMessage());
            assertEquals(before, FolderListing.of(warehouse));
            assertEquals(60, table.rows().size());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void anAppendThatGetsTheLockFirstIsNotLost(int time) throws Exception {
        ReentrantLock lock = new ReentrantLock();
        try (Catalog writers = LockedObjectStore.withLock(warehouse, lock, now -> {})) {
            TestTable table = table(writers);
            Map<Integer, Row> rows = table.rows();
            OtherCommit.add(100, 130, "p0", rows);

            ConversionReport report = convertWith(lock, time, () -> table.append(100, 130));

            assertEquals(Outcome.CONVERTED, report.outcome());
            TableProof.assertConverted(table, rows);
            TableProof.assertUpdatesAreVisible(table);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void aNewColumnThatGetsTheLockFirstIsNotLost(int time) throws Exception {
        ReentrantLock lock = new ReentrantLock();
        try (Catalog writers = LockedObjectStore.withLock(warehouse, lock, now -> {})) {
            TestTable table = table(writers);
            Map<Integer, Row> rows = table.rows();

            ConversionReport report = convertWith(lock, time, () -> table.addColumn("added"));

            assertEquals(Outcome.CONVERTED, report.outcome());
            assertTrue(table.load().rowType().getFieldNames().contains("added"));
            assertEquals(3, table.load().schemaManager().listAllIds().size());
            TableProof.assertConverted(table, rows);
            TableProof.assertUpdatesAreVisible(table);
        }
    }

    /** Converts; somebody else acts right before the lock is taken for the given time. */
    private ConversionReport convertWith(ReentrantLock lock, int time, Runnable other)
            throws Exception {
        int[] locks = {0};
        try (Catalog catalog =
                LockedObjectStore.withLock(
                        warehouse,
                        lock,
                        now -> {
                            locks[0] = now;
                            if (now == time) {
                                other.run();
                            }
                        })) {
            ConversionReport report = conversion(catalog).run();
            assertTrue(locks[0] >= LOCKS, "the lock was taken " + locks[0] + " times");
            return report;
        }
    }
}
