package dev.paimoninplace.testing;

import dev.paimoninplace.fence.GuardedCatalog;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.function.IntToLongFunction;
import org.apache.paimon.Snapshot;
import org.apache.paimon.append.AppendCompactCoordinator;
import org.apache.paimon.append.AppendCompactTask;
import org.apache.paimon.append.dataevolution.DataEvolutionCompactCoordinator;
import org.apache.paimon.append.dataevolution.DataEvolutionCompactTask;
import org.apache.paimon.append.dataevolution.DataEvolutionCompactionCommitPreparation;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.CatalogContext;
import org.apache.paimon.catalog.CatalogFactory;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.data.BinaryString;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.deletionvectors.BitmapDeletionVector;
import org.apache.paimon.deletionvectors.DeletionVector;
import org.apache.paimon.deletionvectors.append.AppendDeleteFileMaintainer;
import org.apache.paimon.deletionvectors.append.BaseAppendDeleteFileMaintainer;
import org.apache.paimon.index.IndexFileMeta;
import org.apache.paimon.io.CompactIncrement;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.io.DataIncrement;
import org.apache.paimon.manifest.FileEntry;
import org.apache.paimon.manifest.FileKind;
import org.apache.paimon.manifest.IndexManifestEntry;
import org.apache.paimon.manifest.ManifestEntry;
import org.apache.paimon.operation.BaseAppendFileStoreWrite;
import org.apache.paimon.options.Options;
import org.apache.paimon.reader.RecordReader;
import org.apache.paimon.schema.Schema;
import org.apache.paimon.schema.SchemaChange;
import org.apache.paimon.stats.Statistics;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.SpecialFields;
import org.apache.paimon.table.sink.BatchTableCommit;
import org.apache.paimon.table.sink.BatchTableWrite;
import org.apache.paimon.table.sink.BatchWriteBuilder;
import org.apache.paimon.table.sink.CommitMessage;
import org.apache.paimon.table.sink.CommitMessageImpl;
import org.apache.paimon.table.source.DataSplit;
import org.apache.paimon.table.source.EndOfScanException;
import org.apache.paimon.table.source.ReadBuilder;
import org.apache.paimon.types.DataTypes;
import org.apache.paimon.types.RowType;
import org.jspecify.annotations.Nullable;

/**
 * A real table with the columns {@code id INT, name STRING, v BIGINT, pt STRING}, and everything
 * that stock Paimon can do to it. Row {@code i} is written as {@code (i, "n" + i, 10 * i, pt(i))}.
 */
public final class TestTable {

    private final Catalog catalog;
    private final Identifier identifier;

    private TestTable(Catalog catalog, Identifier identifier) {
        this.catalog = catalog;
        this.identifier = identifier;
    }

    /** One row as read back, without its row id. */
    public record Row(int id, @Nullable String name, @Nullable Long v, @Nullable String pt) {}

    /** A filesystem catalog over a folder. */
    public static Catalog catalog(Path warehouse) {
        Options options = new Options();
        options.set("warehouse", warehouse.toUri().toString());
        return CatalogFactory.createCatalog(CatalogContext.create(options));
    }

    /** The same, opened as one of Paimon's own is by {@code metastore=guarded}. */
    public static Catalog guardedCatalog(Path warehouse) {
        Options options = new Options();
        options.set("warehouse", warehouse.toUri().toString());
        options.set("metastore", GuardedCatalog.METASTORE);
        return GuardedCatalog.open(CatalogContext.create(options));
    }

    public static TestTable unpartitioned(Catalog catalog, String name, String... options) {
        return create(catalog, name, List.of(), options);
    }

    public static TestTable partitioned(Catalog catalog, String name, String... options) {
        return create(catalog, name, List.of("pt"), options);
    }

    /** The same table through another catalog, or a table that exists. */
    public static TestTable existing(Catalog catalog, Identifier identifier) {
        return new TestTable(catalog, identifier);
    }

    private static TestTable create(
            Catalog catalog, String name, List<String> partitionKeys, String... options) {
        Schema.Builder schema =
                Schema.newBuilder()
                        .column("id", DataTypes.INT())
                        .column("name", DataTypes.STRING())
                        .column("v", DataTypes.BIGINT())
                        .column("pt", DataTypes.STRING())
                        .partitionKeys(partitionKeys)
                        .option("bucket", "-1");
        for (int i = 0; i < options.length; i += 2) {
            schema.option(options[i], options[i + 1]);
        }
        Identifier identifier = Identifier.create("db", name);
        try {
            catalog.createDatabase("db", true);
            catalog.createTable(identifier, schema.build(), false);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
        return new TestTable(catalog, identifier);
    }

    public Catalog catalog() {
        return catalog;
    }

    public Identifier identifier() {
        return identifier;
    }

    /** A branch of this table. */
    public TestTable branch(String branch) {
        return new TestTable(
                catalog,
                new Identifier(identifier.getDatabaseName(), identifier.getTableName(), branch));
    }

    /** A fresh load. */
    public FileStoreTable load() {
        try {
            catalog.invalidateTable(identifier);
            return (FileStoreTable) catalog.getTable(identifier);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    public @Nullable Snapshot latest() {
        return load().snapshotManager().latestSnapshotFromFileSystem();
    }

    // ---- writes ----

    /** One commit of rows {@code [from, to)}, all in partition {@code p0}. */
    public void append(int from, int to) {
        append(load(), from, to, i -> "p0");
    }

    /** One commit of rows {@code [from, to)}. */
    public void append(int from, int to, IntFunction<@Nullable String> partition) {
        append(load(), from, to, partition);
    }

    /** One commit of rows {@code [from, to)} through a given load of the table. */
    public static void append(
            FileStoreTable table, int from, int to, IntFunction<@Nullable String> partition) {
        commit(table, prepareAppend(table, from, to, partition));
    }

    /** Writes rows {@code [from, to)} without committing them. */
    public static List<CommitMessage> prepareAppend(
            FileStoreTable table, int from, int to, IntFunction<@Nullable String> partition) {
        try (BatchTableWrite write = table.newBatchWriteBuilder().newWrite()) {
            for (int i = from; i < to; i++) {
                write.write(row(i, partition.apply(i), table.rowType().getFieldCount()));
            }
            return write.prepareCommit();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    public static void commit(FileStoreTable table, List<CommitMessage> messages) {
        try (BatchTableCommit commit = table.newBatchWriteBuilder().newCommit()) {
            commit.commit(messages);
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static GenericRow row(int i, @Nullable String partition, int fieldCount) {
        GenericRow row = new GenericRow(fieldCount);
        row.setField(0, i);
        row.setField(1, BinaryString.fromString("n" + i));
        row.setField(2, 10L * i);
        row.setField(3, partition == null ? null : BinaryString.fromString(partition));
        return row;
    }

    /** Replaces one partition by rows {@code [from, to)}. */
    public void overwrite(String partition, int from, int to) {
        FileStoreTable table = load();
        BatchWriteBuilder builder =
                table.newBatchWriteBuilder().withOverwrite(Map.of("pt", partition));
        try (BatchTableWrite write = builder.newWrite();
                BatchTableCommit commit = builder.newCommit()) {
            for (int i = from; i < to; i++) {
                write.write(row(i, partition, table.rowType().getFieldCount()));
            }
            commit.commit(write.prepareCommit());
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    public void dropPartition(String partition) {
        try (BatchTableCommit commit = load().newBatchWriteBuilder().newCommit()) {
            commit.truncatePartitions(List.of(Map.of("pt", partition)));
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** Adds a nullable INT column; existing rows read it as null. */
    public void addColumn(String column) {
        alter(SchemaChange.addColumn(column, DataTypes.INT()));
    }

    public void setOption(String key, String value) {
        alter(SchemaChange.setOption(key, value));
    }

    public void resetOption(String key) {
        alter(SchemaChange.removeOption(key));
    }

    public void alter(SchemaChange change) {
        try {
            catalog.alterTable(identifier, change, false);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** Gives the table statistics, as ANALYZE does. */
    public void analyze() {
        FileStoreTable table = load();
        Snapshot latest = table.snapshotManager().latestSnapshot();
        long rows = latest.totalRecordCount();
        Statistics statistics = new Statistics(latest.id(), table.schema().id(), rows, 100L * rows);
        try (BatchTableCommit commit = table.newBatchWriteBuilder().newCommit()) {
            commit.updateStatistics(statistics);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** Merges all manifests into one and drops what cancels out, as sys.compact_manifest does. */
    public void compactManifests() {
        try (BatchTableCommit commit = load().newBatchWriteBuilder().newCommit()) {
            commit.compactManifests();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** Compacts as dedicated compaction does: the data evolution way where the table is so. */
    public void compact() {
        FileStoreTable table = load().copy(Map.of("compaction.min.file-num", "2"));
        if (table.coreOptions().dataEvolutionEnabled()) {
            compactDataEvolution(table);
        } else {
            commit(table, prepareCompact(table));
        }
    }

    /** Compacts as plain append tables are compacted, without committing. */
    public static List<CommitMessage> prepareCompact(FileStoreTable table) {
        List<CommitMessage> messages = new ArrayList<>();
        BaseAppendFileStoreWrite write =
                (BaseAppendFileStoreWrite) table.store().newWrite("test-compact");
        if (table.coreOptions().rowTrackingEnabled()) {
            // The row ids go into the file.
            write.withWriteType(SpecialFields.rowTypeWithRowTracking(table.rowType()));
        }
        try {
            for (AppendCompactTask task : new AppendCompactCoordinator(table, false).run()) {
                messages.add(task.doCompact(table, write));
            }
            write.close();
        } catch (EndOfScanException e) {
            return messages;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
        return messages;
    }

    private static void compactDataEvolution(FileStoreTable table) {
        Snapshot snapshot = table.snapshotManager().latestSnapshot();
        DataEvolutionCompactCoordinator coordinator =
                new DataEvolutionCompactCoordinator(table, false, false, snapshot);
        List<CommitMessage> messages = new ArrayList<>();
        try {
            while (true) {
                for (DataEvolutionCompactTask task : coordinator.plan()) {
                    messages.add(task.doCompact(table, "test-compact"));
                }
            }
        } catch (EndOfScanException e) {
            messages.addAll(
                    new DataEvolutionCompactionCommitPreparation(table, snapshot)
                            .prepare(messages));
            commit(table, messages);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Deletes rows by deletion vectors. Needs {@code deletion-vectors.enabled} and files that hold
     * all columns.
     */
    public void delete(IntPredicate ids) {
        FileStoreTable table = load();
        commit(table, prepareDelete(table, ids));
    }

    /** Writes deletion vectors without committing them. */
    public static List<CommitMessage> prepareDelete(FileStoreTable table, IntPredicate ids) {
        Map<BinaryRow, Map<String, DeletionVector>> vectors = new HashMap<>();
        for (ManifestEntry entry : files(table)) {
            DeletionVector vector = new BitmapDeletionVector();
            List<Integer> inFile = idsOf(table, entry);
            for (int position = 0; position < inFile.size(); position++) {
                if (ids.test(inFile.get(position))) {
                    vector.delete(position);
                }
            }
            if (!vector.isEmpty()) {
                vectors.computeIfAbsent(entry.partition(), p -> new HashMap<>())
                        .put(entry.file().fileName(), vector);
            }
        }
        List<CommitMessage> messages = new ArrayList<>();
        vectors.forEach((partition, byFile) -> messages.add(deletion(table, partition, byFile)));
        return messages;
    }

    private static CommitMessage deletion(
            FileStoreTable table, BinaryRow partition, Map<String, DeletionVector> byFile) {
        AppendDeleteFileMaintainer maintainer =
                BaseAppendDeleteFileMaintainer.forUnawareAppend(
                        table.store().newIndexFileHandler(),
                        table.snapshotManager().latestSnapshot(),
                        partition);
        byFile.forEach(maintainer::notifyNewDeletionVector);
        List<IndexFileMeta> added = new ArrayList<>();
        List<IndexFileMeta> removed = new ArrayList<>();
        for (IndexManifestEntry entry : maintainer.persist()) {
            (entry.kind() == FileKind.ADD ? added : removed).add(entry.indexFile());
        }
        return new CommitMessageImpl(
                partition,
                0,
                table.coreOptions().bucket(),
                new DataIncrement(List.of(), List.of(), List.of(), added, removed),
                CompactIncrement.emptyIncrement());
    }

    /** The ids in a file, deleted ones too, by position. */
    private static List<Integer> idsOf(FileStoreTable table, ManifestEntry entry) {
        Map<String, String> options = new HashMap<>(table.options());
        options.keySet()
                .removeAll(
                        List.of(
                                "deletion-vectors.enabled",
                                "row-tracking.enabled",
                                "data-evolution.enabled"));
        FileStoreTable plain = table.copy(table.schema().copy(options));
        List<Integer> ids = new ArrayList<>();
        var read = plain.store().newRead();
        var split =
                DataSplit.builder()
                        .withSnapshot(1)
                        .withPartition(entry.partition())
                        .withBucket(0)
                        .withBucketPath(
                                plain.store()
                                        .pathFactory()
                                        .bucketPath(entry.partition(), 0)
                                        .toString())
                        .withDataFiles(List.of(entry.file()))
                        .rawConvertible(true)
                        .build();
        try (RecordReader<?> reader = read.createReader(split)) {
            reader.forEachRemaining(row -> ids.add(((InternalRow) row).getInt(0)));
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
        return ids;
    }

    /**
     * Updates column {@code v} of every row in place, as a merge does: one file with that column
     * alone beside each file with all columns. Needs a Data Evolution table.
     */
    public void updateV(IntToLongFunction valueOfId) {
        updateV(valueOfId, "");
    }

    /** The same without the rows of one file. */
    public void updateV(IntToLongFunction valueOfId, String leftOut) {
        FileStoreTable table = load();
        RowType written = table.rowType().project(List.of("v"));
        List<CommitMessage> messages = new ArrayList<>();
        for (ManifestEntry entry : files()) {
            if (entry.file().writeCols() != null || entry.fileName().equals(leftOut)) {
                continue;
            }
            try {
                BaseAppendFileStoreWrite write =
                        (BaseAppendFileStoreWrite) table.store().newWrite("test-update");
                write.withWriteType(written);
                for (int id : idsOf(table, entry)) {
                    GenericRow row = GenericRow.of(valueOfId.applyAsLong(id));
                    write.write(entry.partition(), entry.bucket(), row);
                }
                for (CommitMessage message : write.prepareCommit(true, 0)) {
                    messages.add(withFirstRowId(message, entry));
                }
                write.close();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
        commit(table, messages);
    }

    private static CommitMessage withFirstRowId(CommitMessage message, ManifestEntry target) {
        CommitMessageImpl written = (CommitMessageImpl) message;
        List<DataFileMeta> files =
                written.newFilesIncrement().newFiles().stream()
                        .map(f -> f.assignFirstRowId(target.file().nonNullFirstRowId()))
                        .toList();
        return new CommitMessageImpl(
                target.partition(),
                target.bucket(),
                written.totalBuckets(),
                new DataIncrement(files, List.of(), List.of()),
                CompactIncrement.emptyIncrement());
    }

    // ---- reads ----

    /** All rows by id, as the stock reader sees them. */
    public Map<Integer, Row> rows() {
        return rows(load());
    }

    /** All rows by id; fails when an id is there twice. */
    public static Map<Integer, Row> rows(FileStoreTable table) {
        Map<Integer, Row> rows = new TreeMap<>();
        read(
                table,
                table.rowType().project(List.of("id", "name", "v", "pt")),
                row -> {
                    Row read =
                            new Row(
                                    row.getInt(0),
                                    row.isNullAt(1) ? null : row.getString(1).toString(),
                                    row.isNullAt(2) ? null : row.getLong(2),
                                    row.isNullAt(3) ? null : row.getString(3).toString());
                    if (rows.put(read.id(), read) != null) {
                        throw new AssertionError("Row " + read.id() + " is there twice.");
                    }
                });
        return rows;
    }

    /** Row id of each row by the row's id column. */
    public Map<Integer, Long> rowIds() {
        return rowIds(load());
    }

    /** Row id of each row by the row's id column. */
    public static Map<Integer, Long> rowIds(FileStoreTable table) {
        RowType type =
                SpecialFields.rowTypeWithRowTracking(table.rowType())
                        .project(List.of("id", SpecialFields.ROW_ID.name()));
        Map<Integer, Long> ids = new TreeMap<>();
        read(table, type, row -> ids.put(row.getInt(0), row.getLong(1)));
        return ids;
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

    /** Live files of the newest snapshot, read from the manifests and merged by hand. */
    public List<ManifestEntry> files() {
        return files(load());
    }

    private static List<ManifestEntry> files(FileStoreTable table) {
        Snapshot latest = table.snapshotManager().latestSnapshotFromFileSystem();
        if (latest == null) {
            return List.of();
        }
        var manifestFile = table.store().manifestFileFactory().create();
        List<ManifestEntry> entries = new ArrayList<>();
        for (var manifest :
                table.store().manifestListFactory().create().readDataManifests(latest)) {
            entries.addAll(manifestFile.read(manifest.fileName(), manifest.fileSize()));
        }
        return FileEntry.mergeEntries(entries).stream()
                .filter(entry -> entry.kind() == FileKind.ADD)
                .toList();
    }

    /** Ids in the file of an entry, by position; deletion vectors are not applied. */
    public List<Integer> idsIn(ManifestEntry entry) {
        return idsOf(load(), entry);
    }
}
