package dev.paimoninplace.testing;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.deletionvectors.Bitmap64DeletionVector;
import org.apache.paimon.deletionvectors.BitmapDeletionVector;
import org.apache.paimon.deletionvectors.DeletionVector;
import org.apache.paimon.deletionvectors.append.AppendDeleteFileMaintainer;
import org.apache.paimon.deletionvectors.append.BaseAppendDeleteFileMaintainer;
import org.apache.paimon.index.IndexFileMeta;
import org.apache.paimon.io.CompactIncrement;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.io.DataIncrement;
import org.apache.paimon.manifest.FileKind;
import org.apache.paimon.manifest.IndexManifestEntry;
import org.apache.paimon.manifest.ManifestEntry;
import org.apache.paimon.operation.BaseAppendFileStoreWrite;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.sink.CommitMessage;
import org.apache.paimon.table.sink.CommitMessageImpl;
import org.apache.paimon.types.RowType;
import org.apache.paimon.utils.DataEvolutionUtils;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a Data Evolution table in groups of one range of row ids each, updated and deleted as
 * Paimon's merge and delete do it, whatever files make up a group.
 */
public final class RowGroups {

    private final FileStoreTable table;
    private final Map<Long, Integer> idsByRowId;
    private final List<List<ManifestEntry>> groups;

    private RowGroups(
            FileStoreTable table, Map<Long, Integer> idsByRowId, List<List<ManifestEntry>> groups) {
        this.table = table;
        this.idsByRowId = idsByRowId;
        this.groups = groups;
    }

    /** The groups of the newest snapshot. */
    public static RowGroups of(TestTable table) {
        Map<Long, List<ManifestEntry>> groups = new LinkedHashMap<>();
        for (ManifestEntry entry : table.files()) {
            if (entry.file().rowCount() > 0) {
                groups.computeIfAbsent(entry.file().nonNullFirstRowId(), f -> new ArrayList<>())
                        .add(entry);
            }
        }
        FileStoreTable loaded = table.load();
        return new RowGroups(loaded, TextRows.idsByRowId(loaded), new ArrayList<>(groups.values()));
    }

    public int count() {
        return groups.size();
    }

    /** Only some of the groups, chosen by their ids that are not deleted. */
    public RowGroups where(Predicate<List<Integer>> condition) {
        List<List<ManifestEntry>> chosen =
                groups.stream().filter(group -> condition.test(liveIds(group))).toList();
        return new RowGroups(table, idsByRowId, chosen);
    }

    private List<Integer> liveIds(List<ManifestEntry> group) {
        List<Integer> live = new ArrayList<>();
        for (Integer id : ids(group)) {
            if (id != null) {
                live.add(id);
            }
        }
        return live;
    }

    /** Ids by position; null where the row is deleted. */
    private List<@Nullable Integer> ids(List<ManifestEntry> group) {
        DataFileMeta any = group.get(0).file();
        List<@Nullable Integer> ids = new ArrayList<>();
        for (long i = 0; i < any.rowCount(); i++) {
            ids.add(idsByRowId.get(any.nonNullFirstRowId() + i));
        }
        return ids;
    }

    /** One commit that writes one column of every row of these groups and nothing else. */
    public void update(String column, IntFunction<@Nullable String> valueOfId) {
        RowType written = table.rowType().project(List.of(column));
        List<CommitMessage> messages = new ArrayList<>();
        for (List<ManifestEntry> group : groups) {
            ManifestEntry target = group.get(0);
            try {
                BaseAppendFileStoreWrite write =
                        (BaseAppendFileStoreWrite) table.store().newWrite("test-update");
                write.withWriteType(written);
                for (Integer id : ids(group)) {
                    String value = id == null ? null : valueOfId.apply(id);
                    Map<String, String> row = new HashMap<>();
                    if (value != null) {
                        row.put(column, value);
                    }
                    write.write(target.partition(), target.bucket(), TextRows.toRow(written, row));
                }
                for (CommitMessage message : write.prepareCommit(true, 0)) {
                    messages.add(withFirstRowId((CommitMessageImpl) message, target));
                }
                write.close();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
        TestTable.commit(table, messages);
    }

    private static CommitMessage withFirstRowId(CommitMessageImpl message, ManifestEntry target) {
        List<DataFileMeta> files =
                message.newFilesIncrement().newFiles().stream()
                        .map(f -> f.assignFirstRowId(target.file().nonNullFirstRowId()))
                        .toList();
        return new CommitMessageImpl(
                target.partition(),
                target.bucket(),
                message.totalBuckets(),
                new DataIncrement(files, List.of(), List.of()),
                CompactIncrement.emptyIncrement());
    }

    /** One commit that deletes rows by deletion vectors of the oldest file of each group. */
    public void delete(IntPredicate condition) {
        Map<BinaryRow, Map<String, DeletionVector>> vectors = new HashMap<>();
        for (List<ManifestEntry> group : groups) {
            DeletionVector vector =
                    table.coreOptions().deletionVectorBitmap64()
                            ? new Bitmap64DeletionVector()
                            : new BitmapDeletionVector();
            long position = 0;
            for (Integer id : ids(group)) {
                if (id != null && condition.test(id)) {
                    vector.delete(position);
                }
                position++;
            }
            if (!vector.isEmpty()) {
                ManifestEntry anchor =
                        DataEvolutionUtils.retrieveAnchorFile(group, ManifestEntry::file);
                vectors.computeIfAbsent(anchor.partition(), p -> new HashMap<>())
                        .put(anchor.file().fileName(), vector);
            }
        }
        List<CommitMessage> messages = new ArrayList<>();
        vectors.forEach((partition, byFile) -> messages.add(deletion(partition, byFile)));
        TestTable.commit(table, messages);
    }

    private CommitMessage deletion(BinaryRow partition, Map<String, DeletionVector> byFile) {
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
}
