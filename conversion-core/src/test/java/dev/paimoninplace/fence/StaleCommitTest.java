package dev.paimoninplace.fence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.paimoninplace.conversion.ConversionException;
import dev.paimoninplace.conversion.ConversionReport;
import dev.paimoninplace.conversion.ConversionReport.Outcome;
import dev.paimoninplace.conversion.DataEvolutionConversion;
import dev.paimoninplace.testing.InterceptedFileIO;
import dev.paimoninplace.testing.Moment;
import dev.paimoninplace.testing.TableProof;
import dev.paimoninplace.testing.TestTable;
import dev.paimoninplace.testing.TestTable.Row;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import org.apache.paimon.Snapshot;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.sink.BatchTableCommit;
import org.apache.paimon.table.sink.CommitMessage;
import org.apache.paimon.table.sink.CommitMessageImpl;
import org.apache.paimon.table.sink.StreamTableCommit;
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
    private FileStoreTable stale;
    private Map<Integer, Row> rows;

    @BeforeEach
    void open() {
        catalog = TestTable.catalog(warehouse);
        guarded = TestTable.guardedCatalog(warehouse);
        table = TestTable.partitioned(catalog, "t", "deletion-vectors.enabled", "true");
        table.append(0, 90, i -> "p" + i % 3);
        table.append(90, 180, i -> "p" + i % 3);
        guardedTable = TestTable.existing(guarded, table.identifier());
        stale = guardedTable.load().copy(Map.of("compaction.min.file-num", "2"));
        rows = table.rows();
    }

    @AfterEach
    void close() throws Exception {
        guarded.close();
        catalog.close();
    }

    private ConversionReport convert() {
        return DataEvolutionConversion.of(catalog, table.identifier()).run();
    }

    private void add(int from, int to, String partition) {
        for (int i = from; i < to; i++) {
            rows.put(i, new Row(i, "n" + i, 10L * i, partition));
        }
    }

    private StaleWriterException assertRefused(Runnable commit) {
        Snapshot before = Objects.requireNonNull(table.latest());

        StaleWriterException refused = assertThrows(StaleWriterException.class, commit::run);

        assertEquals(before, table.latest());
        return refused;
    }

    @Test
    void aStaleAppendIsRefusedOnItsFirstAttemptAndSaysByWhom() {
        List<CommitMessage> messages = TestTable.prepareAppend(stale, 1000, 1050, i -> "p1");
        ConversionReport report = convert();

        StaleWriterException refused = assertRefused(() -> TestTable.commit(stale, messages));

        assertEquals("STALE_WRITER", refused.code());
        assertEquals("db.t", refused.table());
        assertEquals(OptionalLong.of(report.snapshotAfter()), refused.convertingSnapshotId());
        DataFileMeta file =
                ((CommitMessageImpl) messages.get(0)).newFilesIncrement().newFiles().get(0);
        assertEquals(file.fileName(), refused.file());
        assertEquals(
                "Cannot commit to db.t: snapshot "
                        + report.snapshotAfter()
                        + " made the table track rows, and file "
                        + file.fileName()
                        + " would have no row ids. Nothing of it was committed. Restart the job: it"
                        + " then opens the table as it is now, and a job of the guarded catalog"
                        + " does so by itself. Compact such a table with sys.compact, not with"
                        + " sys.compact_database.",
                refused.getMessage());
        TableProof.assertConverted(table, rows);
    }

    @Test
    void aStaleCompactionIsRefused() {
        List<CommitMessage> messages = TestTable.prepareCompact(stale);
        convert();

        assertRefused(() -> TestTable.commit(stale, messages));

        TableProof.assertConverted(table, rows);
    }

    @Test
    void aStaleOverwriteIsRefused() throws Exception {
        List<CommitMessage> messages = TestTable.prepareAppend(stale, 1000, 1050, i -> "p1");
        convert();

        try (BatchTableCommit commit =
                stale.newBatchWriteBuilder().withOverwrite(Map.of("pt", "p1")).newCommit()) {
            assertRefused(() -> commit.commit(messages));
        }

        TableProof.assertConverted(table, rows);
    }

    @Test
    void staleCommitsThatAddNoFilePass() throws Exception {
        List<CommitMessage> deletion = TestTable.prepareDelete(stale, id -> id % 9 == 4);
        convert();

        TestTable.commit(stale, deletion);
        try (BatchTableCommit commit = stale.newBatchWriteBuilder().newCommit()) {
            commit.truncatePartitions(List.of(Map.of("pt", "p2")));
            commit.compactManifests();
        }

        rows.values().removeIf(row -> row.id() % 9 == 4 || "p2".equals(row.pt()));
        TableProof.assertConverted(table, rows);
    }

    @Test
    void aCommitterThatWasOpenBeforeIsRefusedAlsoWhenItsWriterHasRefreshedItsSchema()
            throws Exception {
        try (StreamTableCommit commit =
                stale.newStreamWriteBuilder().withCommitUser("job").newCommit()) {
            convert();
            FileStoreTable refreshed = guardedTable.load();
            List<CommitMessage> messages =
                    TestTable.prepareAppend(refreshed, 1000, 1050, i -> "p1");

            assertRefused(() -> commit.commit(1, messages));
        }

        TableProof.assertConverted(table, rows);
    }

    @Test
    void aWriterThatLoadsTheTableAfterTheConversionIsAccepted() {
        convert();

        guardedTable.append(1000, 1050, i -> "p1");
        guardedTable.overwrite("p2", 1050, 1100);
        guardedTable.updateV(id -> 10L * id);
        guardedTable.compact();

        rows.values().removeIf(row -> "p2".equals(row.pt()));
        add(1000, 1050, "p1");
        add(1050, 1100, "p2");
        TableProof.assertConverted(table, rows);
    }

    @Test
    void aTableIsConvertedThroughTheGuardedCatalogItself() {
        ConversionReport report = DataEvolutionConversion.of(guarded, table.identifier()).run();

        assertEquals(Outcome.CONVERTED, report.outcome());
        TableProof.assertConverted(table, rows);
    }

    @Test
    void whatStockWritersLeftIsMendedThroughTheGuardedCatalog() {
        FileStoreTable stockStale = table.load();
        convert();
        TestTable.append(stockStale, 1000, 1050, i -> "p1");

        ConversionReport report = DataEvolutionConversion.of(guarded, table.identifier()).run();

        assertEquals(Outcome.REPAIRED, report.outcome());
        add(1000, 1050, "p1");
        TableProof.assertConverted(table, rows);
    }

    @Test
    void aWriterFromBeforeAnAbandonedConversionIsRefusedOnceAndComesBackAsAPlainOne()
            throws Exception {
        try (StreamTableCommit commit =
                stale.newStreamWriteBuilder().withCommitUser("job").newCommit()) {
            List<CommitMessage> messages = TestTable.prepareAppend(stale, 1000, 1050, i -> "p1");
            abandonBeforeTheSchemaChanges();

            StaleWriterException refused = assertRefused(() -> commit.commit(1, messages));

            assertEquals(OptionalLong.of(3), refused.convertingSnapshotId());
        }

        guardedTable.append(1000, 1050, i -> "p1");
        guardedTable.append(1050, 1100, i -> "p1");
        assertFalse(guardedTable.load().coreOptions().rowTrackingEnabled());
        add(1000, 1100, "p1");
        assertEquals(rows, table.rows());
    }

    @Test
    void aWriterFromBetweenAnAbandonedConversionAndTheNextOneIsRefused() throws Exception {
        abandonBeforeTheSchemaChanges();
        FileStoreTable between = guardedTable.load();
        try (StreamTableCommit commit =
                between.newStreamWriteBuilder().withCommitUser("job").newCommit()) {
            convert();

            List<CommitMessage> messages = TestTable.prepareAppend(between, 1000, 1050, i -> "p1");
            assertRefused(() -> commit.commit(1, messages));
        }

        TableProof.assertConverted(table, rows);
    }

    private void abandonBeforeTheSchemaChanges() {
        Catalog failing =
                InterceptedFileIO.catalog(
                        warehouse,
                        Moment.schemaWrite()
                                .before(
                                        time -> {
                                            throw new IOException("No space left on device");
                                        }));
        assertThrows(
                ConversionException.class,
                () -> DataEvolutionConversion.of(failing, table.identifier()).run());
    }
}
