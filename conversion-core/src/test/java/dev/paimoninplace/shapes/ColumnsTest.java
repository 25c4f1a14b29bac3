package dev.paimoninplace.shapes;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.paimoninplace.conversion.ConversionReport.Outcome;
import dev.paimoninplace.testing.RowGroups;
import dev.paimoninplace.testing.TestTable;
import dev.paimoninplace.testing.TextRows;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.data.BinaryString;
import org.apache.paimon.data.Decimal;
import org.apache.paimon.data.GenericArray;
import org.apache.paimon.data.GenericMap;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.data.Timestamp;
import org.apache.paimon.data.serializer.InternalRowSerializer;
import org.apache.paimon.schema.Schema;
import org.apache.paimon.types.DataTypes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Columns of all sorts, there before the conversion or added after it. */
final class ColumnsTest {

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

    @Test
    void aColumnAddedAfterTheConversionTakesValuesUnderTheCurrentSchema() {
        TestTable table = TestTable.partitioned(catalog, "t");
        table.append(0, 600, i -> "p" + i % 3);
        table.append(600, 1200, i -> "p" + i % 3);
        Map<Integer, Map<String, String>> expected = TextRows.read(table.load());

        ConvertedTable.convert(table, warehouse);
        table.addColumn("w");
        assertEquals(expected, TextRows.read(table.load()));
        RowGroups.of(table).update("w", id -> String.valueOf(id + 7));

        expected.forEach((id, row) -> row.put("w", String.valueOf(id + 7)));
        assertEquals(expected, TextRows.read(table.load()));
        long current = table.load().schema().id();
        assertEquals(
                6,
                table.files().stream()
                        .filter(e -> List.of("w").equals(e.file().writeCols()))
                        .filter(e -> e.file().schemaId() == current)
                        .count());
        table.compact();
        assertEquals(expected, TextRows.read(table.load()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"parquet", "orc", "avro"})
    void nestedAndNotNullColumnsKeepTheirValuesThroughUpdateAndCompaction(String format)
            throws Exception {
        Schema schema =
                Schema.newBuilder()
                        .column("id", DataTypes.INT().notNull())
                        .column("v", DataTypes.BIGINT().notNull())
                        .column("a", DataTypes.ARRAY(DataTypes.INT()))
                        .column("m", DataTypes.MAP(DataTypes.STRING(), DataTypes.INT()))
                        .column("r", DataTypes.ROW(DataTypes.INT(), DataTypes.STRING()))
                        .column("d", DataTypes.DECIMAL(18, 4))
                        .column("ts", DataTypes.TIMESTAMP(6))
                        .option("bucket", "-1")
                        .option("file.format", format)
                        .build();
        TestTable table = AnyColumns.create(catalog, schema);
        AnyColumns.write(table.load(), 0, ROWS, id -> nested(id, 10L * id));
        AnyColumns.write(table.load(), ROWS, 2 * ROWS, id -> nested(id, 10L * id));
        Map<Integer, BinaryRow> before = AnyColumns.rows(table.load());

        assertEquals(Outcome.CONVERTED, ConvertedTable.conversion(table).run().outcome());
        assertEquals(before, AnyColumns.rows(table.load()));
        RowGroups.of(table).update("v", id -> String.valueOf(-id));

        Map<Integer, BinaryRow> expected = new TreeMap<>();
        InternalRowSerializer serializer = new InternalRowSerializer(table.load().rowType());
        before.keySet()
                .forEach(id -> expected.put(id, serializer.toBinaryRow(nested(id, -id)).copy()));
        assertEquals(expected, AnyColumns.rows(table.load()));
        table.compact();
        assertEquals(1, table.files().size());
        assertEquals(expected, AnyColumns.rows(table.load()));
    }

    private static GenericRow nested(int id, long v) {
        return GenericRow.of(
                id,
                v,
                id % 5 == 0 ? null : new GenericArray(new Integer[] {id, null, -id}),
                id % 7 == 0 ? null : new GenericMap(Map.of(BinaryString.fromString("k" + id), id)),
                GenericRow.of(id, id % 3 == 0 ? null : BinaryString.fromString("y" + id)),
                Decimal.fromUnscaledLong(id * 12345L, 18, 4),
                Timestamp.fromMicros(1_700_000_000_000_000L + id));
    }

    @Test
    void aBlobColumnAddedAfterTheConversionTakesBlobs() throws Exception {
        TestTable table = TestTable.unpartitioned(catalog, "t");
        table.append(0, ROWS);
        table.append(ROWS, 2 * ROWS);

        ConvertedTable.convert(table, warehouse);
        AnyColumns.addBlobs(table);
        RowGroups.of(table).update("v", id -> String.valueOf(-id));

        AnyColumns.assertBlobs(table);
    }
}
