package dev.paimoninplace.conversion;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.paimoninplace.conversion.ConversionReport.Outcome;
import dev.paimoninplace.testing.TestTable;
import dev.paimoninplace.testing.TestTable.Row;
import dev.paimoninplace.verify.DataEvolutionVerification;
import dev.paimoninplace.verify.FindingCode;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.data.BinaryString;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.sink.StreamTableCommit;
import org.apache.paimon.table.sink.StreamTableWrite;
import org.apache.paimon.table.sink.StreamWriteBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A job that opened a row-tracking table before it was converted and goes on: what the warning says
 * of it. A test that fails here means that less has to be warned of.
 */
final class StaleRowTrackingJobTest {

    @TempDir Path warehouse;
    private Catalog catalog;
    private TestTable table;

    @BeforeEach
    void createTable() {
        catalog = TestTable.catalog(warehouse);
        table = TestTable.unpartitioned(catalog, "t", "row-tracking.enabled", "true");
        table.append(0, 20);
    }

    @AfterEach
    void close() throws Exception {
        catalog.close();
    }

    private DataEvolutionConversion conversion() {
        return DataEvolutionConversion.of(catalog, table.identifier());
    }

    @Test
    void theWarningSaysToStopIt() {
        Check warning =
                conversion().predict().warnings().stream()
                        .filter(check -> check.name().equals("RUNNING_WRITERS"))
                        .findFirst()
                        .orElseThrow();

        assertTrue(warning.remedy().contains("only until a column is updated"), warning.remedy());
    }

    @Test
    void whatItWritesIsMendedByALaterRunBeforeAnyUpdate() throws Exception {
        commitBeforeAndAfter(() -> conversion().run());

        assertEquals(List.of(FindingCode.SEQUENCE_OUT_OF_RANGE), findings());
        assertEquals(Outcome.REPAIRED, conversion().run().outcome());
        assertEquals(List.of(), findings());
        table.updateV(id -> -1L);

        assertTrue(
                table.rows().values().stream().allMatch(row -> Objects.equals(row.v(), -1L)),
                () -> table.rows().toString());
    }

    @Test
    void updatesOfWhatItWritesAfterAnUpdateStayInvisibleAndVerifySaysSo() throws Exception {
        commitBeforeAndAfter(
                () -> {
                    conversion().run();
                    table.updateV(id -> -2L);
                });

        assertEquals(Outcome.SKIPPED, conversion().run().outcome());
        assertEquals(List.of(FindingCode.SEQUENCE_OUT_OF_RANGE), findings());
        table.updateV(id -> -1L);

        Map<Integer, Row> rows = table.rows();
        assertEquals(-1L, Objects.requireNonNull(rows.get(149)).v());
        assertNotEquals(-1L, Objects.requireNonNull(rows.get(249)).v());
    }

    /** A job commits, something happens, and the job commits again. */
    private void commitBeforeAndAfter(Runnable something) throws Exception {
        StreamWriteBuilder job = table.load().newStreamWriteBuilder().withCommitUser("job");
        try (StreamTableWrite write = job.newWrite();
                StreamTableCommit commit = job.newCommit()) {
            write(write, 100, 150);
            commit.commit(1, write.prepareCommit(true, 1));
            something.run();
            write(write, 200, 250);
            commit.commit(2, write.prepareCommit(true, 2));
        }
    }

    private List<FindingCode> findings() {
        return DataEvolutionVerification.of(catalog, table.identifier()).run().findings().stream()
                .map(finding -> finding.code())
                .toList();
    }

    private static void write(StreamTableWrite write, int from, int to) throws Exception {
        for (int id = from; id < to; id++) {
            BinaryString text = BinaryString.fromString("n" + id);
            write.write(GenericRow.of(id, text, 10L * id, text));
        }
    }

    @Test
    void itsCompactionMakesTheTableUnreadableUntilItIsRolledBack() {
        table.append(20, 40);
        Map<Integer, Row> rows = table.rows();
        FileStoreTable stale = table.load().copy(Map.of("compaction.min.file-num", "2"));
        long converted = conversion().run().snapshotAfter();

        TestTable.commit(stale, TestTable.prepareCompact(stale));

        assertThrows(IllegalArgumentException.class, () -> table.rows());
        ConversionException refusal =
                assertThrows(ConversionException.class, () -> conversion().run());
        assertEquals("IDS_INSIDE_FILES", refusal.code());

        table.load().rollbackTo(converted);

        assertEquals(rows, table.rows());
        assertEquals(Outcome.SKIPPED, conversion().run().outcome());
    }
}
