package dev.paimoninplace.shapes;

import dev.paimoninplace.testing.DataFiles;
import dev.paimoninplace.testing.RowGroups;
import dev.paimoninplace.testing.TestTable;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.paimon.Snapshot;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.fs.FileIO;
import org.apache.paimon.io.CompactIncrement;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.io.DataIncrement;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.sink.CommitMessage;
import org.apache.paimon.table.sink.CommitMessageImpl;

/** Tables in a state that no conversion can mend, named by the check that must find it. */
enum BrokenTable {
    OLD_WRITER(
            catalog -> {
                TestTable table = TestTable.unpartitioned(catalog, "t");
                table.append(0, 100);
                forgetNextRowId(table.load());
                return table;
            }),

    IDS_INSIDE_FILES(
            catalog -> {
                TestTable table =
                        TestTable.unpartitioned(catalog, "t", "row-tracking.enabled", "true");
                table.append(0, 100);
                table.append(100, 200);
                table.compact();
                return table;
            }),

    ROW_ID_MISSING(
            catalog -> {
                TestTable table =
                        TestTable.unpartitioned(catalog, "t", "row-tracking.enabled", "true");
                table.append(0, 100);
                TestTable.append(withoutRowTracking(table.load()), 100, 200, i -> "p0");
                return table;
            }),

    PARTIAL_WITHOUT_ROW_ID(
            catalog -> {
                TestTable table = dataEvolution(catalog);
                table.append(0, 100);
                DataFileMeta partial =
                        DataFiles.with(
                                DataFiles.plain("data-partial.parquet", 100),
                                DataFileMeta.WRITE_COLS,
                                DataFiles.names("v"));
                DataFiles.commit(
                        withoutRowTracking(table.load()),
                        List.of(DataFiles.added(BinaryRow.EMPTY_ROW, partial)));
                return table;
            }),

    BLOB_WITHOUT_ROW_ID(
            catalog -> {
                TestTable table = TestTable.unpartitioned(catalog, "t");
                table.append(0, 100);
                DataFiles.commit(
                        table.load(),
                        List.of(
                                DataFiles.added(
                                        BinaryRow.EMPTY_ROW, DataFiles.plain("data.blob", 100))));
                return table;
            }),

    NO_FULL_ROW_FILE(
            catalog -> {
                TestTable table = dataEvolution(catalog);
                table.append(0, 100);
                DataFileMeta full = table.files().get(0).file();
                RowGroups.of(table).update("v", id -> "1");
                FileStoreTable stale = withoutRowTracking(table.load());
                replace(stale, List.of(full), List.of());
                TestTable.append(stale, 100, 200, i -> "p0");
                return table;
            }),

    ROW_ID_REPEATED(
            catalog -> {
                TestTable table = TestTable.unpartitioned(catalog, "t");
                replace(
                        table.load(),
                        List.of(),
                        List.of(
                                DataFiles.plain("data-1.parquet", 100).assignFirstRowId(0),
                                DataFiles.plain("data-2.parquet", 100).assignFirstRowId(99)));
                return table;
            }),

    FILE_ADDED_TWICE(
            catalog -> {
                TestTable table =
                        TestTable.unpartitioned(catalog, "t", "manifest.merge-min-count", "1000");
                DataFileMeta file = DataFiles.plain("data-1.parquet", 100);
                replace(table.load(), List.of(), List.of(file));
                replace(table.load(), List.of(file), List.of());
                replace(table.load(), List.of(), List.of(file));
                return table;
            }),

    ROW_ID_SPACE(
            catalog -> {
                TestTable table = TestTable.unpartitioned(catalog, "t");
                replace(
                        table.load(),
                        List.of(),
                        List.of(
                                DataFiles.plain("data-1.parquet", 100)
                                        .assignFirstRowId(Long.MAX_VALUE - 200),
                                DataFiles.plain("data-2.parquet", 100)));
                return table;
            });

    private final Function<Catalog, TestTable> history;

    BrokenTable(Function<Catalog, TestTable> history) {
        this.history = history;
    }

    TestTable create(Catalog catalog) {
        return history.apply(catalog);
    }

    private static TestTable dataEvolution(Catalog catalog) {
        return TestTable.unpartitioned(
                catalog, "t", "row-tracking.enabled", "true", "data-evolution.enabled", "true");
    }

    /** The table as a job has it that opened it before it tracked rows. */
    private static FileStoreTable withoutRowTracking(FileStoreTable table) {
        Map<String, String> options = new HashMap<>(table.schema().options());
        options.remove("row-tracking.enabled");
        options.remove("data-evolution.enabled");
        return table.copy(table.schema().copy(options));
    }

    private static void replace(
            FileStoreTable table, List<DataFileMeta> deleted, List<DataFileMeta> added) {
        CommitMessage message =
                new CommitMessageImpl(
                        BinaryRow.EMPTY_ROW,
                        0,
                        -1,
                        new DataIncrement(added, deleted, List.of()),
                        CompactIncrement.emptyIncrement());
        TestTable.commit(table, List.of(message));
    }

    /** Leaves the newest snapshot as writers do that know no row ids. */
    private static void forgetNextRowId(FileStoreTable table) {
        FileIO fileIO = table.fileIO();
        Snapshot latest = table.latestSnapshot().orElseThrow();
        var path = table.snapshotManager().snapshotPath(latest.id());
        String json = latest.toJson().replaceAll("\"nextRowId\" : \\d+", "\"nextRowId\" : null");
        try (var stream = fileIO.newOutputStream(path, true)) {
            stream.write(json.getBytes(StandardCharsets.UTF_8));
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
