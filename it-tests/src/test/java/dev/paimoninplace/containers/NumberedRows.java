package dev.paimoninplace.containers;

import dev.paimoninplace.testing.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.stream.Stream;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.CatalogContext;
import org.apache.paimon.catalog.CatalogFactory;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.options.Options;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.source.ReadBuilder;
import org.apache.paimon.utils.CloseableIterator;

/**
 * A table whose rows are numbered from 1, so that every row that is lost, doubled or changed shows.
 * Row {@code i} is {@code (i, "n" + i, i % 3)}.
 */
record NumberedRows(Path warehouse) {

    private static final String NAME = "db.numbers";

    /**
     * What a table holds.
     *
     * @param rowCount all rows
     * @param distinctCount different numbers
     * @param highest the highest number
     * @param wrongCount rows that say something else than their number
     */
    record Content(long rowCount, long distinctCount, long highest, long wrongCount) {

        /** Rows 1 to {@code last}, each once. */
        static Content upTo(int last) {
            return new Content(last, last, last, 0);
        }
    }

    /** The arguments of an action for the table. */
    List<String> action(String name, String... options) {
        List<String> arguments = new ArrayList<>();
        arguments.add(name);
        arguments.addAll(List.of("--warehouse", warehouse.toUri().toString(), "--table", NAME));
        arguments.addAll(List.of(options));
        return arguments;
    }

    /** Creates catalog {@code lake} and makes it the current one. */
    String catalog(String type) {
        return "CREATE CATALOG lake WITH ('type'='"
                + type
                + "', 'warehouse'='"
                + warehouse.toUri()
                + "');\nUSE CATALOG lake";
    }

    /** Creates the table. */
    static String table(String clauses) {
        return "CREATE DATABASE IF NOT EXISTS db;\nCREATE TABLE "
                + NAME
                + " (id BIGINT, label STRING, kind INT) "
                + clauses;
    }

    /** What makes the job go on from a checkpoint or savepoint. */
    static String recovery(String address) {
        return "SET 'execution.state-recovery.path' = '" + address + "'";
    }

    /**
     * Rows 1 to {@code last} from Flink's own generator of data, and one that never gives a row.
     * The second keeps the job running after the last row: what stock Paimon commits of writers
     * that end one after the other is not complete in every order of their ends and checkpoints.
     */
    static String sources(int last, int rowsPerSecond) {
        return "CREATE TEMPORARY TABLE generated (id BIGINT) WITH ('connector'='datagen',"
                + " 'fields.id.kind'='sequence', 'fields.id.start'='1', 'fields.id.end'='"
                + last
                + "', 'rows-per-second'='"
                + rowsPerSecond
                + "');\nCREATE TEMPORARY TABLE silent (id BIGINT) WITH ('connector'='datagen',"
                + " 'fields.id.min'='1', 'rows-per-second'='1')";
    }

    /** The job. */
    static String insert() {
        return "INSERT INTO "
                + NAME
                + " SELECT id, 'n' || CAST(id AS STRING), CAST(MOD(id, 3) AS INT) FROM ("
                + "SELECT id FROM default_catalog.default_database.generated UNION ALL "
                + "SELECT id FROM default_catalog.default_database.silent WHERE id < 0)";
    }

    /** Reads everything, with stock Paimon. */
    Content read() throws Exception {
        FileStoreTable table = load();
        ReadBuilder builder = table.newReadBuilder();
        BitSet numbers = new BitSet();
        long rowCount = 0;
        long wrongCount = 0;
        try (CloseableIterator<InternalRow> rows =
                builder.newRead().createReader(builder.newScan().plan()).toCloseableIterator()) {
            while (rows.hasNext()) {
                InternalRow row = rows.next();
                int number = Math.toIntExact(row.getLong(0));
                boolean right =
                        row.getString(1).toString().equals("n" + number)
                                && row.getInt(2) == number % 3;
                numbers.set(number);
                rowCount++;
                wrongCount += right ? 0 : 1;
            }
        }
        return new Content(rowCount, numbers.cardinality(), numbers.length() - 1, wrongCount);
    }

    /** Waits until that many rows are committed. */
    void awaitCommitted(int rowCount) {
        Await.until(rowCount + " committed rows", () -> committedRowCount() >= rowCount);
    }

    /** How many rows the newest snapshot says it has. */
    long committedRowCount() throws Exception {
        return load().snapshotManager().latestSnapshot().totalRecordCount();
    }

    /** How many snapshots conversions of the table have committed. */
    int conversionCommits() throws IOException {
        int count = 0;
        try (Stream<Path> files = Files.list(folder("snapshot"))) {
            for (Path file : files.filter(NumberedRows::isSnapshot).toList()) {
                count += Files.readString(file).contains("\"enable-data-evolution-") ? 1 : 0;
            }
        }
        return count;
    }

    /** Whether the schema of the table was changed. */
    boolean flipped() {
        return Files.exists(folder("schema").resolve("schema-1"));
    }

    private Path folder(String name) {
        return warehouse.resolve("db.db/numbers").resolve(name);
    }

    private static boolean isSnapshot(Path file) {
        return file.getFileName().toString().startsWith("snapshot-");
    }

    private FileStoreTable load() throws Exception {
        Options options = new Options();
        options.set("warehouse", warehouse.toUri().toString());
        try (Catalog catalog = CatalogFactory.createCatalog(CatalogContext.create(options))) {
            return (FileStoreTable) catalog.getTable(Identifier.fromString(NAME));
        }
    }
}
