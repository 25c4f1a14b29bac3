package dev.paimoninplace.surfaces;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.ResultKind;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.table.api.TableResult;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.flink.types.Row;
import org.apache.flink.util.CloseableIterator;

/** A batch session with the stock Paimon catalog on a warehouse of its own. */
final class SqlSession {

    private static final Pattern SET = Pattern.compile("SET '([^']+)' = '([^']*)'");

    private final TableEnvironment environment;
    private final Path warehouse;

    private SqlSession(TableEnvironment environment, Path warehouse) {
        this.environment = environment;
        this.warehouse = warehouse;
    }

    /** A cluster for the jobs of all sessions of a test class. */
    static MiniClusterExtension cluster() {
        return new MiniClusterExtension(
                new MiniClusterResourceConfiguration.Builder()
                        .setNumberTaskManagers(1)
                        .setNumberSlotsPerTaskManager(2)
                        .build());
    }

    /** A session that uses database {@code db} of a new catalog. */
    static SqlSession open(Path warehouse) throws Exception {
        SqlSession session = bare(warehouse);
        session.run(
                "CREATE CATALOG paimon WITH ('type'='paimon', 'warehouse'='"
                        + warehouse.toUri()
                        + "')");
        session.run("USE CATALOG paimon");
        session.run("CREATE DATABASE db");
        session.run("USE db");
        return session;
    }

    /** A session without a catalog. */
    static SqlSession bare(Path warehouse) {
        TableEnvironment environment =
                TableEnvironment.create(EnvironmentSettings.newInstance().inBatchMode().build());
        environment.getConfig().set("parallelism.default", "1");
        environment.getConfig().set("table.dml-sync", "true");
        return new SqlSession(environment, warehouse);
    }

    /** An append table of database {@code db} with the rows 1 to {@code rowCount} in two files. */
    void createTable(String name, int rowCount, String options) throws Exception {
        run("CREATE TABLE `" + name + "` (id INT, v STRING)" + options);
        insert(name, 1, rowCount / 2);
        insert(name, rowCount / 2 + 1, rowCount);
    }

    private void insert(String name, int from, int to) throws Exception {
        StringBuilder values = new StringBuilder();
        for (int id = from; id <= to; id++) {
            values.append(values.length() == 0 ? "" : ", ");
            values.append("(").append(id).append(", 'v").append(id).append("')");
        }
        run("INSERT INTO `" + name + "` VALUES " + values);
    }

    /** Runs one statement to its end, {@code SET} included, and returns its rows. */
    List<Row> run(String statement) throws Exception {
        Matcher set = SET.matcher(statement);
        if (set.matches()) {
            // Known to Flink's SQL client and gateway only.
            environment.getConfig().set(set.group(1), set.group(2));
            return List.of();
        }
        TableResult result = environment.executeSql(statement);
        if (result.getResultKind() == ResultKind.SUCCESS) {
            return List.of();
        }
        if (result.getJobClient().isPresent() && !statement.stripLeading().startsWith("SELECT")) {
            result.await();
            return List.of();
        }
        List<Row> rows = new ArrayList<>();
        try (CloseableIterator<Row> iterator = result.collect()) {
            iterator.forEachRemaining(rows::add);
        }
        return rows;
    }

    /** Rows of a statement that starts no job, by the names of their columns. */
    List<Map<String, Object>> named(String statement) throws Exception {
        TableResult result = environment.executeSql(statement);
        List<String> columns = result.getResolvedSchema().getColumnNames();
        List<Map<String, Object>> rows = new ArrayList<>();
        try (CloseableIterator<Row> iterator = result.collect()) {
            iterator.forEachRemaining(
                    row -> {
                        Map<String, Object> byName = new LinkedHashMap<>();
                        for (int i = 0; i < columns.size(); i++) {
                            byName.put(columns.get(i), row.getField(i));
                        }
                        rows.add(byName);
                    });
        }
        return rows;
    }

    /** The first column of the rows of a statement. */
    List<String> strings(String statement) throws Exception {
        return run(statement).stream().map(row -> String.valueOf(row.getField(0))).toList();
    }

    /** Every file below the warehouse with its modification time, to see that nothing changed. */
    Map<String, Long> files() throws Exception {
        Map<String, Long> files = new TreeMap<>();
        try (Stream<Path> paths = Files.walk(warehouse)) {
            for (Path path : paths.toList()) {
                files.put(path.toString(), Files.getLastModifiedTime(path).toMillis());
            }
        }
        return files;
    }

    /** The innermost message, which is the one that Flink's SQL client shows. */
    static String shownMessage(Throwable failure) {
        Throwable shown = failure;
        while (shown.getCause() != null) {
            shown = shown.getCause();
        }
        return String.valueOf(shown.getMessage());
    }
}
