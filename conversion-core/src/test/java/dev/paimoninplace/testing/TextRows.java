package dev.paimoninplace.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.ObjLongConsumer;
import org.apache.paimon.data.BinaryString;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.reader.RecordReader;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.SpecialFields;
import org.apache.paimon.table.sink.BatchTableCommit;
import org.apache.paimon.table.sink.BatchTableWrite;
import org.apache.paimon.table.sink.BatchWriteBuilder;
import org.apache.paimon.table.sink.CommitMessage;
import org.apache.paimon.table.source.ReadBuilder;
import org.apache.paimon.types.DataField;
import org.apache.paimon.types.RowType;
import org.jspecify.annotations.Nullable;

/**
 * Rows of tables with any columns, as text by column name; a null is absent. Columns are INT,
 * BIGINT or STRING, and {@code id} is one of them.
 */
public final class TextRows {

    private TextRows() {}

    /** All rows by id, as the stock reader sees them; fails when an id is there twice. */
    public static Map<Integer, Map<String, String>> read(FileStoreTable table) {
        Map<Integer, Map<String, String>> rows = new TreeMap<>();
        List<DataField> fields = table.rowType().getFields();
        read(
                table,
                table.rowType(),
                read -> {
                    Map<String, String> row = new TreeMap<>();
                    for (int i = 0; i < fields.size(); i++) {
                        Object value =
                                InternalRow.createFieldGetter(fields.get(i).type(), i)
                                        .getFieldOrNull(read);
                        if (value != null) {
                            row.put(fields.get(i).name(), value.toString());
                        }
                    }
                    int id = Integer.parseInt(row.getOrDefault("id", "no id"));
                    if (rows.put(id, row) != null) {
                        throw new AssertionError("Row " + id + " is there twice.");
                    }
                });
        return rows;
    }

    /** Row id to id of every row, as the stock reader sees them. */
    public static Map<Long, Integer> idsByRowId(FileStoreTable table) {
        Map<Long, Integer> ids = new TreeMap<>();
        forEachId(
                table,
                (id, rowId) -> {
                    if (ids.put(rowId, id) != null) {
                        throw new AssertionError("Row id " + rowId + " is there twice.");
                    }
                });
        return ids;
    }

    private static void forEachId(FileStoreTable table, ObjLongConsumer<Integer> consumer) {
        RowType type =
                SpecialFields.rowTypeWithRowTracking(table.rowType())
                        .project(List.of("id", SpecialFields.ROW_ID.name()));
        read(table, type, row -> consumer.accept(row.getInt(0), row.getLong(1)));
    }

    private static void read(FileStoreTable table, RowType type, Consumer<InternalRow> consumer) {
        ReadBuilder builder = table.newReadBuilder().withReadType(type);
        try (RecordReader<InternalRow> reader =
                builder.newRead().createReader(builder.newScan().plan())) {
            reader.forEachRemaining(consumer);
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** One commit of rows. */
    public static void append(FileStoreTable table, Iterable<Map<String, String>> rows) {
        write(table, table.newBatchWriteBuilder(), rows);
    }

    /** One commit that replaces a partition. */
    public static void overwrite(
            FileStoreTable table,
            Map<String, String> partition,
            Iterable<Map<String, String>> rows) {
        write(table, table.newBatchWriteBuilder().withOverwrite(partition), rows);
    }

    private static void write(
            FileStoreTable table, BatchWriteBuilder builder, Iterable<Map<String, String>> rows) {
        try (BatchTableWrite write = builder.newWrite();
                BatchTableCommit commit = builder.newCommit()) {
            for (Map<String, String> row : rows) {
                write.write(toRow(table.rowType(), row));
            }
            List<CommitMessage> messages = new ArrayList<>(write.prepareCommit());
            commit.commit(messages);
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** A row of some columns. */
    public static GenericRow toRow(RowType type, Map<String, String> row) {
        GenericRow result = new GenericRow(type.getFieldCount());
        for (int i = 0; i < type.getFieldCount(); i++) {
            DataField field = type.getFields().get(i);
            result.setField(i, value(field, row.get(field.name())));
        }
        return result;
    }

    private static @Nullable Object value(DataField field, @Nullable String text) {
        if (text == null) {
            return null;
        }
        return switch (field.type().getTypeRoot()) {
            case INTEGER -> Integer.parseInt(text);
            case BIGINT -> Long.parseLong(text);
            case VARCHAR -> BinaryString.fromString(text);
            default -> throw new IllegalArgumentException("Not supported: " + field);
        };
    }
}
