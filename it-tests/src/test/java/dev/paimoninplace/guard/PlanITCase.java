package dev.paimoninplace.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.paimoninplace.conversion.DataEvolutionConversion;
import dev.paimoninplace.testing.TestTable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.ExplainDetail;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.schema.Schema;
import org.apache.paimon.types.DataTypes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The guarded sink has the operators of the stock sink, with the same parallelism and shuffles. */
final class PlanITCase {

    private static final Pattern NODE =
            Pattern.compile(
                    "\"type\" : \"([^\"]*)\"|\"parallelism\" : (\\d+)|\"ship_strategy\" :"
                            + " \"([^\"]*)\"");

    @TempDir Path warehouse;

    @ParameterizedTest(name = "streaming: {0}, {1}")
    @MethodSource("hints")
    void plansTheOperatorsOfTheStockSink(boolean streaming, String hint) throws Exception {
        try (Catalog catalog = TestTable.catalog(warehouse)) {
            TestTable.partitioned(catalog, "t");
        }
        TableEnvironment tables = session(streaming);

        assertEquals(nodes(tables, "stock.db.t", hint), nodes(tables, "guarded.db.t", hint));
    }

    static Stream<Arguments> hints() {
        List<String> hints =
                List.of(
                        "'k'='v'",
                        "'write-only'='true'",
                        "'partition.sink-strategy'='hash'",
                        "'partition.sink-strategy'='partition_dynamic'",
                        "'partition.sink-strategy'='hash', 'sink.parallelism'='3'",
                        "'sink.parallelism'='3'",
                        "'precommit-compact'='true'",
                        "'sink.use-managed-memory-allocator'='true'",
                        "'sink.committer-operator-chaining'='false'",
                        "'clustering.columns'='v', 'clustering.strategy'='order'",
                        "'sink.operator-uid.suffix'='s'");
        return Stream.concat(
                hints.stream().map(hint -> Arguments.of(true, hint)),
                hints.stream().map(hint -> Arguments.of(false, hint)));
    }

    @Test
    void leavesTheSinkOfOtherTablesAsItIs() throws Exception {
        try (Catalog catalog = TestTable.catalog(warehouse)) {
            catalog.createDatabase("db", true);
            catalog.createTable(
                    Identifier.create("db", "t"),
                    Schema.newBuilder()
                            .column("id", DataTypes.INT().notNull())
                            .column("name", DataTypes.STRING())
                            .column("v", DataTypes.BIGINT())
                            .column("pt", DataTypes.STRING())
                            .primaryKey("id")
                            .option("bucket", "2")
                            .build(),
                    false);
        }
        TableEnvironment tables = session(true);

        List<String> stock = nodes(tables, "stock.db.t", "'k'='v'");

        assertEquals(stock, nodes(tables, "guarded.db.t", "'k'='v'"));
        assertTrue(stock.stream().anyMatch(node -> node.startsWith("Writer")), stock.toString());
    }

    @Test
    void plansTheSameOperatorsForAConvertedTable() throws Exception {
        List<String> before;
        try (Catalog catalog = TestTable.catalog(warehouse)) {
            TestTable table = TestTable.partitioned(catalog, "t");
            before = nodes(session(true), "guarded.db.t", "'k'='v'");
            DataEvolutionConversion.of(catalog, table.identifier()).run();
        }

        List<String> after = nodes(session(true), "guarded.db.t", "'k'='v'");

        assertEquals(before, after);
        assertFalse(before.isEmpty());
    }

    private TableEnvironment session(boolean streaming) {
        EnvironmentSettings.Builder mode = EnvironmentSettings.newInstance();
        TableEnvironment tables =
                TableEnvironment.create(
                        (streaming ? mode.inStreamingMode() : mode.inBatchMode()).build());
        tables.getConfig().set("parallelism.default", "2");
        tables.getConfig().set("execution.checkpointing.interval", "1 h");
        for (String[] catalog :
                List.of(
                        new String[] {"guarded", "paimon-guarded"},
                        new String[] {"stock", "paimon"})) {
            tables.executeSql(
                    String.format(
                            "CREATE CATALOG %s WITH ('type'='%s', 'warehouse'='%s')",
                            catalog[0], catalog[1], warehouse.toUri()));
        }
        tables.executeSql(
                "CREATE TEMPORARY TABLE numbers (n INT) WITH ('connector'='datagen',"
                        + " 'number-of-rows'='10')");
        return tables;
    }

    /** Type, parallelism and way of its input for each operator, in the order of the plan. */
    private static List<String> nodes(TableEnvironment tables, String table, String hint) {
        String plan =
                tables.explainSql(
                        GuardedSession.insert(table + " /*+ OPTIONS(" + hint + ") */", "numbers"),
                        ExplainDetail.JSON_EXECUTION_PLAN);
        List<String> nodes = new ArrayList<>();
        Matcher matcher = NODE.matcher(plan);
        while (matcher.find()) {
            int group = matcher.group(1) != null ? 1 : matcher.group(2) != null ? 2 : 3;
            // The planner counts its nodes over all statements of the JVM.
            nodes.add(matcher.group(group).replaceAll("\\[\\d+]", ""));
        }
        assertTrue(nodes.stream().anyMatch(node -> node.startsWith("Writer")), plan);
        return nodes;
    }
}
