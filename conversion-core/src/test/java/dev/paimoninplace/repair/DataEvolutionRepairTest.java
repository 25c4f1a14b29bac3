package dev.paimoninplace.repair;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.paimoninplace.conversion.ConversionException;
import dev.paimoninplace.conversion.ConversionOptions;
import dev.paimoninplace.conversion.ConversionOptions.OldWriters;
import dev.paimoninplace.conversion.DataEvolutionConversion;
import dev.paimoninplace.conversion.DataEvolutionRepair;
import dev.paimoninplace.conversion.ErrorKind;
import dev.paimoninplace.conversion.RepairOptions;
import dev.paimoninplace.conversion.RepairReport;
import dev.paimoninplace.conversion.RepairReport.Outcome;
import dev.paimoninplace.conversion.TableState;
import dev.paimoninplace.testing.FolderListing;
import dev.paimoninplace.testing.TableProof;
import dev.paimoninplace.testing.TestTable;
import dev.paimoninplace.testing.TestTable.Row;
import dev.paimoninplace.verify.DataEvolutionVerification;
import dev.paimoninplace.verify.Finding;
import dev.paimoninplace.verify.FindingCode;
import dev.paimoninplace.verify.Level;
import dev.paimoninplace.verify.VerificationReport;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.data.BinaryString;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.manifest.ManifestEntry;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.sink.CommitMessage;
import org.apache.paimon.table.sink.StreamTableCommit;
import org.apache.paimon.table.sink.StreamTableWrite;
import org.apache.paimon.table.sink.StreamWriteBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Damage that is mended in the metadata alone. */
final class DataEvolutionRepairTest {

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

    /** Two files in each of two partitions. */
    private TestTable plain() {
        TestTable table = TestTable.partitioned(catalog, "t");
        table.append(0, 1000, i -> "p" + i % 2);
        table.append(1000, 2000, i -> "p" + i % 2);
        return table;
    }

    private TestTable converted() {
        TestTable table = plain();
        convert(table);
        return table;
    }

    private void convert(TestTable table) {
        DataEvolutionConversion.of(catalog, table.identifier()).run();
    }

    private DataEvolutionRepair repair(TestTable table) {
        return DataEvolutionRepair.of(catalog, table.identifier());
    }

    private VerificationReport verify(TestTable table) {
        return DataEvolutionVerification.of(catalog, table.identifier()).atLevel(Level.ROWS).run();
    }

    private List<FindingCode> findings(TestTable table) {
        return verify(table).findings().stream().map(Finding::code).distinct().toList();
    }

    /** The dry run predicts the run, which mends everything and leaves nothing to do. */
    private RepairReport assertRepaired(TestTable table) {
        Map<String, String> before = FolderListing.of(warehouse);
        RepairReport predicted = repair(table).predict();
        assertEquals(before, FolderListing.of(warehouse));

        RepairReport done = repair(table).run();

        assertEquals(Outcome.REPAIRED, done.outcome());
        assertEquals(
                predicted.resultLine().replaceFirst(".* would do: ", ""),
                done.resultLine().replaceFirst("Repaired\\. Table '.*?': ", ""));
        assertEquals(TableState.SEALED, done.stateAfter());
        assertEquals(List.of(), verify(table).findings());
        assertEquals(Outcome.SKIPPED, repair(table).run().outcome());
        return done;
    }

    @Test
    void aCleanTableIsSkippedAndNothingIsWritten() {
        TestTable table = converted();
        Map<String, String> before = FolderListing.of(warehouse);

        RepairReport report = repair(table).run();

        assertEquals(
                "Skipped. Table 'db.t' was not changed: nothing to repair.", report.resultLine());
        assertEquals(
                "Dry run. Repairing table 'db.t' would do: nothing, there is nothing to repair.",
                repair(table).predict().resultLine());
        assertEquals(before, FolderListing.of(warehouse));
    }

    @Test
    void aTableThatWasNeverConvertedIsRefused() {
        TestTable table = plain();

        ConversionException failure =
                assertThrows(ConversionException.class, () -> repair(table).run());

        assertEquals(ErrorKind.REFUSED, failure.kind());
        assertEquals(
                "Cannot repair db.t: no schema of it was ever that of a Data Evolution table. Run"
                        + " enable_data_evolution.",
                failure.getMessage());
    }

    @Test
    void aStrayGetsRowIds() {
        TestTable table = plain();
        FileStoreTable stale = table.load();
        convert(table);
        TestTable.append(stale, 2000, 2500, i -> "p0");

        RepairReport done = assertRepaired(table);

        assertEquals(500, done.rows());
        assertEquals(Map.of(FindingCode.STRAY_FILE, 1L), done.mended());
        assertTrue(
                Objects.requireNonNull(table.latest())
                        .commitUser()
                        .startsWith("repair-data-evolution-"));
        assertEquals(2500, table.rows().size());
        TableProof.assertUpdatesAreVisible(table);
    }

    @Test
    void rowsAreComparedBeforeTheCommitWhenAsked() {
        TestTable table = TestTable.partitioned(catalog, "t", "deletion-vectors.enabled", "true");
        table.append(0, 1000, i -> "p" + i % 2);
        FileStoreTable stale = table.load();
        table.delete(id -> id % 100 == 0);
        convert(table);
        table.updateV(id -> -id);
        TestTable.append(stale, 2000, 2500, i -> "p0");

        RepairReport done =
                repair(table)
                        .withOptions(RepairOptions.DEFAULTS.withLevel(RepairOptions.Level.ROWS))
                        .run();

        assertEquals(
                List.of("1490 row(s) are the same before and after"),
                done.checks().stream()
                        .filter(check -> check.name().startsWith("ROWS"))
                        .map(check -> check.detail())
                        .toList());
        assertEquals(1490, table.rows().size());
    }

    @Test
    void aRollbackAcrossTheConversionIsMended() {
        TestTable table = converted();
        Map<Integer, Row> rows = table.rows();
        table.load().rollbackTo(2L);

        assertRepaired(table);

        TableProof.assertConverted(table, rows);
    }

    @Test
    void aNextRowIdThatFellIsRaised() {
        TestTable table = converted();
        table.append(2000, 3000, i -> "p1");
        table.load().createTag("kept");
        table.load().rollbackTo(Objects.requireNonNull(table.latest()).id() - 1);
        ManifestListEdit.nextRowId(table.load(), 2000L);
        table.load().deleteTag("kept");
        long highest = 3500;
        ManifestListEdit.nextRowId(table.load(), highest);
        ManifestListEdit.nextRowId(table.load(), 2000L);

        assertEquals(List.of(FindingCode.NEXT_ROW_ID_FALLEN), findings(table));
        RepairReport done = assertRepaired(table);

        assertEquals(highest, done.nextRowId());
    }

    @Test
    void rowIdsThatTheNextCommitWouldGiveOutAgainAreProtected() {
        TestTable table = converted();
        ManifestListEdit.nextRowId(table.load(), 10L);

        assertTrue(findings(table).contains(FindingCode.ROW_ID_BEYOND_NEXT));
        assertRepaired(table);

        table.append(2000, 3000, i -> "p0");
        assertEquals(3000, Map.copyOf(table.rowIds()).values().stream().distinct().count());
    }

    @Test
    void missingAndWrongRangesOfManifestsAreMended() {
        for (boolean missing : new boolean[] {true, false}) {
            TestTable table = TestTable.unpartitioned(catalog, "t" + missing);
            table.append(0, 1000);
            convert(table);
            table.append(1000, 2000);
            ManifestListEdit.manifests(
                    table.load(),
                    meta ->
                            ManifestListEdit.withRowIds(
                                    meta, missing ? null : 5L, missing ? null : 6L));

            assertEquals(
                    List.of(
                            missing
                                    ? FindingCode.MANIFEST_RANGE_MISSING
                                    : FindingCode.MANIFEST_RANGE_WRONG),
                    findings(table));
            assertRepaired(table);
        }
    }

    @Test
    void sequenceNumbersThatAreTooHighAreMendedAndHiddenUpdatesComeToLight() throws Exception {
        TestTable table = TestTable.unpartitioned(catalog, "t", "row-tracking.enabled", "true");
        table.append(0, 1000);
        StreamWriteBuilder job = table.load().newStreamWriteBuilder().withCommitUser("job");
        try (StreamTableWrite write = job.newWrite();
                StreamTableCommit commit = job.newCommit()) {
            write(write, 1000, 1500);
            commit.commit(1, write.prepareCommit(true, 1));
            convert(table);
            write(write, 1500, 2000);
            commit.commit(2, write.prepareCommit(true, 2));
        }
        table.updateV(id -> -3L * id);
        Map<Integer, Row> hidden = table.rows();

        assertEquals(
                List.of(FindingCode.HIDDEN_UPDATE, FindingCode.SEQUENCE_OUT_OF_RANGE),
                findings(table));
        RepairReport done =
                repair(table)
                        .withOptions(RepairOptions.DEFAULTS.withLevel(RepairOptions.Level.ROWS))
                        .run();

        assertEquals(List.of(), verify(table).findings());
        assertEquals(
                List.of(
                        "ROWS: 1500 row(s) are the same before and after",
                        "ROWS_CHANGED: row(s) with another value than readers saw before, by"
                                + " column: {v=500}"),
                done.checks().stream()
                        .filter(check -> check.name().startsWith("ROWS"))
                        .map(check -> check.name() + ": " + check.detail())
                        .toList());
        Map<Integer, Row> expected = new TreeMap<>();
        hidden.forEach((id, row) -> expected.put(id, new Row(id, row.name(), -3L * id, row.pt())));
        assertNotEquals(expected, hidden);
        assertEquals(expected, table.rows());
        assertEquals(
                List.of(
                        "1 update file(s) with 500 row(s) of the column(s) [v] come to light."
                                + " Readers see these values from then on; until then they see"
                                + " older ones."),
                done.warnings().stream()
                        .filter(w -> w.name().equals("HIDDEN_UPDATES"))
                        .map(w -> w.text())
                        .toList());
        TableProof.assertUpdatesAreVisible(table);
    }

    private static void write(StreamTableWrite write, int from, int to) throws Exception {
        for (int id = from; id < to; id++) {
            BinaryString text = BinaryString.fromString("n" + id);
            write.write(GenericRow.of(id, text, 10L * id, text));
        }
    }

    @Test
    void idsThatAnOldWriterTookAwayAreNotReplacedByOthers() {
        TestTable table = converted();
        ManifestListEdit.entries(
                table.load(),
                entry ->
                        ManifestEntry.create(
                                entry.kind(),
                                entry.partition(),
                                entry.bucket(),
                                entry.totalBuckets(),
                                entry.file().newFirstRowId(null)));
        RepairOptions stopped =
                RepairOptions.DEFAULTS.withConversion(
                        ConversionOptions.DEFAULTS.withOldWriters(OldWriters.STOPPED));

        ConversionException failure =
                assertThrows(
                        ConversionException.class, () -> repair(table).withOptions(stopped).run());

        assertEquals("ROW_IDS_DESTROYED", failure.code());
        assertTrue(
                String.valueOf(failure.getMessage()).contains("had a row id in snapshot 4"),
                failure.getMessage());
    }

    @Test
    void aNextRowIdThatAnOldWriterTookAwayIsMendedWhenSuchWritersAreStopped() {
        TestTable table = converted();
        ManifestListEdit.nextRowId(table.load(), null);
        RepairOptions stopped =
                RepairOptions.DEFAULTS.withConversion(
                        ConversionOptions.DEFAULTS.withOldWriters(OldWriters.STOPPED));

        assertEquals(
                "OLD_WRITER",
                assertThrows(ConversionException.class, () -> repair(table).run()).code());
        RepairReport done = repair(table).withOptions(stopped).run();

        assertEquals(2000, done.nextRowId());
        assertEquals(
                Map.of(
                        FindingCode.NEXT_ROW_ID_MISSING,
                        1L,
                        FindingCode.ROW_ID_BEYOND_NEXT,
                        (long) table.files().size()),
                done.mended());
        assertEquals(2000, table.rows().size());
    }

    @Test
    void aStaleCompactionUnderAnUpdateIsRefusedAndTheTableIsNotTouched() {
        TestTable table = plain();
        FileStoreTable stale = table.load().copy(Map.of("compaction.min.file-num", "2"));
        List<CommitMessage> compaction = TestTable.prepareCompact(stale);
        convert(table);
        table.updateV(id -> -id);
        TestTable.commit(stale, compaction);
        Map<String, String> before = FolderListing.of(warehouse);

        ConversionException failure =
                assertThrows(ConversionException.class, () -> repair(table).run());

        assertEquals("NO_FULL_ROW_FILE", failure.code());
        assertTrue(
                String.valueOf(failure.getMessage()).contains("--roll_back"), failure.getMessage());
        assertEquals(before, FolderListing.of(warehouse));
    }
}
