package dev.paimoninplace.conversion;

import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.paimoninplace.testing.InterceptedFileIO;
import dev.paimoninplace.testing.InterceptedFileIO.Interceptor;
import dev.paimoninplace.testing.Moment;
import dev.paimoninplace.testing.TestTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.BiConsumer;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.Identifier;

/** Tables that differ in what a conversion has to do; each is {@code db.t} of its warehouse. */
enum PreparedTable {
    /** Several manifests, every file with more rows than the table gets snapshots. */
    MANY_MANIFESTS(
            (catalog, warehouse) -> {
                TestTable table = TestTable.unpartitioned(catalog, "t");
                for (int from = 0; from < 200; from += 40) {
                    table.append(from, from + 40);
                }
            }),

    /** Partitions, deletions in manifests, deletion vectors and statistics. */
    DELETIONS(
            (catalog, warehouse) -> {
                TestTable table =
                        TestTable.partitioned(catalog, "t", "deletion-vectors.enabled", "true");
                table.append(0, 60, i -> "p" + i % 3);
                table.append(60, 120, i -> "p" + i % 2);
                table.overwrite("p2", 200, 230);
                table.delete(id -> id % 7 == 0);
                table.analyze();
            }),

    /** Nothing was ever committed. */
    EMPTY((catalog, warehouse) -> TestTable.unpartitioned(catalog, "t")),

    /** A conversion was stopped before the schema write. */
    IDS(
            (catalog, warehouse) -> {
                TestTable table = TestTable.unpartitioned(catalog, "t");
                table.append(0, 40);
                table.append(40, 80);
                stopBeforeSchemaWrite(warehouse);
            }),

    /** One large file. */
    LARGE_FILE(
            (catalog, warehouse) -> {
                TestTable table = TestTable.unpartitioned(catalog, "t");
                table.append(0, 500);
                table.append(500, 501);
            });

    static final Identifier IDENTIFIER = Identifier.create("db", "t");

    private final BiConsumer<Catalog, Path> preparation;

    PreparedTable(BiConsumer<Catalog, Path> preparation) {
        this.preparation = preparation;
    }

    void prepare(Path warehouse) throws Exception {
        try (Catalog catalog = TestTable.catalog(warehouse)) {
            preparation.accept(catalog, warehouse);
        }
    }

    private static void stopBeforeSchemaWrite(Path warehouse) {
        Interceptor diskFull =
                Moment.schemaWrite()
                        .before(
                                time -> {
                                    throw new IOException("No space left on device");
                                });
        Catalog catalog = InterceptedFileIO.catalog(warehouse, diskFull);
        assertThrows(
                ConversionException.class,
                () -> DataEvolutionConversion.of(catalog, IDENTIFIER).run());
    }
}
