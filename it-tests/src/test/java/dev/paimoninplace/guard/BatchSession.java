package dev.paimoninplace.guard;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.table.api.TableResult;
import org.apache.flink.types.Row;
import org.apache.flink.util.CloseableIterator;

/** A batch session on the guarded catalog. */
final class BatchSession {

    private final TableEnvironment tables;

    private BatchSession(TableEnvironment tables) {
        this.tables = tables;
    }

    /** A session in database {@code db} of a warehouse. */
    static BatchSession open(Path warehouse) throws Exception {
        TableEnvironment tables =
                TableEnvironment.create(EnvironmentSettings.newInstance().inBatchMode().build());
        tables.getConfig().set("parallelism.default", "2");
        tables.getConfig().set("table.dml-sync", "true");
        BatchSession session = new BatchSession(tables);
        session.run(
                "CREATE CATALOG guarded WITH ('type'='paimon-guarded', 'warehouse'='"
                        + warehouse.toUri()
                        + "')");
        session.run("USE CATALOG guarded");
        session.run("USE db");
        return session;
    }

    TableEnvironment tables() {
        return tables;
    }

    /** A bounded source of the numbers {@code [from, to)} with column {@code n}. */
    void numbers(String name, int from, int to) throws Exception {
        run(
                String.format(
                        "CREATE TEMPORARY TABLE %s (n INT) WITH ('connector'='datagen',"
                                + " 'number-of-rows'='%d', 'fields.n.kind'='sequence',"
                                + " 'fields.n.start'='%d', 'fields.n.end'='%d')",
                        name, to - from, from, to - 1));
    }

    /** Runs a statement to its end, and returns its rows. */
    List<Row> run(String statement) throws Exception {
        TableResult result = tables.executeSql(statement);
        if (statement.startsWith("INSERT")) {
            result.await();
            return List.of();
        }
        List<Row> rows = new ArrayList<>();
        try (CloseableIterator<Row> iterator = result.collect()) {
            iterator.forEachRemaining(rows::add);
        }
        return rows;
    }
}
