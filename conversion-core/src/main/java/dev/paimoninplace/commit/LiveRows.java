package dev.paimoninplace.commit;

import dev.paimoninplace.plan.TableHandle;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.data.serializer.InternalRowSerializer;
import org.apache.paimon.deletionvectors.DeletionVectorsIndexFile;
import org.apache.paimon.index.IndexFileHandler;
import org.apache.paimon.index.IndexFileMeta;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.manifest.IndexManifestEntry;
import org.apache.paimon.manifest.ManifestEntry;
import org.apache.paimon.reader.RecordReader;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.source.DataSplit;
import org.apache.paimon.table.source.DeletionFile;
import org.apache.paimon.types.RowType;
import org.apache.paimon.utils.Pair;

/**
 * The rows of some data files as Paimon's own readers give them, whether or not the table as a
 * whole can be read: files without row id one by one, as those of a plain append table, and the
 * others together with the files over the same row ids.
 */
final class LiveRows {

    /**
     * Files that are read together.
     *
     * @param partition their partition
     * @param bucket their bucket
     * @param files files over the same row ids, or a single one
     */
    record Group(BinaryRow partition, int bucket, List<DataFileMeta> files) {

        Group {
            files = List.copyOf(files);
        }

        boolean hasRowIds() {
            return files.get(0).firstRowId() != null;
        }
    }

    private final TableHandle handle;
    private final FileStoreTable evolution;
    private final FileStoreTable plain;
    private final RowType rowType;
    private final Map<String, DeletionFile> deletions = new HashMap<>();

    /**
     * @param index index files with the deletion vectors
     */
    LiveRows(TableHandle handle, List<IndexManifestEntry> index) {
        this.handle = handle;
        this.rowType = handle.table().rowType();
        this.evolution = with(handle.table(), "true");
        this.plain = with(handle.table(), "false");
        readDeletions(index);
    }

    private static FileStoreTable with(FileStoreTable table, String enabled) {
        Map<String, String> options = new HashMap<>(table.schema().options());
        options.put(CoreOptions.ROW_TRACKING_ENABLED.key(), enabled);
        options.put(CoreOptions.DATA_EVOLUTION_ENABLED.key(), enabled);
        return table.copy(table.schema().copy(options));
    }

    private void readDeletions(List<IndexManifestEntry> index) {
        IndexFileHandler handler = handle.table().store().newIndexFileHandler();
        for (IndexManifestEntry entry : index) {
            IndexFileMeta file = entry.indexFile();
            if (file.indexType().equals(DeletionVectorsIndexFile.DELETION_VECTORS_INDEX)) {
                deletions.putAll(
                        handler.dvIndex(entry.partition(), entry.bucket())
                                .toDeletionFiles(List.of(file)));
            }
        }
    }

    /** Live files in the groups in which they are read. */
    static List<Group> groups(Iterable<ManifestEntry> live) {
        Map<Pair<BinaryRow, Integer>, List<DataFileMeta>> buckets = new LinkedHashMap<>();
        for (ManifestEntry entry : live) {
            buckets.computeIfAbsent(
                            Pair.of(entry.partition(), entry.bucket()), key -> new ArrayList<>())
                    .add(entry.file());
        }
        List<Group> groups = new ArrayList<>();
        buckets.forEach(
                (bucket, files) -> group(bucket.getLeft(), bucket.getRight(), files, groups));
        return groups;
    }

    private static void group(
            BinaryRow partition, int bucket, List<DataFileMeta> files, List<Group> groups) {
        List<DataFileMeta> withIds = new ArrayList<>();
        for (DataFileMeta file : files) {
            if (file.firstRowId() == null) {
                groups.add(new Group(partition, bucket, List.of(file)));
            } else {
                withIds.add(file);
            }
        }
        withIds.sort(Comparator.comparingLong(DataFileMeta::nonNullFirstRowId));
        List<DataFileMeta> open = new ArrayList<>();
        long end = Long.MIN_VALUE;
        for (DataFileMeta file : withIds) {
            if (!open.isEmpty() && file.nonNullFirstRowId() >= end) {
                groups.add(new Group(partition, bucket, open));
                open.clear();
            }
            open.add(file);
            end = Math.max(end, file.nonNullFirstRowId() + file.rowCount());
        }
        if (!open.isEmpty()) {
            groups.add(new Group(partition, bucket, open));
        }
    }

    /** Opens the rows of a group, all columns of the table. */
    RecordReader<InternalRow> open(Group group) throws IOException {
        FileStoreTable table = group.hasRowIds() ? evolution : plain;
        List<DeletionFile> vectors = new ArrayList<>();
        group.files().forEach(file -> vectors.add(deletions.get(file.fileName())));
        DataSplit split =
                DataSplit.builder()
                        .withSnapshot(1)
                        .withPartition(group.partition())
                        .withBucket(group.bucket())
                        .withBucketPath(
                                table.store()
                                        .pathFactory()
                                        .bucketPath(group.partition(), group.bucket())
                                        .toString())
                        .withDataFiles(group.files())
                        .withDataDeletionFiles(vectors)
                        .rawConvertible(!group.hasRowIds())
                        .build();
        return table.newRead().createReader(split);
    }

    /** A digest of the rows of a group that does not depend on their order. */
    ContentDigest.Value digest(Group group) {
        ContentDigest digest = new ContentDigest();
        InternalRowSerializer serializer = new InternalRowSerializer(rowType);
        try (RecordReader<InternalRow> reader = open(group)) {
            reader.forEachRemaining(
                    row -> {
                        byte[] bytes = serializer.toBinaryRow(row).toBytes();
                        digest.add(ContentDigest.newHasher().putBytes(bytes).hash(), 1);
                    });
        } catch (IOException e) {
            throw new IllegalStateException("Cannot read the rows of " + names(group) + ".", e);
        }
        return digest.value();
    }

    static String names(Group group) {
        return group.files().get(0).fileName()
                + (group.files().size() == 1
                        ? ""
                        : " and " + (group.files().size() - 1) + " more over the same rows");
    }
}
