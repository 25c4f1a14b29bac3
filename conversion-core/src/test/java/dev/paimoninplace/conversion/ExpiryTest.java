package dev.paimoninplace.conversion;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.paimoninplace.conversion.ConversionReport.Outcome;
import dev.paimoninplace.testing.InterceptedFileIO;
import dev.paimoninplace.testing.InterceptedFileIO.Interceptor;
import dev.paimoninplace.testing.Moment;
import dev.paimoninplace.testing.TableProof;
import dev.paimoninplace.testing.TestTable;
import dev.paimoninplace.testing.TestTable.Row;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.paimon.Snapshot;
import org.apache.paimon.catalog.Catalog;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Snapshots that expire while a conversion works on them. */
final class ExpiryTest {

    @TempDir Path warehouse;
    private Catalog catalog;

    @BeforeEach
    void open() {
        catalog = TestTable.catalog(warehouse);
    }

    @AfterEach
    void close() throws Exception {
        catalog.close();
    }

    private DataEvolutionConversion conversion(Interceptor interceptor) {
        // One thread, so that everything else waits for the other commits.
        return DataEvolutionConversion.of(
                        InterceptedFileIO.catalog(warehouse, interceptor), PreparedTable.IDENTIFIER)
                .withOptions(ConversionOptions.DEFAULTS.withThreads(1));
    }

    private static void append(TestTable table, int from, Map<Integer, Row> rows) {
        table.append(from, from + 20);
        OtherCommit.add(from, from + 20, "p0", rows);
    }

    @Test
    void aSnapshotIdThatExpiryFreedMeanwhileIsNotTakenAgain() {
        TestTable table = TestTable.unpartitioned(catalog, "t");
        Map<Integer, Row> rows = table.rows();
        append(table, 0, rows);
        append(table, 20, rows);
        Interceptor writerThatKeepsOneSnapshot =
                Moment.manifestWrite()
                        .before(
                                time -> {
                                    if (time == 1) {
                                        append(table, 100, rows);
                                        append(table, 200, rows);
                                        OtherCommit.expireAllBut(table, 1);
                                    }
                                });

        ConversionReport report = conversion(writerThatKeepsOneSnapshot).run();

        assertEquals(2, report.attempts());
        assertEquals(
                List.of(4L, 5L, 6L),
                TableProof.snapshots(table.load()).stream().map(Snapshot::id).toList());
        TableProof.assertConverted(table, rows);
    }

    @Test
    void aPredictionWhoseSnapshotExpiresMeanwhileIsOfItsSuccessor() {
        TestTable table = TestTable.unpartitioned(catalog, "t");
        Map<Integer, Row> rows = table.rows();
        append(table, 0, rows);
        append(table, 20, rows);
        int counted = 2;
        Interceptor writer =
                Moment.manifestRead()
                        .before(
                                time -> {
                                    if (time == counted + 1) {
                                        OtherCommit.compactManifests(table);
                                        append(table, 100, rows);
                                        OtherCommit.expireAllBut(table, 1);
                                    }
                                });

        ConversionReport report = conversion(writer).predict();

        assertEquals(Outcome.DRY_RUN, report.outcome());
        assertEquals(4L, report.snapshotBefore());
        assertEquals(rows.size(), report.nextRowId());
    }
}
