package dev.paimoninplace.shapes;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.paimoninplace.testing.DataFiles;
import dev.paimoninplace.testing.TestTable;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.format.FileFormat;
import org.apache.paimon.fs.FileIO;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.manifest.ManifestEntry;
import org.apache.paimon.table.FileStoreTable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Files without a row, as Paimon's migration of foreign tables registers them. Each takes one row
 * id that no row has, so {@code DataEvolutionRowIdReassigner} finds a gap to close in such tables.
 */
final class ZeroRowFilesTest {

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

    /** Registers an empty data file, as migration does: sequence numbers 0 to 0. */
    private static void appendEmptyFile(TestTable table, String name) throws Exception {
        FileStoreTable loaded = table.load();
        FileIO fileIO = loaded.fileIO();
        var folder = loaded.store().pathFactory().bucketPath(BinaryRow.EMPTY_ROW, 0);
        fileIO.mkdirs(folder);
        var path = new org.apache.paimon.fs.Path(folder, name);
        try (var stream = fileIO.newOutputStream(path, false)) {
            FileFormat.fileFormat(loaded.coreOptions())
                    .createWriterFactory(loaded.rowType())
                    .create(stream, "zstd")
                    .close();
        }
        DataFileMeta file =
                DataFiles.with(
                                DataFiles.plain(name, 0),
                                DataFileMeta.FILE_SIZE,
                                fileIO.getFileSize(path))
                        .assignSequenceNumber(0, 0);
        DataFiles.commit(loaded, List.of(DataFiles.added(BinaryRow.EMPTY_ROW, file)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"1000", "2"})
    void eachTakesAnIdOfItsOwnAndTheTableCanBeUsed(String mergeMinCount) throws Exception {
        TestTable table =
                TestTable.unpartitioned(
                        catalog,
                        "t",
                        "manifest.merge-min-count",
                        mergeMinCount,
                        "deletion-vectors.enabled",
                        "true");
        appendEmptyFile(table, "data-first.parquet");
        table.append(0, 300);
        appendEmptyFile(table, "data-middle.parquet");
        appendEmptyFile(table, "data-next.parquet");
        table.append(300, 600);
        appendEmptyFile(table, "data-last.parquet");

        ConvertedTable converted = ConvertedTable.convert(table, warehouse);

        Set<Long> firstIds = new HashSet<>();
        for (ManifestEntry entry : table.files()) {
            firstIds.add(entry.file().nonNullFirstRowId());
        }
        assertEquals(6, firstIds.size());
        assertEquals(600, converted.report().rows());
        assertEquals(604, converted.report().nextRowId());
        converted.use();
    }

    @Test
    void aTableOfNothingElseIsConverted() throws Exception {
        TestTable table = TestTable.unpartitioned(catalog, "t");
        appendEmptyFile(table, "data-only.parquet");

        ConvertedTable converted = ConvertedTable.convert(table, warehouse);

        assertEquals(1, converted.report().nextRowId());
        converted.append(0, 100);
        converted.updateV(-1);
    }
}
