package dev.paimoninplace.fence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.paimoninplace.conversion.DataEvolutionConversion;
import dev.paimoninplace.testing.TableProof;
import dev.paimoninplace.testing.TestTable;
import dev.paimoninplace.testing.TestTable.Row;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.data.BinaryString;
import org.apache.paimon.data.BlobData;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.schema.Schema;
import org.apache.paimon.schema.SchemaChange;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.sink.BatchTableCommit;
import org.apache.paimon.table.sink.BatchTableWrite;
import org.apache.paimon.table.sink.BatchWriteBuilder;
import org.apache.paimon.table.sink.StreamTableCommit;
import org.apache.paimon.table.sink.StreamTableWrite;
import org.apache.paimon.table.sink.StreamWriteBuilder;
import org.apache.paimon.types.DataTypes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commits of the guarded catalog that have nothing to do with a conversion, or fit it. */
final class NeverRefusedTest {

    private static final Identifier TABLE = Identifier.create("db", "t");

    @TempDir Path warehouse;
    private Catalog catalog;
    private Catalog guarded;

    @BeforeEach
    void open() {
        catalog = TestTable.catalog(warehouse);
        guarded = TestTable.guardedCatalog(warehouse);
    }

    @AfterEach
    void close() throws Exception {
        guarded.close();
        catalog.close();
    }

    private static void write(StreamTableWrite write, int from, int to) throws Exception {
        for (int id = from; id < to; id++) {
            BinaryString text = BinaryString.fromString("n" + id);
            write.write(GenericRow.of(id, text, 10L * id, text));
        }
    }

    @Test
    void aWriterOfAPlainTableAfterAnyOrdinaryChange() throws Exception {
        TestTable table = TestTable.unpartitioned(guarded, "t");
        table.append(0, 40);
        StreamWriteBuilder job = table.load().newStreamWriteBuilder().withCommitUser("job");
        try (StreamTableWrite write = job.newWrite();
                StreamTableCommit commit = job.newCommit()) {
            table.addColumn("later");
            table.setOption("snapshot.num-retained.max", "70");
            table.append(40, 80);
            table.compact();
            table.analyze();
            table.compactManifests();
            write(write, 100, 140);
            commit.commit(1, write.prepareCommit(true, 1));
            table.alter(SchemaChange.renameColumn("later", "afterwards"));
            write(write, 140, 180);
            commit.commit(2, write.prepareCommit(true, 2));
            guarded.replaceTable(
                    TABLE,
                    Schema.newBuilder()
                            .column("id", DataTypes.INT())
                            .column("name", DataTypes.STRING())
                            .column("v", DataTypes.BIGINT())
                            .column("pt", DataTypes.STRING())
                            .option("bucket", "-1")
                            .build(),
                    false);
        }
        table.append(180, 220);

        assertTrue(table.rows().keySet().containsAll(List.of(180, 219)));
    }

    @Test
    void aRowTrackingTableWithItsCompactionsAndRewrites() {
        TestTable table = TestTable.unpartitioned(guarded, "t", "row-tracking.enabled", "true");
        for (int from = 0; from < 160; from += 40) {
            table.append(from, from + 40);
        }
        FileStoreTable early = table.load();
        Map<Integer, Row> rows = table.rows();
        Map<Integer, Long> ids = table.rowIds();

        table.compact();
        table.append(160, 200);
        TestTable.append(early, 200, 240, i -> "p0");

        assertEquals(240, table.rows().size());
        assertEquals(rows, new TreeMap<>(table.rows()).headMap(160));
        assertEquals(ids, new TreeMap<>(table.rowIds()).headMap(160));
    }

    @Test
    void manyFilesOfOneWriterOfAConvertedTable() throws Exception {
        TestTable table = TestTable.partitioned(guarded, "t", "target-file-row-num", "25");
        table.append(0, 40, i -> "p" + i % 2);
        DataEvolutionConversion.of(guarded, TABLE).run();
        StreamWriteBuilder job = table.load().newStreamWriteBuilder().withCommitUser("job");
        try (StreamTableWrite write = job.newWrite();
                StreamTableCommit commit = job.newCommit()) {
            for (int round = 1; round <= 3; round++) {
                for (int id = 100 * round; id < 100 * round + 90; id++) {
                    write.write(
                            GenericRow.of(
                                    id,
                                    BinaryString.fromString("n" + id),
                                    10L * id,
                                    BinaryString.fromString("p" + id % 2)));
                }
                commit.commit(round, write.prepareCommit(true, round));
            }
        }
        Map<Integer, Row> expected = new TreeMap<>();
        table.rows().forEach((id, row) -> expected.put(id, row));
        assertEquals(40 + 3 * 90, expected.size());

        table.updateV(id -> 10L * id);
        table.compact();
        table.updateV(id -> 10L * id);
        table.overwrite("p0", 1000, 1040);
        table.updateV(id -> 10L * id);
        table.dropPartition("p1");

        assertEquals(40, table.rows().size());
        TableProof.assertConverted(table, table.rows());
    }

    @Test
    void aRowTrackingWriterThatIsStaleIsRefusedWhenItsFilesWouldHideUpdates() throws Exception {
        TestTable table = TestTable.unpartitioned(guarded, "t", "row-tracking.enabled", "true");
        table.append(0, 40);
        StreamWriteBuilder job = table.load().newStreamWriteBuilder().withCommitUser("job");
        try (StreamTableWrite write = job.newWrite();
                StreamTableCommit commit = job.newCommit()) {
            write(write, 100, 150);
            commit.commit(1, write.prepareCommit(true, 1));
            DataEvolutionConversion.of(catalog, TABLE).run();
            table.updateV(id -> -2L);
            Map<Integer, Row> rows = table.rows();
            write(write, 200, 250);

            StaleWriterException refused =
                    assertThrows(
                            StaleWriterException.class,
                            () -> commit.commit(2, write.prepareCommit(true, 2)));

            assertTrue(
                    String.valueOf(refused.getMessage())
                            .contains("would have sequence numbers up to 99, which hide"),
                    refused.getMessage());
            assertEquals(rows, table.rows());
        }
        table.append(200, 250);
        table.updateV(id -> -1L);

        assertTrue(table.rows().values().stream().allMatch(row -> Objects.equals(row.v(), -1L)));
    }

    @Test
    void aRowTrackingCompactionThatIsStaleIsRefused() {
        TestTable table = TestTable.unpartitioned(guarded, "t", "row-tracking.enabled", "true");
        table.append(0, 40);
        table.append(40, 80);
        Map<Integer, Row> rows = table.rows();
        FileStoreTable stale = table.load().copy(Map.of("compaction.min.file-num", "2"));
        var messages = TestTable.prepareCompact(stale);
        DataEvolutionConversion.of(catalog, TABLE).run();

        assertThrows(StaleWriterException.class, () -> TestTable.commit(stale, messages));

        TableProof.assertConverted(table, rows);
    }

    @Test
    void blobsOfAConvertedTableAndTheirCompaction() throws Exception {
        guarded.createDatabase("db", true);
        guarded.createTable(
                TABLE,
                Schema.newBuilder()
                        .column("id", DataTypes.INT())
                        .column("picture", DataTypes.BLOB())
                        .option("bucket", "-1")
                        .option("row-tracking.enabled", "true")
                        .option("data-evolution.enabled", "true")
                        .build(),
                false);
        for (int round = 0; round < 3; round++) {
            FileStoreTable table = (FileStoreTable) guarded.getTable(TABLE);
            BatchWriteBuilder builder = table.newBatchWriteBuilder();
            try (BatchTableWrite write = builder.newWrite();
                    BatchTableCommit commit = builder.newCommit()) {
                for (int id = 0; id < 40; id++) {
                    write.write(GenericRow.of(id, new BlobData(new byte[] {1, 2, 3})));
                }
                commit.commit(write.prepareCommit());
            }
        }
        TestTable table = TestTable.existing(guarded, TABLE);

        table.compact();

        assertEquals(
                3 * 40,
                table.files().stream()
                        .filter(entry -> !entry.fileName().endsWith(".blob"))
                        .mapToLong(entry -> entry.file().rowCount())
                        .sum());
    }
}
