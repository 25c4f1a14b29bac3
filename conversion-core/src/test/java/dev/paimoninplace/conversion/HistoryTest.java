package dev.paimoninplace.conversion;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.paimoninplace.conversion.ConversionReport.Outcome;
import dev.paimoninplace.testing.TableProof;
import dev.paimoninplace.testing.TestTable;
import dev.paimoninplace.testing.TestTable.Row;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.apache.paimon.Snapshot;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.table.FileStoreTable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tables that are taken back to an earlier state of theirs, before the conversion or after it. */
final class HistoryTest {

    @TempDir Path warehouse;
    private Catalog catalog;
    private TestTable table;

    @BeforeEach
    void open() {
        catalog = TestTable.catalog(warehouse);
        table = TestTable.unpartitioned(catalog, "t");
        table.append(0, 40);
        table.append(40, 80);
    }

    @AfterEach
    void close() throws Exception {
        catalog.close();
    }

    private ConversionReport convert() {
        return DataEvolutionConversion.of(catalog, table.identifier()).run();
    }

    @Test
    void aBranchFromBeforeThatIsFastForwardedIsConvertedAgain() {
        table.load().createTag("before");
        table.load().createBranch("b", "before");
        Map<Integer, Row> rows = table.rows();
        convert();
        table.append(80, 120);

        table.load().fastForward("b");
        ConversionReport again = convert();

        assertEquals(Outcome.CONVERTED, again.outcome());
        TableProof.assertConverted(table, rows);
        TableProof.assertUpdatesAreVisible(table);
    }

    @Test
    void aRollbackAcrossTheConversionIsRepaired() {
        Map<Integer, Row> rows = table.rows();
        long before = Objects.requireNonNull(table.latest()).id();
        convert();
        table.append(80, 120);

        table.load().rollbackTo(before);
        ConversionReport again = convert();

        assertEquals(TableState.FLIPPED, again.stateBefore());
        assertEquals(Outcome.CONVERTED, again.outcome());
        TableProof.assertConverted(table, rows);
        TableProof.assertUpdatesAreVisible(table);
    }

    @Test
    void rowIdsStayUniqueInTheRetainedSnapshotsAfterARollback() {
        convert();
        long converted = Objects.requireNonNull(table.latest()).id();
        table.append(80, 120);
        table.load().rollbackTo(converted);
        table.append(200, 240);

        assertEquals(Outcome.SKIPPED, convert().outcome());

        Map<Long, Integer> owners = new HashMap<>();
        long nextRowId = 0;
        for (Snapshot snapshot : TableProof.snapshots(table.load())) {
            if (snapshot.id() < converted) {
                continue;
            }
            assertTrue(Objects.requireNonNull(snapshot.nextRowId()) >= nextRowId);
            nextRowId = snapshot.nextRowId();
            FileStoreTable then =
                    table.load().copy(Map.of("scan.snapshot-id", String.valueOf(snapshot.id())));
            TestTable.rowIds(then)
                    .forEach(
                            (id, rowId) ->
                                    assertEquals(
                                            id,
                                            Objects.requireNonNullElse(
                                                    owners.putIfAbsent(rowId, id), id)));
        }
        assertEquals(120, owners.size());
    }
}
