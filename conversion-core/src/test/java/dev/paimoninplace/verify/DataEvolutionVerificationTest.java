package dev.paimoninplace.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.paimoninplace.conversion.DataEvolutionConversion;
import dev.paimoninplace.conversion.TableState;
import dev.paimoninplace.testing.TestTable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.manifest.ManifestEntry;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.sink.CommitMessage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Verification of tables that were damaged by what stock Paimon does. */
final class DataEvolutionVerificationTest {

    @TempDir Path warehouse;
    private Catalog catalog;
    private TestTable table;

    @BeforeEach
    void createTable() {
        catalog = TestTable.catalog(warehouse);
        table = TestTable.partitioned(catalog, "t", "deletion-vectors.enabled", "true");
        table.append(0, 1000, i -> "p" + i % 2);
        table.append(1000, 2000, i -> "p" + i % 2);
    }

    @AfterEach
    void close() throws Exception {
        catalog.close();
    }

    private void convert() {
        DataEvolutionConversion.of(catalog, table.identifier()).run();
    }

    private VerificationReport verify(Level level) {
        return DataEvolutionVerification.of(catalog, table.identifier()).atLevel(level).run();
    }

    private List<Path> dataFiles() throws Exception {
        try (var paths = Files.walk(warehouse)) {
            return paths.filter(p -> p.getFileName().toString().startsWith("data-"))
                    .sorted()
                    .toList();
        }
    }

    private static List<FindingCode> codes(VerificationReport report) {
        return report.findings().stream().map(Finding::code).distinct().toList();
    }

    @Test
    void aConvertedTableIsCleanAtEveryLevelAlsoAfterUpdatesDeletesAndCompaction() {
        table.delete(id -> id < 100);
        convert();
        table.updateV(id -> -id);
        table.append(2000, 3000, i -> "p" + i % 3);

        for (Level level : Level.values()) {
            VerificationReport report = verify(level);
            assertEquals(List.of(), report.findings(), () -> level + ": " + report.resultLine());
            assertEquals(3000, report.rows());
            assertEquals(TableState.SEALED, report.state());
        }
        table.compact();
        assertEquals(List.of(), verify(Level.ROWS).findings());
    }

    @Test
    void aTableThatWasNeverConvertedIsNotEnabled() {
        VerificationReport report = verify(Level.METADATA);

        assertEquals(List.of(FindingCode.NOT_ENABLED), codes(report));
    }

    @Test
    void aStrayNamesItsFileItsPartitionAndWhoCommittedIt() {
        FileStoreTable stale = table.load();
        convert();
        TestTable.append(stale, 2000, 2500, i -> "p0");

        VerificationReport report = verify(Level.METADATA);

        assertEquals(List.of(FindingCode.STRAY_FILE), codes(report));
        Finding finding = report.findings().get(0);
        assertEquals("pt=p0", finding.partition().orElseThrow());
        assertEquals(report.snapshotId(), finding.origin().orElseThrow().snapshotId());
        String strayName =
                table.files().stream()
                        .filter(e -> e.file().firstRowId() == null)
                        .map(ManifestEntry::fileName)
                        .findFirst()
                        .orElseThrow();
        assertEquals(strayName, finding.file().orElseThrow());
    }

    @Test
    void aStaleCompactionUnderAnUpdateLeavesRowIdsWithoutAFullRowFile() {
        FileStoreTable stale = table.load().copy(Map.of("compaction.min.file-num", "2"));
        List<CommitMessage> compaction = TestTable.prepareCompact(stale);
        convert();
        table.updateV(id -> -id);
        TestTable.commit(stale, compaction);

        VerificationReport report = verify(Level.METADATA);

        assertTrue(codes(report).contains(FindingCode.NO_FULL_ROW_FILE), codes(report)::toString);
        assertTrue(codes(report).contains(FindingCode.STRAY_FILE), codes(report)::toString);
    }

    @Test
    void aMissingAndATruncatedDataFileAreFoundAtLevelFiles() throws Exception {
        convert();
        List<Path> files = dataFiles();
        Files.delete(files.get(0));
        Files.write(files.get(1), new byte[10]);

        assertEquals(List.of(), verify(Level.METADATA).findings());
        assertEquals(
                List.of(FindingCode.FILE_MISSING, FindingCode.FILE_SIZE_WRONG),
                codes(verify(Level.FILES)));
    }

    @Test
    void aFileWithAnUnreadableFooterIsToldFromOneWithOtherRows() throws Exception {
        convert();
        Path file = dataFiles().get(0);
        Files.write(file, new byte[(int) Files.size(file)]);

        VerificationReport report = verify(Level.FILES);

        assertEquals(List.of(FindingCode.FILE_UNREADABLE), codes(report));
        assertEquals(file.getFileName().toString(), report.findings().get(0).file().orElseThrow());
    }

    @Test
    void rowsThatCannotBeReadNameTheFileThatIsAtFault() throws Exception {
        convert();
        Path file = dataFiles().get(2);
        Files.delete(file);

        VerificationReport report = verify(Level.ROWS);

        assertEquals(List.of(FindingCode.FILE_MISSING, FindingCode.FILE_UNREADABLE), codes(report));
        for (Finding finding : report.findings()) {
            assertEquals(file.getFileName().toString(), finding.file().orElseThrow());
            String partition = finding.partition().orElseThrow();
            assertTrue(file.toString().contains("/" + partition + "/"), partition);
        }
    }

    @Test
    void aFileOfATableWithoutPartitionsHasNone() {
        TestTable other = TestTable.unpartitioned(catalog, "u");
        other.append(0, 1000);
        FileStoreTable stale = other.load();
        DataEvolutionConversion.of(catalog, other.identifier()).run();
        TestTable.append(stale, 1000, 2000, i -> "p0");

        VerificationReport report = DataEvolutionVerification.of(catalog, other.identifier()).run();

        assertEquals(List.of(FindingCode.STRAY_FILE), codes(report));
        assertTrue(report.findings().get(0).partition().isEmpty());
    }

    @Test
    void tagsBranchesAndConsumersOfBeforeAreNamed() throws Exception {
        table.load().createTag("before", 1);
        table.load().createBranch("b", "before");
        table.load()
                .consumerManager()
                .resetConsumer("c", new org.apache.paimon.consumer.Consumer(2));
        convert();

        VerificationReport report = verify(Level.METADATA);

        assertEquals(
                List.of(
                        FindingCode.TAG_NOT_READABLE,
                        FindingCode.BRANCH_NOT_ENABLED,
                        FindingCode.CONSUMER_BEFORE),
                codes(report));
        assertTrue(report.findings().get(0).detail().contains("before"));
    }

    @Test
    void deltaEncodedParquetFilesAreFlagged() {
        table.setOption("parquet.writer.version", "v2");
        table.append(2000, 3000, i -> "p0");
        convert();

        assertEquals(List.of(FindingCode.PARQUET_ENCODING), codes(verify(Level.FILES)));
    }

    @Test
    void aRollbackAcrossTheConversionIsNotSealed() {
        convert();
        table.load().rollbackTo(2L);

        VerificationReport report = verify(Level.METADATA);

        assertTrue(codes(report).contains(FindingCode.NOT_SEALED), codes(report)::toString);
        assertEquals(TableState.FLIPPED, report.state());
        convert();
        assertEquals(List.of(), verify(Level.ROWS).findings());
    }
}
