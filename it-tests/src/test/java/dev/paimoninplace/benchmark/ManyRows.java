package dev.paimoninplace.benchmark;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.data.BinaryString;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.reader.RecordReader;
import org.apache.paimon.reader.RecordReaderIterator;
import org.apache.paimon.schema.Schema;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.sink.BatchTableCommit;
import org.apache.paimon.table.sink.BatchTableWrite;
import org.apache.paimon.table.sink.BatchWriteBuilder;
import org.apache.paimon.table.sink.CommitMessage;
import org.apache.paimon.table.source.Split;
import org.apache.paimon.types.DataTypes;

/** An append table with real data, and what it takes to copy it into a Data Evolution table. */
final class ManyRows {

    static final int ROWS_PER_FILE = 100_000;

    private ManyRows() {}

    /**
     * Creates the table.
     *
     * @param fileCount data files of {@link #ROWS_PER_FILE} rows, each a commit of its own
     */
    static void create(Catalog catalog, Identifier identifier, int fileCount) throws Exception {
        FileStoreTable table = create(catalog, identifier);
        for (int file = 0; file < fileCount; file++) {
            BatchWriteBuilder builder = table.newBatchWriteBuilder();
            try (BatchTableWrite write = builder.newWrite();
                    BatchTableCommit commit = builder.newCommit()) {
                for (int i = 0; i < ROWS_PER_FILE; i++) {
                    write.write(row((long) file * ROWS_PER_FILE + i));
                }
                commit.commit(write.prepareCommit());
            }
        }
    }

    private static InternalRow row(long id) {
        return GenericRow.of(
                id,
                id * 1_000_003L,
                (id * 7_919L) % 10_007L / 100.0,
                BinaryString.fromString("customer-" + id % 100_003L),
                BinaryString.fromString("p" + id / ROWS_PER_FILE % 10));
    }

    private static FileStoreTable create(Catalog catalog, Identifier identifier, String... options)
            throws Exception {
        Schema.Builder schema =
                Schema.newBuilder()
                        .column("id", DataTypes.BIGINT())
                        .column("amount", DataTypes.BIGINT())
                        .column("price", DataTypes.DOUBLE())
                        .column("customer", DataTypes.STRING())
                        .column("pt", DataTypes.STRING())
                        .partitionKeys("pt")
                        .option("bucket", "-1");
        for (int i = 0; i < options.length; i += 2) {
            schema.option(options[i], options[i + 1]);
        }
        catalog.createDatabase(identifier.getDatabaseName(), true);
        catalog.createTable(identifier, schema.build(), false);
        return (FileStoreTable) catalog.getTable(identifier);
    }

    /** Copies every row into a new Data Evolution table, as {@code INSERT OVERWRITE} would. */
    static void rewrite(Catalog catalog, Identifier identifier, int threads) throws Exception {
        FileStoreTable source = (FileStoreTable) catalog.getTable(identifier);
        FileStoreTable target =
                create(
                        catalog,
                        Identifier.create(identifier.getDatabaseName(), "copy"),
                        "row-tracking.enabled",
                        "true",
                        "data-evolution.enabled",
                        "true");
        BatchWriteBuilder builder = target.newBatchWriteBuilder().withOverwrite();
        List<Split> splits = source.newReadBuilder().newScan().plan().splits();
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        List<Future<List<CommitMessage>>> written = new ArrayList<>();
        for (int thread = 0; thread < threads; thread++) {
            int first = thread;
            written.add(
                    pool.submit(
                            () -> {
                                try (BatchTableWrite write = builder.newWrite()) {
                                    for (int i = first; i < splits.size(); i += threads) {
                                        copy(source, splits.get(i), write);
                                    }
                                    return write.prepareCommit();
                                }
                            }));
        }
        List<CommitMessage> messages = new ArrayList<>();
        for (Future<List<CommitMessage>> one : written) {
            messages.addAll(one.get());
        }
        pool.shutdown();
        try (BatchTableCommit commit = builder.newCommit()) {
            commit.commit(messages);
        }
    }

    private static void copy(FileStoreTable source, Split split, BatchTableWrite write)
            throws Exception {
        write.withIOManager(
                org.apache.paimon.disk.IOManager.create(System.getProperty("java.io.tmpdir")));
        RecordReader<InternalRow> reader = source.newReadBuilder().newRead().createReader(split);
        try (RecordReaderIterator<InternalRow> rows = new RecordReaderIterator<>(reader)) {
            while (rows.hasNext()) {
                write.write(rows.next());
            }
        }
    }
}
