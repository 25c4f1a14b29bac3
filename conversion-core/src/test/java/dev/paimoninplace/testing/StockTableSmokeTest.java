package dev.paimoninplace.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.CatalogContext;
import org.apache.paimon.catalog.CatalogFactory;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.data.BinaryString;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.options.Options;
import org.apache.paimon.reader.RecordReader;
import org.apache.paimon.schema.Schema;
import org.apache.paimon.table.Table;
import org.apache.paimon.table.sink.BatchTableCommit;
import org.apache.paimon.table.sink.BatchTableWrite;
import org.apache.paimon.table.sink.BatchWriteBuilder;
import org.apache.paimon.table.source.ReadBuilder;
import org.apache.paimon.types.DataTypes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The test class path can create, write and read a Paimon append table. */
final class StockTableSmokeTest {

    @TempDir Path warehouse;

    @Test
    void readsBackTheRowsOfAnAppendTable() throws Exception {
        List<String> expected =
                IntStream.range(0, 10).mapToObj(i -> i + ":name-" + i).sorted().toList();

        List<String> actual = new ArrayList<>();
        Options options = new Options();
        options.set("warehouse", warehouse.toUri().toString());
        try (Catalog catalog = CatalogFactory.createCatalog(CatalogContext.create(options))) {
            Table table = createTable(catalog);
            write(table);
            read(table, actual);
        }

        assertEquals(expected, actual.stream().sorted().toList());
    }

    private static Table createTable(Catalog catalog) throws Exception {
        Identifier identifier = Identifier.create("db", "t");
        Schema schema =
                Schema.newBuilder()
                        .column("id", DataTypes.INT())
                        .column("name", DataTypes.STRING())
                        .option("bucket", "-1")
                        .option("file.format", "parquet")
                        .build();
        catalog.createDatabase("db", false);
        catalog.createTable(identifier, schema, false);
        return catalog.getTable(identifier);
    }

    private static void write(Table table) throws Exception {
        BatchWriteBuilder builder = table.newBatchWriteBuilder();
        try (BatchTableWrite write = builder.newWrite();
                BatchTableCommit commit = builder.newCommit()) {
            for (int i = 0; i < 10; i++) {
                write.write(GenericRow.of(i, BinaryString.fromString("name-" + i)));
            }
            commit.commit(write.prepareCommit());
        }
    }

    private static void read(Table table, List<String> rows) throws Exception {
        ReadBuilder builder = table.newReadBuilder();
        try (RecordReader<InternalRow> reader =
                builder.newRead().createReader(builder.newScan().plan())) {
            reader.forEachRemaining(row -> rows.add(row.getInt(0) + ":" + row.getString(1)));
        }
    }
}
