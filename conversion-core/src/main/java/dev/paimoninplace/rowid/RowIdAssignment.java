package dev.paimoninplace.rowid;

import dev.paimoninplace.rowid.ManifestSummary.PartitionNeed;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.paimon.data.BinaryRow;

/**
 * The row ids given to the files of some manifests: one block per partition, in it the manifests in
 * order, in a manifest its files in order.
 *
 * <p>Blocks are disjoint and together cover {@code [startRowId, nextRowId)}.
 *
 * @param startRowId lowest id assigned, inclusive
 * @param nextRowId id that the next committed row receives, exclusive bound
 * @param firstIds manifest name to partition to the id of the first row there
 * @param fileCount files that get ids
 * @param rowCount rows in these files
 */
public record RowIdAssignment(
        long startRowId,
        long nextRowId,
        Map<String, Map<BinaryRow, Long>> firstIds,
        long fileCount,
        long rowCount) {

    /**
     * Assigns ids from {@code startRowId} on.
     *
     * @param startRowId first id that is free, at least 0
     * @param manifests manifests in commit order
     * @throws ArithmeticException when the ids exceed a long
     */
    public static RowIdAssignment assign(long startRowId, List<ManifestSummary> manifests) {
        Map<BinaryRow, Long> cursors = blockStarts(startRowId, manifests);
        Map<String, Map<BinaryRow, Long>> firstIds = new HashMap<>();
        long next = startRowId;
        long files = 0;
        long rows = 0;
        for (ManifestSummary manifest : manifests) {
            Map<BinaryRow, Long> starts = new HashMap<>();
            for (PartitionNeed need : manifest.needs()) {
                long first = cursors.merge(need.partition(), need.idCount(), Math::addExact);
                starts.put(need.partition(), first - need.idCount());
                next = Math.addExact(next, need.idCount());
                files += need.fileCount();
                rows += need.rowCount();
            }
            firstIds.put(manifest.manifest(), Map.copyOf(starts));
        }
        return new RowIdAssignment(startRowId, next, Map.copyOf(firstIds), files, rows);
    }

    /** First id of each partition; partitions in order of first appearance. */
    private static Map<BinaryRow, Long> blockStarts(
            long startRowId, List<ManifestSummary> manifests) {
        Map<BinaryRow, Long> idCounts = new LinkedHashMap<>();
        for (ManifestSummary manifest : manifests) {
            for (PartitionNeed need : manifest.needs()) {
                idCounts.merge(need.partition(), need.idCount(), Math::addExact);
            }
        }
        long cursor = startRowId;
        for (Map.Entry<BinaryRow, Long> partition : idCounts.entrySet()) {
            long idCount = partition.getValue();
            partition.setValue(cursor);
            cursor = Math.addExact(cursor, idCount);
        }
        return idCounts;
    }
}
