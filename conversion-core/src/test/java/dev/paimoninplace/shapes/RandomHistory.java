package dev.paimoninplace.shapes;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.paimoninplace.testing.RowGroups;
import dev.paimoninplace.testing.TestTable;
import dev.paimoninplace.testing.TextRows;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.schema.SchemaChange;
import org.apache.paimon.types.DataType;
import org.apache.paimon.types.DataTypes;
import org.jspecify.annotations.Nullable;

/** A table that random operations are done to, with a model of its rows in plain Java. */
public final class RandomHistory {

    private static final String INT = "INT";
    private static final String BIGINT = "BIGINT";
    private static final String STRING = "STRING";

    private final Random random;
    private final TestTable table;
    private final boolean partitioned;
    private final boolean deletionVectors;
    private final List<String> done = new ArrayList<>();
    private final Map<Integer, Map<String, String>> rows = new TreeMap<>();
    private final Map<String, String> columns = new TreeMap<>(Map.of("v", BIGINT));
    private int nextId;
    private int nextColumn;
    private int nextTag;

    private RandomHistory(
            Random random, TestTable table, boolean partitioned, boolean deletionVectors) {
        this.random = random;
        this.table = table;
        this.partitioned = partitioned;
        this.deletionVectors = deletionVectors;
    }

    /** An empty table with random options. */
    public static RandomHistory begin(Catalog catalog, Random random) {
        boolean partitioned = random.nextInt(4) > 0;
        boolean deletionVectors = random.nextBoolean();
        Map<String, String> options = RandomOptions.of(random, deletionVectors);
        String[] flat =
                options.entrySet().stream()
                        .flatMap(e -> List.of(e.getKey(), e.getValue()).stream())
                        .toArray(String[]::new);
        TestTable table =
                partitioned
                        ? TestTable.partitioned(catalog, "t", flat)
                        : TestTable.unpartitioned(catalog, "t", flat);
        RandomHistory history = new RandomHistory(random, table, partitioned, deletionVectors);
        history.done.add("partitioned " + partitioned + " " + options);
        return history;
    }

    public TestTable table() {
        return table;
    }

    public Map<Integer, Map<String, String>> rows() {
        return rows;
    }

    /** What was done so far, to read when something fails. */
    public List<String> done() {
        return done;
    }

    /** One operation on a plain append table. */
    public void plainStep() {
        switch (random.nextInt(14)) {
            case 0 -> overwrite();
            case 1 -> dropPartition();
            case 2, 3 -> delete(table::delete);
            case 4 -> changeSchema();
            case 5 -> compact();
            case 6 -> compactManifests();
            case 7 -> analyze();
            case 8 -> tag();
            case 9 -> changeFormat();
            default -> append();
        }
        assertRows();
    }

    /** One operation on a Data Evolution table. */
    public void evolvedStep() {
        switch (random.nextInt(12)) {
            case 0 -> overwrite();
            case 1 -> dropPartition();
            case 2, 3 -> delete(ids -> RowGroups.of(table).delete(ids));
            case 4 -> changeSchema();
            case 5, 6 -> compact();
            case 7 -> compactManifests();
            case 8 -> append();
            default -> update();
        }
        assertRows();
    }

    public void assertRows() {
        assertEquals(rows, TextRows.read(table.load()), () -> "after " + done);
    }

    private @Nullable String partition() {
        int p = random.nextInt(5);
        return p == 4 ? null : "p" + p;
    }

    private List<Map<String, String>> newRows(@Nullable String partition) {
        int count = random.nextInt(5) == 0 ? 1 : 60 + random.nextInt(60);
        List<Map<String, String>> added = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Map<String, String> row = new TreeMap<>();
            row.put("id", String.valueOf(nextId++));
            columns.forEach((name, type) -> put(row, name, type));
            put(row, "name", STRING);
            if (partition != null) {
                row.put("pt", partition);
            }
            added.add(row);
        }
        return added;
    }

    private void put(Map<String, String> row, String name, String type) {
        if (random.nextInt(6) > 0) {
            row.put(name, value(type));
        } else {
            row.remove(name);
        }
    }

    private String value(String type) {
        String number = String.valueOf(random.nextInt(100_000));
        return type.equals(STRING) ? "s" + number : number;
    }

    private void remember(List<Map<String, String>> added) {
        added.forEach(row -> rows.put(Integer.parseInt(row.getOrDefault("id", "")), row));
    }

    private void append() {
        List<Map<String, String>> added = new ArrayList<>();
        for (int i = 0; i < 1 + random.nextInt(3); i++) {
            added.addAll(newRows(partition()));
        }
        done.add("append " + added.size());
        TextRows.append(table.load(), added);
        remember(added);
    }

    private void overwrite() {
        if (!partitioned) {
            return;
        }
        String partition = "p" + random.nextInt(4);
        List<Map<String, String>> added = newRows(partition);
        done.add("overwrite " + partition + " with " + added.size());
        TextRows.overwrite(table.load(), Map.of("pt", partition), added);
        rows.values().removeIf(row -> partition.equals(row.get("pt")));
        remember(added);
    }

    private void dropPartition() {
        String partition = "p" + random.nextInt(4);
        if (!partitioned || rows.values().stream().noneMatch(r -> partition.equals(r.get("pt")))) {
            return;
        }
        done.add("drop " + partition);
        table.dropPartition(partition);
        rows.values().removeIf(row -> partition.equals(row.get("pt")));
    }

    private void delete(Consumer<IntPredicate> deletion) {
        if (!deletionVectors || rows.isEmpty()) {
            return;
        }
        int divisor = 2 + random.nextInt(20);
        done.add("delete % " + divisor);
        deletion.accept(id -> id % divisor == 1);
        rows.keySet().removeIf(id -> id % divisor == 1);
    }

    private void update() {
        List<String> names = new ArrayList<>(columns.keySet());
        String column = names.get(random.nextInt(names.size()));
        String type = columns.getOrDefault(column, INT);
        Map<Integer, String> written = new HashMap<>();
        int share = 1 + random.nextInt(3);
        done.add("update " + column + " of one group in " + share);
        RowGroups.of(table)
                .where(ids -> random.nextInt(share) == 0)
                .update(
                        column,
                        id -> {
                            String value = random.nextInt(6) > 0 ? value(type) : null;
                            written.put(id, value == null ? "" : value);
                            return value;
                        });
        written.forEach(
                (id, value) -> {
                    Map<String, String> row = rows.getOrDefault(id, Map.of());
                    if (value.isEmpty()) {
                        row.remove(column);
                    } else {
                        row.put(column, value);
                    }
                });
    }

    private void changeSchema() {
        List<String> extra = columns.keySet().stream().filter(c -> !c.equals("v")).toList();
        int choice = extra.isEmpty() ? 0 : random.nextInt(4);
        String column = extra.isEmpty() ? "" : extra.get(random.nextInt(extra.size()));
        String type = columns.getOrDefault(column, "");
        String fresh = "c" + nextColumn++;
        if (choice == 1) {
            done.add("drop column " + column);
            table.alter(SchemaChange.dropColumn(column));
            columns.remove(column);
            rows.values().forEach(row -> row.remove(column));
        } else if (choice == 2) {
            done.add("rename column " + column + " to " + fresh);
            table.alter(SchemaChange.renameColumn(column, fresh));
            columns.remove(column);
            columns.put(fresh, type);
            rows.values().forEach(row -> rename(row, column, fresh));
        } else if (choice == 3 && type.equals(INT)) {
            done.add("widen column " + column);
            table.alter(SchemaChange.updateColumnType(column, DataTypes.BIGINT()));
            columns.put(column, BIGINT);
        } else {
            String newType = RandomOptions.oneOf(random, INT, BIGINT, STRING);
            done.add("add column " + fresh + " " + newType);
            table.alter(SchemaChange.addColumn(fresh, dataType(newType)));
            columns.put(fresh, newType);
        }
    }

    private static void rename(Map<String, String> row, String from, String to) {
        String value = row.remove(from);
        if (value != null) {
            row.put(to, value);
        }
    }

    private static DataType dataType(String type) {
        return switch (type) {
            case INT -> DataTypes.INT();
            case BIGINT -> DataTypes.BIGINT();
            default -> DataTypes.STRING();
        };
    }

    private void compact() {
        if (table.files().isEmpty()) {
            return;
        }
        done.add("compact");
        table.compact();
    }

    private void compactManifests() {
        onceWritten("compact manifests", table::compactManifests);
    }

    private void analyze() {
        onceWritten("analyze", table::analyze);
    }

    private void tag() {
        onceWritten("tag", () -> table.load().createTag("t" + nextTag++));
    }

    private void onceWritten(String what, Runnable operation) {
        if (table.latest() != null) {
            done.add(what);
            operation.run();
        }
    }

    private void changeFormat() {
        String format = RandomOptions.oneOf(random, "parquet", "orc", "avro");
        done.add("format " + format);
        table.setOption("file.format", format);
    }
}
