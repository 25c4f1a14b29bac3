package dev.paimoninplace.damage;

import dev.paimoninplace.testing.TextRows;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.sink.BatchTableWrite;
import org.apache.paimon.table.sink.CommitMessage;
import org.apache.paimon.types.DataField;
import org.apache.paimon.types.DataTypeRoot;
import org.apache.paimon.types.RowType;

/**
 * Rows as text by id and column name, as of some schema.
 *
 * @param type the columns
 * @param rows by id; a null is absent
 */
record ModelRows(RowType type, Map<Integer, Map<String, String>> rows) {

    static ModelRows none() {
        return none(RowType.of());
    }

    static ModelRows none(RowType type) {
        return new ModelRows(type, Map.of());
    }

    static ModelRows copyOf(RowType type, Map<Integer, Map<String, String>> rows) {
        Map<Integer, Map<String, String>> copy = new TreeMap<>();
        rows.forEach((id, row) -> copy.put(id, new TreeMap<>(row)));
        return new ModelRows(type, copy);
    }

    /**
     * @param partition partition of all of them; empty for any
     */
    static ModelRows random(RowType type, Random random, int from, int count, String partition) {
        Map<Integer, Map<String, String>> rows = new TreeMap<>();
        for (int id = from; id < from + count; id++) {
            Map<String, String> row = new TreeMap<>();
            for (DataField field : type.getFields()) {
                if (random.nextInt(6) > 0) {
                    boolean text = field.type().getTypeRoot() == DataTypeRoot.VARCHAR;
                    row.put(field.name(), (text ? "s" : "") + random.nextInt(100_000));
                }
            }
            row.put("id", String.valueOf(id));
            row.put("pt", partition.isEmpty() ? "p" + random.nextInt(4) : partition);
            rows.put(id, row);
        }
        return new ModelRows(type, rows);
    }

    List<Map<String, String>> list() {
        return List.copyOf(rows.values());
    }

    /** The same rows as a table has them whose columns came from these: by the ids of columns. */
    Map<Integer, Map<String, String>> in(RowType now) {
        Map<String, String> names = new HashMap<>();
        for (DataField field : now.getFields()) {
            if (type.containsField(field.id())) {
                names.put(type.getField(field.id()).name(), field.name());
            }
        }
        Map<Integer, Map<String, String>> translated = new TreeMap<>();
        rows.forEach(
                (id, row) -> {
                    Map<String, String> other = new TreeMap<>();
                    row.forEach(
                            (column, value) -> {
                                String name = names.get(column);
                                if (name != null) {
                                    other.put(name, value);
                                }
                            });
                    translated.put(id, other);
                });
        return translated;
    }

    /** Writes them without a commit. */
    List<CommitMessage> prepare(FileStoreTable table) {
        try (BatchTableWrite write = table.newBatchWriteBuilder().newWrite()) {
            for (Map<String, String> row : rows.values()) {
                write.write(TextRows.toRow(table.rowType(), row));
            }
            return new ArrayList<>(write.prepareCommit());
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
