package dev.paimoninplace.plan;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.paimoninplace.conversion.ConversionReport;
import dev.paimoninplace.conversion.DataEvolutionConversion;
import dev.paimoninplace.conversion.MetadataRequests;
import dev.paimoninplace.testing.DataFiles;
import dev.paimoninplace.testing.TestTable;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.fs.FileIO;
import org.apache.paimon.fs.Path;
import org.apache.paimon.fs.local.LocalFileIO;
import org.apache.paimon.manifest.ManifestEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CountingFileIOTest {

    @TempDir java.nio.file.Path folder;

    @Test
    void leavesNoOperationToPaimonsWayAround() {
        List<Method> operations =
                Arrays.stream(FileIO.class.getMethods())
                        .filter(method -> !Modifier.isStatic(method.getModifiers()))
                        .toList();

        assertTrue(operations.size() > 20, operations.toString());
        for (Method operation : operations) {
            assertDoesNotThrow(
                    () ->
                            CountingFileIO.class.getDeclaredMethod(
                                    operation.getName(), operation.getParameterTypes()));
        }
    }

    @Test
    void countsEachKindOfRequest() throws Exception {
        RequestCounter counter = new RequestCounter();
        FileIO fileIO = new CountingFileIO(LocalFileIO.create(), counter);
        Path root = new Path(folder.toUri());
        Path manifest = new Path(root, "manifest-1");
        Path list = new Path(root, "manifest-list-1");

        fileIO.writeFile(manifest, "a", false);
        fileIO.newOutputStream(list, false).close();
        fileIO.newInputStream(manifest).close();
        fileIO.newInputStream(list).close();
        fileIO.exists(list);
        fileIO.listStatus(root);
        fileIO.delete(list, false);
        boolean isWritten = fileIO.tryToWriteAtomic(new Path(root, "snapshot-1"), "s");

        assertTrue(isWritten);
        assertEquals(new MetadataRequests(1, 1, 2, 2 + 2, 1 + 1), counter.requests());
        assertEquals(1, counter.manifestReads());
        assertEquals("s", Files.readString(folder.resolve("snapshot-1")));
    }

    @Test
    void aConversionMakesNoRequestPerDataFile() throws Exception {
        ConversionReport few = convert("few", 5);
        ConversionReport many = convert("many", 500);

        assertEquals(few.requests(), many.requests());
        assertEquals(5, few.files());
        assertEquals(500, many.files());
    }

    /** A table whose files come in one commit, so that it has one manifest. */
    private ConversionReport convert(String name, int fileCount) throws Exception {
        try (Catalog catalog = TestTable.catalog(folder.resolve(name))) {
            TestTable table = TestTable.unpartitioned(catalog, "t");
            List<ManifestEntry> files =
                    IntStream.range(0, fileCount)
                            .mapToObj(i -> DataFiles.plain("data-" + i + ".parquet", 1_000))
                            .map(file -> DataFiles.added(BinaryRow.EMPTY_ROW, file))
                            .toList();
            DataFiles.commit(table.load(), files);
            return DataEvolutionConversion.of(catalog, table.identifier()).run();
        }
    }
}
