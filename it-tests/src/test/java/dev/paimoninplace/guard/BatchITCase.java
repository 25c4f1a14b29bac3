package dev.paimoninplace.guard;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.paimoninplace.conversion.DataEvolutionConversion;
import dev.paimoninplace.testing.Await;
import dev.paimoninplace.testing.TableProof;
import dev.paimoninplace.testing.TestTable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.table.api.TableResult;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.flink.types.Row;
import org.apache.flink.util.ExceptionUtils;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.data.BlobDescriptor;
import org.apache.paimon.flink.FlinkCatalog;
import org.apache.paimon.table.FileStoreTable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Batch statements of a session that has the table from before the conversion in its cache. */
final class BatchITCase {

    @RegisterExtension static final MiniClusterExtension CLUSTER = Scenario.cluster();

    private static final int ROWS = 2_000;

    @TempDir Path warehouse;
    private Catalog catalog;

    @BeforeEach
    void open() {
        catalog = TestTable.catalog(warehouse);
    }

    @AfterEach
    void close() throws Exception {
        catalog.close();
    }

    private BatchSession convertedBehind(TestTable table) throws Exception {
        table.append(0, ROWS, i -> i % 2 == 0 ? "p0" : "p1");
        BatchSession session = BatchSession.open(warehouse);
        session.numbers("more", ROWS, 2 * ROWS);
        session.run("SELECT COUNT(*) FROM t");
        DataEvolutionConversion.of(catalog, table.identifier()).run();
        assertFalse(cached(session).coreOptions().dataEvolutionEnabled());
        return session;
    }

    private static FileStoreTable cached(BatchSession session) throws Exception {
        FlinkCatalog guarded = (FlinkCatalog) session.tables().getCatalog("guarded").orElseThrow();
        return (FileStoreTable) guarded.catalog().getTable(Identifier.create("db", "t"));
    }

    private static String insert(String verb, String partition) {
        return verb
                + " SELECT n, 'n' || CAST(n AS STRING), CAST(10 * n AS BIGINT)"
                + partition
                + " FROM more";
    }

    private static Map<Integer, TestTable.Row> rows(int from, int to, String even, String odd) {
        Map<Integer, TestTable.Row> rows = new TreeMap<>();
        for (int i = from; i < to; i++) {
            rows.put(i, new TestTable.Row(i, "n" + i, 10L * i, i % 2 == 0 ? even : odd));
        }
        return rows;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " /*+ OPTIONS('partition.sink-strategy'='hash') */",
                " /*+ OPTIONS('clustering.columns'='v', 'clustering.strategy'='order') */",
                " /*+ OPTIONS('target-file-size'='8 kb') */"
            })
    void insertsRowsWithIds(String hint) throws Exception {
        TestTable table = TestTable.partitioned(catalog, "t");
        BatchSession session = convertedBehind(table);

        session.run(insert("INSERT INTO t" + hint, ", 'p0'"));

        Map<Integer, TestTable.Row> expected = rows(0, ROWS, "p0", "p1");
        expected.putAll(rows(ROWS, 2 * ROWS, "p0", "p0"));
        TableProof.assertConverted(table, expected);
        TableProof.assertUpdatesAreVisible(table);
    }

    @ParameterizedTest
    @ValueSource(strings = {"INSERT INTO t", "INSERT OVERWRITE t"})
    void followsAConversionThatComesWhileItRuns(String verb) throws Exception {
        TestTable table = TestTable.unpartitioned(catalog, "t");
        table.append(0, ROWS);
        BatchSession session = BatchSession.open(warehouse);
        // Writer and committer in one task, so that the committer is open all the time.
        session.tables().getConfig().set("parallelism.default", "1");
        session.numbers("more", ROWS, 2 * ROWS);
        session.run("CREATE TEMPORARY TABLE slow WITH ('rows-per-second'='400') LIKE more");
        session.tables().getConfig().set("table.dml-sync", "false");
        TableResult job =
                session.tables()
                        .executeSql(insert(verb, ", 'p0'").replace("FROM more", "FROM slow"));
        JobClient client = job.getJobClient().orElseThrow();
        Await.until("the job runs", () -> client.getJobStatus().get() == JobStatus.RUNNING);
        Await.until("a file is begun", () -> dataFiles() > 1);

        DataEvolutionConversion.of(catalog, table.identifier()).run();
        job.await();

        boolean overwrites = verb.startsWith("INSERT OVERWRITE");
        TableProof.assertConverted(table, rows(overwrites ? ROWS : 0, 2 * ROWS, "p0", "p0"));
        TableProof.assertUpdatesAreVisible(table);
    }

    private long dataFiles() throws Exception {
        try (Stream<Path> files = Files.list(warehouse.resolve("db.db/t/bucket-0"))) {
            return files.count();
        }
    }

    @Test
    void overwritesOnePartition() throws Exception {
        TestTable table = TestTable.partitioned(catalog, "t");
        BatchSession session = convertedBehind(table);

        session.run(insert("INSERT OVERWRITE t PARTITION (pt='p1')", ""));

        Map<Integer, TestTable.Row> expected = rows(0, ROWS, "p0", "p1");
        expected.values().removeIf(row -> "p1".equals(row.pt()));
        expected.putAll(rows(ROWS, 2 * ROWS, "p1", "p1"));
        TableProof.assertConverted(table, expected);
        TableProof.assertUpdatesAreVisible(table);
    }

    @Test
    void overwritesATableWithoutPartitions() throws Exception {
        TestTable table = TestTable.unpartitioned(catalog, "t");
        BatchSession session = convertedBehind(table);

        session.run(insert("INSERT OVERWRITE t", ", 'p0'"));

        TableProof.assertConverted(table, rows(ROWS, 2 * ROWS, "p0", "p0"));
        TableProof.assertUpdatesAreVisible(table);
    }

    @Test
    void sortsWhatIsClusteredAsTheStockSinkDoes() throws Exception {
        TestTable table = TestTable.partitioned(catalog, "t");
        BatchSession session = convertedBehind(table);

        session.run(
                "INSERT INTO t /*+ OPTIONS('clustering.columns'='v',"
                        + " 'clustering.strategy'='order', 'sink.parallelism'='1') */"
                        + " SELECT n, 'n', CAST(-10 * n AS BIGINT), 'p9' FROM more");

        var clustered =
                table.files().stream()
                        .filter(entry -> entry.partition().getString(0).toString().equals("p9"))
                        .toList();
        assertEquals(1, clustered.size());
        // In the order of v, which is the reverse of the order in which the rows came.
        assertEquals(2 * ROWS - 1, table.idsIn(clustered.get(0)).get(0));
        assertEquals(ROWS, table.idsIn(clustered.get(0)).get(ROWS - 1));
    }

    @Test
    void copiesTheBlobThatADescriptorNames() throws Exception {
        byte[] picture = new byte[10_000];
        new Random(7).nextBytes(picture);
        Path file = Files.write(warehouse.resolve("picture"), picture);
        byte[] descriptor =
                new BlobDescriptor(file.toUri().toString(), 0, picture.length).serialize();
        TestTable.unpartitioned(catalog, "t");
        BatchSession session = BatchSession.open(warehouse);
        session.run(
                "CREATE TABLE pictures (id INT, picture BYTES) WITH"
                        + " ('row-tracking.enabled'='true', 'data-evolution.enabled'='true',"
                        + " 'blob-field'='picture', 'blob-as-descriptor'='true')");

        session.run(
                "INSERT INTO pictures VALUES (1, X'" + HexFormat.of().formatHex(descriptor) + "')");

        Files.delete(file);
        session.run("ALTER TABLE pictures SET ('blob-as-descriptor'='false')");
        Row row = session.run("SELECT id, picture FROM pictures").get(0);
        assertArrayEquals(picture, (byte[]) row.getField(1));
    }

    @Test
    void keepsProceduresBehindTheFence() throws Exception {
        TestTable table = TestTable.unpartitioned(catalog, "t", "compaction.min.file-num", "2");
        BatchSession session = convertedBehind(table);
        table.append(ROWS, 2 * ROWS);

        Throwable refused =
                assertThrows(
                        Exception.class,
                        () ->
                                session.run(
                                        "CALL sys.compact_database(including_databases => 'db')"));

        String text = ExceptionUtils.stringifyException(refused);
        assertTrue(text.contains("StaleWriterException"), text);
        assertEquals(2 * ROWS, table.rows().size());
        session.run("CALL sys.compact(`table` => 'db.t')");
        assertEquals(2 * ROWS, table.rows().size());
        TableProof.assertUpdatesAreVisible(table);
    }

    @Test
    void namesTheGuardedMetastoreToWhoOpensTheCatalogFromItsOptions() throws Exception {
        TestTable.unpartitioned(catalog, "t");
        BatchSession session = BatchSession.open(warehouse);

        FlinkCatalog guarded = (FlinkCatalog) session.tables().getCatalog("guarded").orElseThrow();

        assertEquals("guarded", guarded.catalog().options().get("metastore"));
        assertEquals("filesystem", guarded.catalog().options().get("guarded.metastore"));
    }
}
