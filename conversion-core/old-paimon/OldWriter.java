import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.CatalogContext;
import org.apache.paimon.catalog.CatalogFactory;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.data.BinaryString;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.options.Options;
import org.apache.paimon.schema.Schema;
import org.apache.paimon.table.Table;
import org.apache.paimon.table.sink.BatchTableCommit;
import org.apache.paimon.table.sink.BatchTableWrite;
import org.apache.paimon.table.sink.BatchWriteBuilder;
import org.apache.paimon.types.DataTypes;

/**
 * Writes table db.t with whatever Paimon from 0.8.0 on is on the class path. Run from its source:
 *
 * <pre>java -cp paimon-bundle.jar:hadoop... OldWriter.java WAREHOUSE COMMAND...</pre>
 *
 * Commands, several one after the other:
 *
 * <pre>
 * create PARTITION_KEYS     a comma-separated list, - for none
 * append FROM TO COUNT      rows FROM to TO, exclusive, over COUNT partitions: one commit
 * merge FROM TO COUNT       the same, and the commit merges all manifests into one
 * overwrite PARTITION FROM TO
 * </pre>
 *
 * Row i is (i, "n" + i, 10 * i, "p" + i % COUNT).
 */
public class OldWriter {

    private final Catalog catalog;
    private final Identifier identifier = Identifier.create("db", "t");

    private OldWriter(Catalog catalog) {
        this.catalog = catalog;
    }

    public static void main(String[] args) throws Exception {
        Options options = new Options();
        options.set("warehouse", args[0]);
        try (Catalog catalog = CatalogFactory.createCatalog(CatalogContext.create(options))) {
            OldWriter writer = new OldWriter(catalog);
            int i = 1;
            while (i < args.length) {
                i = writer.run(args, i);
            }
        }
    }

    private int run(String[] args, int i) throws Exception {
        switch (args[i]) {
            case "create":
                create(args[i + 1]);
                return i + 2;
            case "append":
                int count = Integer.parseInt(args[i + 3]);
                write(table().newBatchWriteBuilder(), args[i + 1], args[i + 2], count, null);
                return i + 4;
            case "merge":
                write(merging(), args[i + 1], args[i + 2], Integer.parseInt(args[i + 3]), null);
                return i + 4;
            case "overwrite":
                String partition = args[i + 1];
                BatchWriteBuilder builder =
                        table().newBatchWriteBuilder()
                                .withOverwrite(Collections.singletonMap("pt", partition));
                write(builder, args[i + 2], args[i + 3], 1, partition);
                return i + 4;
            default:
                throw new IllegalArgumentException(args[i]);
        }
    }

    private void create(String keys) throws Exception {
        List<String> partitionKeys =
                keys.equals("-") ? Collections.emptyList() : Arrays.asList(keys.split(","));
        Schema schema =
                Schema.newBuilder()
                        .column("id", DataTypes.INT())
                        .column("name", DataTypes.STRING())
                        .column("v", DataTypes.BIGINT())
                        .column("pt", DataTypes.STRING())
                        .partitionKeys(partitionKeys)
                        .option("bucket", "-1")
                        .option("file.format", "parquet")
                        .build();
        catalog.createDatabase("db", true);
        catalog.createTable(identifier, schema, false);
    }

    private Table table() throws Exception {
        return catalog.getTable(identifier);
    }

    private BatchWriteBuilder merging() throws Exception {
        Map<String, String> options = new HashMap<>();
        options.put("manifest.merge-min-count", "1");
        options.put("manifest.full-compaction-threshold-size", "1 b");
        return table().copy(options).newBatchWriteBuilder();
    }

    private static void write(
            BatchWriteBuilder builder, String from, String to, int count, String partition)
            throws Exception {
        try (BatchTableWrite write = builder.newWrite();
                BatchTableCommit commit = builder.newCommit()) {
            for (int i = Integer.parseInt(from); i < Integer.parseInt(to); i++) {
                String pt = partition == null ? "p" + i % count : partition;
                write.write(
                        GenericRow.of(
                                i,
                                BinaryString.fromString("n" + i),
                                10L * i,
                                BinaryString.fromString(pt)));
            }
            commit.commit(write.prepareCommit());
        }
    }
}
