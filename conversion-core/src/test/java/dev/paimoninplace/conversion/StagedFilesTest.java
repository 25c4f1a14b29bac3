package dev.paimoninplace.conversion;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.paimoninplace.conversion.ConversionReport.Outcome;
import dev.paimoninplace.testing.FolderListing;
import dev.paimoninplace.testing.Folders;
import dev.paimoninplace.testing.InterceptedFileIO;
import dev.paimoninplace.testing.InterceptedFileIO.Interceptor;
import dev.paimoninplace.testing.InterceptedFileIO.Operation;
import dev.paimoninplace.testing.Moment;
import dev.paimoninplace.testing.TableProof;
import dev.paimoninplace.testing.TestTable;
import dev.paimoninplace.testing.TestTable.Row;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.table.FileStoreTable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Files that a conversion wrote and did not commit: whether they go or stay. */
final class StagedFilesTest {

    @TempDir Path warehouse;
    private Catalog catalog;
    private TestTable table;
    private Map<Integer, Row> rows;

    @BeforeEach
    void open() {
        catalog = TestTable.catalog(warehouse);
        table = TestTable.unpartitioned(catalog, "t");
        table.append(0, 30);
        table.append(30, 60);
        table.append(60, 90);
        rows = table.rows();
    }

    @AfterEach
    void close() throws Exception {
        catalog.close();
    }

    private DataEvolutionConversion conversion(Interceptor interceptor) {
        return DataEvolutionConversion.of(
                InterceptedFileIO.catalog(warehouse, interceptor), PreparedTable.IDENTIFIER);
    }

    private ConversionException failure(Interceptor interceptor) {
        return assertThrows(ConversionException.class, () -> conversion(interceptor).run());
    }

    private Path folder(String name) {
        return Path.of(table.load().location().toUri().getPath(), name);
    }

    @Test
    void theyGoWhenOneOfThemCannotBeWritten() {
        Set<String> before = TableProof.manifestFiles(table.load());

        ConversionException failure =
                failure(
                        Moment.manifestWrite()
                                .before(
                                        time -> {
                                            if (time == 3) {
                                                throw new IOException("No space left on device");
                                            }
                                        }));

        assertEquals(ErrorKind.UNEXPECTED, failure.kind());
        assertEquals(
                "Cannot convert db.t: unexpected failure, java.io.IOException: No space left on"
                        + " device. Nothing was committed. Run again: it goes on from what it"
                        + " finds.",
                failure.getMessage());
        assertEquals(before, TableProof.manifestFiles(table.load()));
    }

    @ParameterizedTest
    @EnumSource(names = {"MANY_MANIFESTS", "DELETIONS"})
    void theyGoWhenOneIsThereAlthoughItCouldNotBeOpened(PreparedTable prepared) throws Exception {
        Path other = warehouse.resolve("other");
        prepared.prepare(other);
        try (Catalog plain = TestTable.catalog(other)) {
            FileStoreTable loaded = TestTable.existing(plain, PreparedTable.IDENTIFIER).load();
            Set<String> before = TableProof.manifestFiles(loaded);
            Interceptor lostAnswer =
                    Moment.manifestWrite()
                            .after(
                                    time -> {
                                        throw new IOException("Connection reset");
                                    });
            Catalog watched = InterceptedFileIO.catalog(other, lostAnswer);

            assertThrows(
                    ConversionException.class,
                    () -> DataEvolutionConversion.of(watched, PreparedTable.IDENTIFIER).run());

            assertEquals(before, TableProof.manifestFiles(loaded));
        }
    }

    @Test
    void theyGoWhenTheTableCannotBeConvertedAnyMore() {
        Interceptor oldWriter =
                Moment.snapshotWrite()
                        .before(
                                time -> {
                                    if (time == 1) {
                                        commitAsPaimon12();
                                    }
                                });

        ConversionException failure = failure(oldWriter);

        assertEquals(ErrorKind.REFUSED, failure.kind());
        assertEquals("OLD_WRITER", failure.code());
        assertTrue(
                String.valueOf(failure.getMessage())
                        .startsWith("Cannot convert db.t: snapshot 4 has no next row"),
                failure.getMessage());
        assertEquals(
                TableProof.referencedManifestFiles(table.load()),
                TableProof.manifestFiles(table.load()));
    }

    /** An empty commit; Paimon 1.2 does not know the next row id and leaves it out. */
    private void commitAsPaimon12() throws IOException {
        String latest = Files.readString(folder("snapshot").resolve("snapshot-3"));
        assertTrue(latest.contains("nextRowId"), latest);
        Files.writeString(
                folder("snapshot").resolve("snapshot-4"),
                latest.replaceAll(",\\s*\"nextRowId\" : \\d+", "")
                        .replaceAll("\"id\" : 3", "\"id\" : 4"));
    }

    @Test
    void theyStayWhenTheWriteOfTheSnapshotFailedAndMayStillLand() throws IOException {
        Set<String> before = TableProof.manifestFiles(table.load());
        Path aside = warehouse.resolve("aside");
        Interceptor slowStore =
                Moment.snapshotWrite()
                        .before(
                                time -> {
                                    Folders.copy(folder("snapshot"), aside);
                                    throw new IOException("Read timed out");
                                });

        ConversionException failure = failure(slowStore);

        assertEquals(ErrorKind.OUTCOME_UNKNOWN, failure.kind());
        assertEquals("SNAPSHOT_UNKNOWN", failure.code());
        assertEquals(
                "Cannot convert db.t: the write of snapshot 4 failed and may still land. Nothing"
                        + " was committed. Run again: it goes on from what it finds.",
                failure.getMessage());
        Set<String> staged = new TreeSet<>(TableProof.manifestFiles(table.load()));
        staged.removeAll(before);
        assertEquals(3 + 2, staged.size(), "three manifests and two manifest lists");

        Files.copy(onlyTemporaryFile(aside), folder("snapshot").resolve("snapshot-4"));

        assertEquals(rows, table.rows());
        assertTrue(TableProof.referencedManifestFiles(table.load()).containsAll(staged));
        assertEquals(Outcome.CONVERTED, conversion(new Interceptor() {}).run().outcome());
        TableProof.assertConverted(table, rows);
    }

    private static Path onlyTemporaryFile(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            List<Path> temporary = files.filter(file -> file.toString().endsWith(".tmp")).toList();
            assertEquals(1, temporary.size());
            return temporary.get(0);
        }
    }

    @Test
    void theyStayOnceASnapshotIsCommittedEvenIfItsAnswerIsLost() {
        Interceptor lostAnswer =
                Moment.snapshotWrite()
                        .after(
                                time -> {
                                    throw new IOException("Connection reset");
                                });

        ConversionReport report = conversion(lostAnswer).run();

        assertEquals(Outcome.CONVERTED, report.outcome());
        assertEquals(1, report.attempts());
        TableProof.assertConverted(table, rows);
        TableProof.assertOrphanCleaningIsSafeAndComplete(table);
    }

    @Test
    void theyStayWhenASnapshotLandedAndEvenLookingForItFails() {
        Interceptor unloaded =
                new Interceptor() {
                    private boolean landed;

                    @Override
                    public void before(Operation operation, org.apache.paimon.fs.Path path) {
                        if (landed && operation == Operation.OPEN) {
                            throw new NoClassDefFoundError("The job was cancelled");
                        }
                    }

                    @Override
                    public void after(Operation operation, org.apache.paimon.fs.Path path)
                            throws IOException {
                        if (operation == Operation.RENAME && path.getName().equals("snapshot-4")) {
                            landed = true;
                            throw new IOException("Connection reset");
                        }
                    }
                };

        ConversionException failure = failure(unloaded);

        assertEquals(ErrorKind.OUTCOME_UNKNOWN, failure.kind());
        assertEquals(rows, table.rows());
        assertEquals(Outcome.CONVERTED, conversion(new Interceptor() {}).run().outcome());
        TableProof.assertConverted(table, rows);
    }

    @Test
    void aPredictionWritesNone() {
        Map<String, String> before = FolderListing.of(warehouse);

        ConversionReport report = conversion(new Interceptor() {}).predict();

        assertEquals(Outcome.DRY_RUN, report.outcome());
        assertEquals(3, report.manifestsRewritten());
        assertEquals(before, FolderListing.of(warehouse));
    }
}
