package dev.paimoninplace.shapes;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.paimoninplace.conversion.DataEvolutionRepair;
import dev.paimoninplace.conversion.RepairReport.Outcome;
import dev.paimoninplace.testing.RowGroups;
import dev.paimoninplace.testing.TestTable;
import dev.paimoninplace.verify.DataEvolutionVerification;
import dev.paimoninplace.verify.Finding;
import dev.paimoninplace.verify.FindingCode;
import dev.paimoninplace.verify.Level;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.data.BinaryString;
import org.apache.paimon.data.GenericArray;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.data.serializer.InternalRowSerializer;
import org.apache.paimon.schema.Schema;
import org.apache.paimon.schema.SchemaChange;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.types.DataTypes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Columns added after the conversion, in a table that a job damages that does not know them. */
final class MendedColumnsTest {

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

    private List<FindingCode> findings(TestTable table) {
        return DataEvolutionVerification.of(catalog, table.identifier())
                .atLevel(Level.ROWS)
                .run()
                .findings()
                .stream()
                .map(Finding::code)
                .distinct()
                .toList();
    }

    private void repair(TestTable table) {
        assertEquals(List.of(FindingCode.STRAY_FILE), findings(table));
        DataEvolutionRepair repair = DataEvolutionRepair.of(catalog, table.identifier());
        assertEquals(Outcome.REPAIRED, repair.run().outcome());
        assertEquals(List.of(), findings(table));
    }

    @Test
    void nestedColumnsAddedAfterTheConversionKeepTheirValues() throws Exception {
        Schema schema =
                Schema.newBuilder()
                        .column("id", DataTypes.INT().notNull())
                        .column("v", DataTypes.BIGINT().notNull())
                        .option("bucket", "-1")
                        .build();
        TestTable table = AnyColumns.create(catalog, schema);
        AnyColumns.write(table.load(), 0, ROWS, id -> GenericRow.of(id, 10L * id));
        FileStoreTable job = table.load();
        ConvertedTable.conversion(table).run();
        table.alter(SchemaChange.addColumn("a", DataTypes.ARRAY(DataTypes.INT())));
        table.alter(
                SchemaChange.addColumn("r", DataTypes.ROW(DataTypes.INT(), DataTypes.STRING())));

        AnyColumns.write(table.load(), ROWS, 2 * ROWS, id -> nested(id, 10L * id));
        AnyColumns.write(job, 2 * ROWS, 3 * ROWS, id -> GenericRow.of(id, 10L * id));
        repair(table);

        assertEquals(expected(table, 10), AnyColumns.rows(table.load()));
        RowGroups.of(table).update("v", id -> String.valueOf(-3L * id));
        assertEquals(expected(table, -3), AnyColumns.rows(table.load()));
        table.compact();
        assertEquals(expected(table, -3), AnyColumns.rows(table.load()));
        assertEquals(List.of(), findings(table));
    }

    private static InternalRow nested(int id, long v) {
        return GenericRow.of(
                id,
                v,
                id % 5 == 0 ? null : new GenericArray(new Integer[] {id, null, -id}),
                GenericRow.of(id, id % 3 == 0 ? null : BinaryString.fromString("y" + id)));
    }

    private static Map<Integer, BinaryRow> expected(TestTable table, long factor) {
        InternalRowSerializer serializer = new InternalRowSerializer(table.load().rowType());
        Map<Integer, BinaryRow> rows = new TreeMap<>();
        for (int id = 0; id < 3 * ROWS; id++) {
            boolean isNew = id >= ROWS && id < 2 * ROWS;
            InternalRow row =
                    isNew ? nested(id, factor * id) : GenericRow.of(id, factor * id, null, null);
            rows.put(id, serializer.toBinaryRow(row).copy());
        }
        return rows;
    }

    @Test
    void blobsAddedAfterTheConversionKeepTheirValues() throws Exception {
        TestTable table = TestTable.unpartitioned(catalog, "t");
        table.append(0, ROWS);
        FileStoreTable job = table.load();
        ConvertedTable.conversion(table).run();

        AnyColumns.addBlobs(table);
        TestTable.append(job, ROWS, 2 * ROWS, id -> "p0");
        repair(table);

        RowGroups.of(table).update("v", id -> String.valueOf(-id));
        AnyColumns.assertBlobs(table);
        assertEquals(List.of(), findings(table));
    }
}
