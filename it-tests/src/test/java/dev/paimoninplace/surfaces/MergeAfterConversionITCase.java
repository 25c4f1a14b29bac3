package dev.paimoninplace.surfaces;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.paimoninplace.testing.TestTable;
import java.nio.file.Path;
import java.util.List;
import org.apache.flink.types.Row;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.Identifier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Updates of one column with Paimon's own merge after a conversion: a file of 5,000 rows on a table
 * with three snapshots, where sequence numbers that were left as they are would hide the update.
 */
final class MergeAfterConversionITCase {

    private static final int ROWS = 5_000;

    @TempDir Path warehouse;
    private SqlSession session;

    @BeforeEach
    void open() throws Exception {
        session = SqlSession.open(warehouse);
        session.run(
                "CREATE TEMPORARY TABLE numbers (id INT) WITH ('connector'='datagen',"
                        + " 'number-of-rows'='5000', 'fields.id.kind'='sequence',"
                        + " 'fields.id.start'='1', 'fields.id.end'='5000')");
    }

    private void createTable(String options) throws Exception {
        session.run("CREATE TABLE t (id INT, v STRING, w BIGINT)" + options);
        session.run("INSERT INTO t SELECT id, 'old', CAST(id AS BIGINT) FROM numbers");
        session.run("INSERT INTO t VALUES (5001, 'old', 5001)");
        session.run("INSERT INTO t VALUES (5002, 'old', 5002)");
    }

    private void convertAndMerge() throws Exception {
        session.run("CALL sys.enable_data_evolution('db.t')");
        session.run("CREATE TABLE s AS SELECT id, 'new' || CAST(id AS STRING) AS v FROM t");
        session.run(
                "CALL sys.data_evolution_merge_into('db.t', 'T', '', 'db.s', 'T.id = s.id',"
                        + " 'v = s.v', 1)");
    }

    private void assertEveryRowIsNew(long expected) throws Exception {
        List<Row> counts =
                session.run(
                        "SELECT COUNT(*), COUNT(DISTINCT id),"
                                + " SUM(CASE WHEN v = 'new' || CAST(id AS STRING) THEN 1 ELSE 0 END),"
                                + " SUM(CASE WHEN w = id THEN 1 ELSE 0 END) FROM t");
        assertEquals(List.of(Row.of(expected, expected, (int) expected, (int) expected)), counts);
        assertEquals(
                List.of(Row.of(expected)),
                session.run("SELECT COUNT(DISTINCT _ROW_ID) FROM `t$row_tracking`"));
    }

    @Test
    void allRowsOfALargeFileHaveTheMergedValue() throws Exception {
        createTable("");

        convertAndMerge();

        assertEveryRowIsNew(ROWS + 2);
    }

    @Test
    void rowsDeletedBeforeStayDeletedAfterTheMergeAndACompaction() throws Exception {
        createTable(" WITH ('deletion-vectors.enabled'='true')");
        try (Catalog catalog = TestTable.catalog(warehouse)) {
            TestTable.existing(catalog, Identifier.create("db", "t"))
                    .delete(id -> id > 400 && id <= 500);
        }

        convertAndMerge();
        assertEveryRowIsNew(ROWS + 2 - 100);

        session.run("CALL sys.compact(`table` => 'db.t')");
        assertEveryRowIsNew(ROWS + 2 - 100);
    }
}
