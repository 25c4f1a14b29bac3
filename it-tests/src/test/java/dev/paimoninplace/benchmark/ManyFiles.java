package dev.paimoninplace.benchmark;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.data.BinaryArray;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.data.BinaryRowWriter;
import org.apache.paimon.data.BinaryString;
import org.apache.paimon.io.CompactIncrement;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.io.DataIncrement;
import org.apache.paimon.manifest.FileSource;
import org.apache.paimon.schema.Schema;
import org.apache.paimon.stats.SimpleStats;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.sink.BatchTableCommit;
import org.apache.paimon.table.sink.CommitMessage;
import org.apache.paimon.table.sink.CommitMessageImpl;
import org.apache.paimon.types.DataTypes;

/**
 * An append table with many data files that exist in its manifests only: entries with statistics of
 * ten columns, in one hundred partitions, committed by stock Paimon.
 */
final class ManyFiles {

    static final int ROWS_PER_FILE = 1_000;
    static final int PARTITIONS = 100;
    private static final int COLUMNS = 10;

    private ManyFiles() {}

    /**
     * Creates a table.
     *
     * @param fileCount live data files
     * @param options further table options, key and value in turn
     */
    static void create(Catalog catalog, Identifier identifier, int fileCount, String... options)
            throws Exception {
        Schema.Builder schema = Schema.newBuilder();
        for (int i = 0; i < COLUMNS - 1; i++) {
            schema.column("c" + i, DataTypes.BIGINT());
        }
        schema.column("pt", DataTypes.STRING()).partitionKeys("pt").option("bucket", "-1");
        for (int i = 0; i < options.length; i += 2) {
            schema.option(options[i], options[i + 1]);
        }
        catalog.createDatabase(identifier.getDatabaseName(), true);
        catalog.createTable(identifier, schema.build(), false);
        FileStoreTable table = (FileStoreTable) catalog.getTable(identifier);
        try (BatchTableCommit commit = table.newBatchWriteBuilder().newCommit()) {
            commit.commit(messages(0, fileCount));
        }
    }

    /** One more commit of files. */
    static void append(FileStoreTable table, int from, int to) throws Exception {
        try (BatchTableCommit commit = table.newBatchWriteBuilder().newCommit()) {
            commit.commit(messages(from, to));
        }
    }

    /** A message for each file, so that the partitions alternate from file to file. */
    private static List<CommitMessage> messages(int from, int to) {
        List<BinaryRow> partitions = new ArrayList<>(PARTITIONS);
        for (int i = 0; i < PARTITIONS; i++) {
            partitions.add(partition(i));
        }
        List<CommitMessage> messages = new ArrayList<>(to - from);
        for (int i = from; i < to; i++) {
            DataIncrement files = new DataIncrement(List.of(file(i)), List.of(), List.of());
            messages.add(
                    new CommitMessageImpl(
                            partitions.get(i % PARTITIONS),
                            0,
                            -1,
                            files,
                            CompactIncrement.emptyIncrement()));
        }
        return messages;
    }

    private static BinaryRow partition(int number) {
        BinaryRow row = new BinaryRow(1);
        BinaryRowWriter writer = new BinaryRowWriter(row);
        writer.writeString(0, BinaryString.fromString("p" + number));
        writer.complete();
        return row;
    }

    private static DataFileMeta file(int number) {
        return DataFileMeta.create(
                "data-" + UUID.nameUUIDFromBytes(new byte[] {1, 2}) + "-" + number + ".parquet",
                1_000_000L + number,
                ROWS_PER_FILE,
                BinaryRow.EMPTY_ROW,
                BinaryRow.EMPTY_ROW,
                SimpleStats.EMPTY_STATS,
                statistics(number),
                0L,
                ROWS_PER_FILE - 1L,
                0L,
                0,
                List.of(),
                org.apache.paimon.data.Timestamp.fromEpochMillis(1_700_000_000_000L + number),
                0L,
                null,
                FileSource.APPEND,
                null,
                null,
                null,
                null);
    }

    private static SimpleStats statistics(int number) {
        Long[] nulls = new Long[COLUMNS];
        java.util.Arrays.fill(nulls, 0L);
        return new SimpleStats(
                values(number), values(number + 1_000), BinaryArray.fromLongArray(nulls));
    }

    private static BinaryRow values(int number) {
        BinaryRow row = new BinaryRow(COLUMNS);
        BinaryRowWriter writer = new BinaryRowWriter(row);
        for (int i = 0; i < COLUMNS - 1; i++) {
            writer.writeLong(i, (long) number * (i + 7) * 1_000_003L);
        }
        writer.writeString(COLUMNS - 1, BinaryString.fromString("p" + number % PARTITIONS));
        writer.complete();
        return row;
    }
}
