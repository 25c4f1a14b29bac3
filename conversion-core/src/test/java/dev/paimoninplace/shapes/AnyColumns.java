package dev.paimoninplace.shapes;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.paimoninplace.testing.TestTable;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.data.BinaryString;
import org.apache.paimon.data.BlobData;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.data.serializer.InternalRowSerializer;
import org.apache.paimon.reader.RecordReader;
import org.apache.paimon.schema.Schema;
import org.apache.paimon.schema.SchemaChange;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.sink.BatchTableCommit;
import org.apache.paimon.table.sink.BatchTableWrite;
import org.apache.paimon.table.sink.BatchWriteBuilder;
import org.apache.paimon.table.source.ReadBuilder;
import org.apache.paimon.types.DataTypes;
import org.apache.paimon.types.RowType;

/** Tables of any columns, and one with blobs. */
final class AnyColumns {

    static final int ROWS = 1000;

    private AnyColumns() {}

    /** A blob column, and one more commit of rows with blobs. */
    static void addBlobs(TestTable table) throws Exception {
        table.alter(SchemaChange.addColumn("b", DataTypes.BLOB()));
        write(
                table.load(),
                2 * ROWS,
                3 * ROWS,
                id ->
                        GenericRow.of(
                                id,
                                BinaryString.fromString("n" + id),
                                10L * id,
                                BinaryString.fromString("p0"),
                                new BlobData(blob(id))));
        assertTrue(table.files().stream().anyMatch(e -> e.file().fileName().endsWith(".blob")));
    }

    static byte[] blob(int id) {
        return ("blob of " + id).getBytes(StandardCharsets.UTF_8);
    }

    static void assertBlobs(TestTable table) {
        int[] count = new int[2];
        read(
                table.load(),
                row -> {
                    int id = row.getInt(0);
                    assertEquals("n" + id, row.getString(1).toString());
                    assertEquals(-id, row.getLong(2));
                    boolean isOld = id < 2 * ROWS;
                    assertEquals(isOld, row.isNullAt(4));
                    if (!isOld) {
                        assertArrayEquals(blob(id), row.getBlob(4).toData());
                    }
                    count[isOld ? 0 : 1]++;
                });
        assertArrayEquals(new int[] {2 * ROWS, ROWS}, count);
    }

    static TestTable create(Catalog catalog, Schema schema) throws Exception {
        Identifier identifier = Identifier.create("db", "t");
        catalog.createTable(identifier, schema, false);
        return TestTable.existing(catalog, identifier);
    }

    static void write(FileStoreTable table, int from, int to, IntFunction<InternalRow> rowOfId)
            throws Exception {
        BatchWriteBuilder builder = table.newBatchWriteBuilder();
        try (BatchTableWrite write = builder.newWrite();
                BatchTableCommit commit = builder.newCommit()) {
            for (int id = from; id < to; id++) {
                write.write(rowOfId.apply(id));
            }
            commit.commit(write.prepareCommit());
        }
    }

    static Map<Integer, BinaryRow> rows(FileStoreTable table) {
        RowType type = table.rowType();
        InternalRowSerializer serializer = new InternalRowSerializer(type);
        Map<Integer, BinaryRow> rows = new TreeMap<>();
        read(table, row -> rows.put(row.getInt(0), serializer.toBinaryRow(row).copy()));
        return rows;
    }

    static void read(FileStoreTable table, Consumer<InternalRow> consumer) {
        ReadBuilder builder = table.newReadBuilder();
        try (RecordReader<InternalRow> reader =
                builder.newRead().createReader(builder.newScan().plan())) {
            reader.forEachRemaining(consumer);
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
