package dev.paimoninplace.shapes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.paimoninplace.testing.RowGroups;
import dev.paimoninplace.testing.TestTable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.data.GenericArray;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.reader.RecordReader;
import org.apache.paimon.schema.Schema;
import org.apache.paimon.table.source.ReadBuilder;
import org.apache.paimon.types.DataTypes;
import org.apache.paimon.utils.Range;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Faults of Paimon 2.0.0 that have nothing to do with the conversion: a table that was created as
 * Data Evolution shows them too. A test that fails here means that one of them is gone.
 */
final class StockFaultsTest {

    private static final int ROWS = AnyColumns.ROWS;

    @TempDir Path warehouse;
    private Catalog catalog;

    @BeforeEach
    void open() throws Exception {
        catalog = TestTable.catalog(warehouse);
        catalog.createDatabase("db", true);
    }

    @AfterEach
    void close() throws Exception {
        catalog.close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aReadByRowIdOfParquetVersionTwoReturnsOtherRowsConvertedOrNot(boolean converted)
            throws Exception {
        String enabled = String.valueOf(!converted);
        Schema schema =
                Schema.newBuilder()
                        .column("id", DataTypes.INT())
                        .column("a", DataTypes.ARRAY(DataTypes.INT()))
                        .option("bucket", "-1")
                        .option("row-tracking.enabled", enabled)
                        .option("data-evolution.enabled", enabled)
                        .option("parquet.writer.version", "v2")
                        .option("parquet.page.size", "2000")
                        .build();
        TestTable table = AnyColumns.create(catalog, schema);
        AnyColumns.write(
                table.load(),
                0,
                10 * ROWS,
                id -> GenericRow.of(id, new GenericArray(new Integer[] {id})));
        if (converted) {
            var report = ConvertedTable.conversion(table).run();
            assertTrue(
                    report.warnings().stream().anyMatch(c -> c.name().equals("PARQUET_VERSION")));
        }
        long rowId = 4200;
        ReadBuilder builder =
                table.load().newReadBuilder().withRowRanges(List.of(new Range(rowId, rowId)));

        List<Integer> ids = new ArrayList<>();
        try (RecordReader<InternalRow> reader =
                builder.newRead().createReader(builder.newScan().plan())) {
            reader.forEachRemaining(row -> ids.add(row.getInt(0)));
        }

        assertEquals(1, ids.size());
        assertNotEquals(rowId, ids.get(0).longValue());
    }

    /**
     * A fault of Paimon 2.0.0 that has nothing to do with the conversion: its compaction joins
     * files from before and after a blob column was added, and its reader cannot read the result.
     */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void compactionOfFilesFromBeforeAndAfterABlobColumnFailsConvertedOrNot(boolean converted)
            throws Exception {
        String enabled = String.valueOf(!converted);
        TestTable table =
                TestTable.unpartitioned(
                        catalog,
                        "t",
                        "row-tracking.enabled",
                        enabled,
                        "data-evolution.enabled",
                        enabled);
        table.append(0, ROWS);
        table.append(ROWS, 2 * ROWS);
        if (converted) {
            ConvertedTable.convert(table, warehouse);
        }
        AnyColumns.addBlobs(table);
        RowGroups.of(table).update("v", id -> String.valueOf(-id));
        AnyColumns.assertBlobs(table);

        table.compact();

        IllegalStateException failure =
                assertThrows(IllegalStateException.class, () -> AnyColumns.assertBlobs(table));
        String message = String.valueOf(failure.getMessage());
        assertTrue(message.contains("should be aligned with normal files"), message);
    }
}
