package dev.paimoninplace.fence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.paimoninplace.conversion.ConversionReport;
import dev.paimoninplace.conversion.ConversionReport.Outcome;
import dev.paimoninplace.conversion.DataEvolutionConversion;
import dev.paimoninplace.testing.TableProof;
import dev.paimoninplace.testing.TestTable;
import dev.paimoninplace.testing.TestTable.Row;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.sink.CommitMessage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commits through a table object of the guarded catalog from before a conversion. */
final class StaleCommitTest {

    @TempDir Path warehouse;
    private Catalog catalog;
    private Catalog guarded;
    private TestTable table;
    private TestTable guardedTable;

    @BeforeEach
    void open() {
        catalog = TestTable.catalog(warehouse);
        guarded = TestTable.guardedCatalog(warehouse);
        table = TestTable.partitioned(catalog, "t", "deletion-vectors.enabled", "true");
        table.append(0, 90, i -> "p" + i % 3);
        table.append(90, 180, i -> "p" + i % 3);
        guardedTable = TestTable.existing(guarded, table.identifier());
    }

    @AfterEach
    void close() throws Exception {
        guarded.close();
        catalog.close();
    }

    private ConversionReport convert() {
        return DataEvolutionConversion.of(catalog, table.identifier()).run();
    }

    @Test
    void aStaleAppendIsRefusedOnItsFirstAttemptAndLeavesTheTableAlone() {
        Map<Integer, Row> rows = table.rows();
        FileStoreTable stale = guardedTable.load();
        List<CommitMessage> messages = TestTable.prepareAppend(stale, 1000, 1050, i -> "p1");
        ConversionReport report = convert();

        StaleWriterException refused =
                assertThrows(StaleWriterException.class, () -> TestTable.commit(stale, messages));

        assertEquals("STALE_WRITER", refused.code());
        assertEquals("db.t", refused.table());
        assertEquals(OptionalLong.of(report.snapshotAfter()), refused.convertingSnapshotId());
        assertTrue(
                String.valueOf(refused.getMessage())
                        .startsWith("Cannot commit to db.t: snapshot "));
        assertEquals(report.snapshotAfter(), Objects.requireNonNull(table.latest()).id());
        TableProof.assertConverted(table, rows);
    }

    @Test
    void aWriterThatLoadsTheTableAfterTheConversionIsAccepted() {
        convert();
        Map<Integer, Row> rows = table.rows();

        guardedTable.append(1000, 1050, i -> "p1");

        for (int i = 1000; i < 1050; i++) {
            rows.put(i, new Row(i, "n" + i, 10L * i, "p1"));
        }
        TableProof.assertConverted(table, rows);
    }

    @Test
    void aTableIsConvertedThroughTheGuardedCatalogItself() {
        Map<Integer, Row> rows = table.rows();

        ConversionReport report = DataEvolutionConversion.of(guarded, table.identifier()).run();

        assertEquals(Outcome.CONVERTED, report.outcome());
        TableProof.assertConverted(table, rows);
    }
}
