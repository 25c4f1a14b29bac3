package dev.paimoninplace.conversion;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.paimoninplace.testing.TestTable;
import java.nio.file.Path;
import org.apache.paimon.catalog.Catalog;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Options stored with a table that say what its readers see. */
final class StoredOptionsTest {

    @TempDir Path warehouse;
    private Catalog catalog;
    private TestTable table;

    @BeforeEach
    void createTable() {
        catalog = TestTable.catalog(warehouse);
        table = TestTable.unpartitioned(catalog, "t");
        table.append(0, 100);
        table.append(100, 200);
    }

    @AfterEach
    void close() throws Exception {
        catalog.close();
    }

    private ConversionException refusal() {
        ConversionException failure =
                assertThrows(
                        ConversionException.class,
                        () -> DataEvolutionConversion.of(catalog, table.identifier()).run());
        assertEquals(ErrorKind.REFUSED, failure.kind());
        return failure;
    }

    @Test
    void aSnapshotToReadIsRefusedBecauseReadersOfTheTableWouldFail() {
        table.setOption("scan.snapshot-id", "1");

        ConversionException failure = refusal();

        assertEquals("TIME_TRAVEL", failure.code());
        assertTrue(
                String.valueOf(failure.getMessage()).contains("[scan.snapshot-id]"),
                failure::getMessage);
    }

    @Test
    void anotherBranchThanTheOneThatIsNamedIsRefused() throws Exception {
        table.load().createBranch("b");
        table.setOption("branch", "b");

        ConversionException failure = refusal();

        assertEquals("STORED_BRANCH", failure.code());
        assertTrue(
                String.valueOf(failure.getMessage()).contains("table$branch_b"),
                failure::getMessage);
    }
}
