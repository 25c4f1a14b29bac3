package dev.paimoninplace.containers;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
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

    /** A source that ends after row {@code last}, as Flink's own generator of data makes it. */
    static String source(int last, int rowsPerSecond) {
        return "CREATE TEMPORARY TABLE generated (id BIGINT) WITH ('connector'='datagen',"
                + " 'fields.id.kind'='sequence', 'fields.id.start'='1', 'fields.id.end'='"
                + last
                + "', 'rows-per-second'='"
                + rowsPerSecond
                + "')";
    }

    /** The job. */
    static String insert() {
        return "INSERT INTO "
                + NAME
                + " SELECT id, 'n' || CAST(id AS STRING), CAST(MOD(id, 3) AS INT) FROM default_catalog.default_database.generated";
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

    /** How many rows the newest snapshot says it has. */
    long committedRowCount() throws Exception {
        return load().snapshotManager().latestSnapshot().totalRecordCount();
    }

    /** A fresh load, with stock Paimon. */
    FileStoreTable load() throws Exception {
        Options options = new Options();
        options.set("warehouse", warehouse.toUri().toString());
        try (Catalog catalog = CatalogFactory.createCatalog(CatalogContext.create(options))) {
            return (FileStoreTable) catalog.getTable(Identifier.fromString(NAME));
        }
    }
}
