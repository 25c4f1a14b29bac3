package dev.paimoninplace.shapes;

import dev.paimoninplace.testing.TestTable;
import dev.paimoninplace.testing.TextRows;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.schema.SchemaChange;
import org.apache.paimon.types.DataTypes;

/** Pasts that several shapes share. */
final class Histories {

    private Histories() {}

    static void appendOften(TestTable table) {
        for (int from = 0; from < 1000; from += 50) {
            table.append(from, from + 50, i -> "p" + i % 4);
        }
    }

    static TestTable withManifests(Catalog catalog, String format) {
        TestTable table =
                TestTable.partitioned(
                        catalog,
                        "t",
                        "manifest.format",
                        format,
                        "manifest.merge-min-count",
                        "1000");
        table.append(0, 300, i -> "p" + i % 3);
        table.append(300, 600, i -> "p" + i % 3);
        table.overwrite("p1", 1000, 1100);
        return table;
    }

    static TestTable withBloomFilter(Catalog catalog, String threshold) {
        TestTable table =
                TestTable.partitioned(
                        catalog,
                        "t",
                        "file-index.bloom-filter.columns",
                        "id,name",
                        "file-index.in-manifest-threshold",
                        threshold);
        table.append(0, 300, i -> "p" + i % 3);
        table.append(300, 600, i -> "p" + i % 3);
        return table;
    }

    /** Adds, renames, widens and drops columns, with rows of every schema. */
    static void evolve(TestTable table) {
        table.alter(SchemaChange.addColumn("a", DataTypes.INT()));
        table.alter(SchemaChange.addColumn("b", DataTypes.STRING()));
        appendWith(table, 200, "a", "b");
        table.alter(SchemaChange.renameColumn("a", "c"));
        appendWith(table, 400, "c", "b");
        table.alter(SchemaChange.updateColumnType("c", DataTypes.BIGINT()));
        appendWith(table, 600, "c", "b");
        table.alter(SchemaChange.dropColumn("b"));
        table.alter(SchemaChange.addColumn("b", DataTypes.INT()));
        appendWith(table, 800, "c", "b");
    }

    private static void appendWith(TestTable table, int from, String... columns) {
        List<Map<String, String>> rows = new ArrayList<>();
        IntStream.range(from, from + 200)
                .forEach(
                        id -> {
                            Map<String, String> row = new TreeMap<>();
                            row.put("id", "" + id);
                            row.put("v", "" + 10 * id);
                            row.put("pt", "p" + id % 3);
                            for (String column : columns) {
                                row.put(column, "" + (id + column.charAt(0)));
                            }
                            rows.add(row);
                        });
        TextRows.append(table.load(), rows);
    }
}
