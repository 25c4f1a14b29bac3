package dev.paimoninplace.repair;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.paimoninplace.conversion.ConversionException;
import dev.paimoninplace.conversion.DataEvolutionConversion;
import dev.paimoninplace.conversion.DataEvolutionRepair;
import dev.paimoninplace.conversion.RepairOptions;
import dev.paimoninplace.conversion.RepairOptions.Renumber;
import dev.paimoninplace.conversion.RepairOptions.RollBack;
import dev.paimoninplace.conversion.RepairReport;
import dev.paimoninplace.conversion.RepairReport.Outcome;
import dev.paimoninplace.testing.FolderListing;
import dev.paimoninplace.testing.TableProof;
import dev.paimoninplace.testing.TestTable;
import dev.paimoninplace.testing.TestTable.Row;
import dev.paimoninplace.verify.DataEvolutionVerification;
import dev.paimoninplace.verify.Finding;
import dev.paimoninplace.verify.FindingCode;
import dev.paimoninplace.verify.Level;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.manifest.ManifestEntry;
import org.apache.paimon.predicate.PredicateBuilder;
import org.apache.paimon.reader.RecordReader;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.SpecialFields;
import org.apache.paimon.table.source.ReadBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files into which a plain compaction of a Data Evolution table wrote the row ids. */
final class InsideIdsTest {

    @TempDir Path warehouse;
    private Catalog catalog;
    private TestTable table;

    @BeforeEach
    void open() {
        catalog = TestTable.catalog(warehouse);
        table = TestTable.existing(catalog, Identifier.create("db", "t"));
    }

    @AfterEach
    void close() throws Exception {
        catalog.close();
    }

    private DataEvolutionRepair repair() {
        return DataEvolutionRepair.of(catalog, table.identifier());
    }

    private DataEvolutionRepair renumber() {
        return repair().withOptions(RepairOptions.DEFAULTS.withRenumber(Renumber.ALLOWED));
    }

    private void create(String... options) {
        table = TestTable.unpartitioned(catalog, "t", options);
    }

    private void convert() {
        DataEvolutionConversion.of(catalog, table.identifier()).run();
    }

    /** As compact_database does, which takes the table for a plain one. */
    private void compactAsPlain() {
        FileStoreTable eager = table.load().copy(Map.of("compaction.min.file-num", "2"));
        TestTable.commit(eager, TestTable.prepareCompact(eager));
    }

    private List<FindingCode> findings() {
        return DataEvolutionVerification.of(catalog, table.identifier())
                .atLevel(Level.ROWS)
                .run()
                .findings()
                .stream()
                .map(Finding::code)
                .distinct()
                .toList();
    }

    /** Two files of one size each, so that the compaction keeps their order. */
    private void twoFilesInOrder(String format) {
        create("file.format", format);
        table.append(0, 1000);
        convert();
        table.append(1000, 2500);
    }

    @ParameterizedTest
    @ValueSource(strings = {"parquet", "orc"})
    void idsInOneRunAreRestoredAndEverythingReadsAsBefore(String format) throws Exception {
        twoFilesInOrder(format);
        Map<Integer, Row> rows = table.rows();
        Map<Integer, Long> rowIds = table.rowIds();
        compactAsPlain();
        assertThrows(RuntimeException.class, () -> table.rows());
        String predicted = repair().predict().resultLine();

        RepairReport done = repair().run();

        assertEquals(1, done.filesRestored());
        assertEquals(0, done.files());
        assertEquals(
                predicted.replaceFirst(".* would do: ", ""),
                done.resultLine().replaceFirst("Repaired\\. Table '.*?': ", ""));
        assertEquals(List.of(), findings());
        assertEquals(rows, table.rows());
        assertEquals(rowIds, table.rowIds());
        assertEquals(1, table.files().size());
        assertEquals(null, table.files().get(0).file().writeCols());
        assertReadsByRowIdAndByFilter(rowIds);

        table.updateV(id -> -5L * id);

        Map<Integer, Row> updated = new TreeMap<>();
        rows.forEach((id, row) -> updated.put(id, new Row(id, row.name(), -5L * id, row.pt())));
        assertEquals(updated, table.rows());
        assertEquals(rowIds, table.rowIds());
        assertReadsByRowIdAndByFilter(rowIds);
        table.append(2500, 2600);
        table.compact();
        assertEquals(2600, table.rows().size());
        rowIds.forEach((id, rowId) -> assertEquals(rowId, table.rowIds().get(id)));
        assertEquals(List.of(), findings());
        assertEquals(Outcome.SKIPPED, repair().run().outcome());
        TableProof.assertOrphanCleaningIsSafeAndComplete(table);
    }

    private void assertReadsByRowIdAndByFilter(Map<Integer, Long> rowIds) throws Exception {
        FileStoreTable loaded = table.load();
        var type =
                SpecialFields.rowTypeWithRowTracking(loaded.rowType())
                        .project(List.of("id", "v", SpecialFields.ROW_ID.name()));
        PredicateBuilder predicates = new PredicateBuilder(loaded.rowType());
        for (int id : List.of(0, 999, 1000, 2499)) {
            ReadBuilder byFilter =
                    loaded.newReadBuilder().withReadType(type).withFilter(predicates.equal(0, id));
            assertEquals(rowIds.get(id), read(byFilter).get(id));
            long rowId = Objects.requireNonNull(rowIds.get(id));
            ReadBuilder byRowId =
                    loaded.newReadBuilder()
                            .withReadType(type)
                            .withRowRanges(
                                    List.of(new org.apache.paimon.utils.Range(rowId, rowId)));
            assertEquals(Map.of(id, rowId), read(byRowId));
        }
    }

    private static Map<Integer, Long> read(ReadBuilder builder) throws Exception {
        Map<Integer, Long> ids = new HashMap<>();
        try (RecordReader<InternalRow> reader =
                builder.newRead().createReader(builder.newScan().plan())) {
            reader.forEachRemaining(row -> ids.put(row.getInt(0), row.getLong(2)));
        }
        return ids;
    }

    /** The larger file is older, and a compaction takes small files first. */
    private void twoFilesOutOfOrder() {
        create();
        table.append(0, 2000);
        convert();
        table.append(2000, 2300);
        compactAsPlain();
    }

    @Test
    void idsOutOfOrderAreRefusedAndTheRefusalSaysWhatHelps() {
        twoFilesOutOfOrder();
        Map<String, String> before = FolderListing.of(warehouse);

        ConversionException refusal = assertThrows(ConversionException.class, () -> repair().run());

        assertEquals("IDS_INSIDE_FILE", refusal.code());
        String message = String.valueOf(refusal.getMessage());
        assertTrue(message.contains("are not one ascending run without a gap"), message);
        assertTrue(message.contains("no commit is lost"), message);
        assertTrue(message.contains("--renumber"), message);
        assertEquals(before, FolderListing.of(warehouse));
    }

    @Test
    void idsOutOfOrderCanBeHadBackFromTheSnapshotBefore() {
        twoFilesOutOfOrder();

        RepairReport done =
                repair().withOptions(RepairOptions.DEFAULTS.withRollBack(RollBack.ALLOWED)).run();

        assertEquals(List.of(), done.losses());
        assertEquals(2, done.filesCopied());
        assertEquals(List.of(), findings());
        table.rowIds().forEach((id, rowId) -> assertEquals(id.longValue(), rowId));
        assertEquals(2300, table.rows().size());
    }

    @Test
    void rowsAreRenumberedWhereThatIsAllowed() {
        twoFilesOutOfOrder();
        Map<String, String> before = FolderListing.of(warehouse);
        String predicted = renumber().predict().resultLine();
        assertEquals(before, FolderListing.of(warehouse));

        RepairReport done = renumber().run();

        assertEquals(
                predicted.replaceFirst(".* would do: ", ""),
                done.resultLine().replaceFirst("Repaired\\. Table '.*?': ", ""));
        assertEquals(1, done.filesRenumbered());
        assertEquals(2300, done.rows());
        assertEquals(List.of(), findings());
        assertEquals(2300, table.rows().size());
        Map<Integer, Long> rowIds = table.rowIds();
        assertEquals(2300, rowIds.values().stream().distinct().count());
        assertTrue(rowIds.values().stream().allMatch(id -> id >= 2300));
        TableProof.assertUpdatesAreVisible(table);
        TableProof.assertOrphanCleaningIsSafeAndComplete(table);
        assertEquals(Outcome.SKIPPED, repair().run().outcome());
    }

    @Test
    void aCompactionThatTookUpdatesForRowsIsNeverGivenNewIds() {
        create();
        table.append(0, 1000);
        convert();
        table.append(1000, 2500);
        table.updateV(id -> -id);
        Map<Integer, Row> rows = table.rows();
        Map<Integer, Long> rowIds = table.rowIds();
        compactAsPlain();

        ConversionException refusal =
                assertThrows(ConversionException.class, () -> renumber().run());
        assertFalse(
                String.valueOf(refusal.getMessage()).contains("--renumber"), refusal.getMessage());

        RepairReport done =
                repair().withOptions(RepairOptions.DEFAULTS.withRollBack(RollBack.ALLOWED)).run();

        assertNotEquals(0, done.filesCopied());
        assertEquals(rows, table.rows());
        assertEquals(rowIds, table.rowIds());
        assertEquals(List.of(), findings());
    }

    @Test
    void whatAJobOfARowTrackingTableCompactedIsRestored() {
        create("row-tracking.enabled", "true");
        table.append(0, 1000);
        table.append(1000, 2500);
        Map<Integer, Row> rows = table.rows();
        Map<Integer, Long> rowIds = table.rowIds();
        FileStoreTable stale = table.load().copy(Map.of("compaction.min.file-num", "2"));
        convert();
        TestTable.commit(stale, TestTable.prepareCompact(stale));

        RepairReport done = repair().run();

        assertEquals(1, done.filesRestored());
        assertEquals(rows, table.rows());
        assertEquals(rowIds, table.rowIds());
        TableProof.assertUpdatesAreVisible(table);
    }

    @Test
    void idsThatALiveFileHasAreNotGivenTwice() {
        twoFilesInOrder("parquet");
        List<ManifestEntry> files = table.files();
        Map<Integer, Row> rows = table.rows();
        compactAsPlain();
        Damaging.addAgain(table.load(), files.get(0));

        ConversionException refusal =
                assertThrows(ConversionException.class, () -> renumber().run());

        String message = String.valueOf(refusal.getMessage());
        assertTrue(
                message.contains("another file with all columns has ids that are in it"), message);
        assertEquals(2500, rows.size());
    }
}
