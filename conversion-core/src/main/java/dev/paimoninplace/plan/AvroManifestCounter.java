package dev.paimoninplace.plan;

import dev.paimoninplace.rowid.FileRule;
import dev.paimoninplace.rowid.ManifestSummary;
import dev.paimoninplace.rowid.ManifestSummary.PartitionNeed;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.fs.FileIO;
import org.apache.paimon.manifest.ManifestFileMeta;
import org.apache.paimon.utils.PathFactory;
import org.apache.paimon.utils.SerializationUtils;

/**
 * Counts the files of a manifest from its bytes, as long as it is of the kind that a plain append
 * table has: every entry adds a file with all columns and without a row id. Safe for use by many
 * threads.
 */
final class AvroManifestCounter {

    /** Parts of the names of files for blob and vector columns. */
    private static final String BLOB = ".blob";

    private static final String VECTOR = ".vector.";

    private final FileIO fileIO;
    private final PathFactory paths;
    private final boolean avro;

    AvroManifestCounter(TableHandle handle) {
        this.fileIO = handle.table().fileIO();
        this.paths = handle.table().store().pathFactory().manifestFileFactory();
        this.avro =
                handle.table()
                        .coreOptions()
                        .manifestFormatString()
                        .equals(CoreOptions.FILE_FORMAT_AVRO);
    }

    /**
     * Reads a manifest of a snapshot without deletions.
     *
     * @return empty when an entry is of another kind, or the file of another schema
     */
    Optional<ScannedManifest> count(ManifestFileMeta manifest) {
        if (!avro || manifest.numDeletedFiles() > 0) {
            return Optional.empty();
        }
        Map<ByteBuffer, long[]> needs = new LinkedHashMap<>();
        try {
            Optional<AvroManifest> opened =
                    AvroManifest.open(fileIO, paths.toPath(manifest.fileName()));
            if (opened.isEmpty()) {
                return Optional.empty();
            }
            try (AvroManifest entries = opened.get()) {
                while (entries.next()) {
                    AvroEntryLayout entry = entries.entry();
                    if (!isPlain(entry)) {
                        return Optional.empty();
                    }
                    add(needs, entry);
                }
            }
        } catch (IOException e) {
            throw new IllegalStateException("Cannot read manifest " + manifest.fileName() + ".", e);
        }
        return Optional.of(scanned(manifest, needs));
    }

    private static boolean isPlain(AvroEntryLayout entry) {
        return entry.isAdd()
                && !entry.hasRowId()
                && !entry.hasWriteCols()
                && !entry.fileNameContains(BLOB)
                && !entry.fileNameContains(VECTOR);
    }

    private static void add(Map<ByteBuffer, long[]> needs, AvroEntryLayout entry) {
        int length = entry.partitionEnd() - entry.partitionStart();
        ByteBuffer key = ByteBuffer.wrap(entry.bytes(), entry.partitionStart(), length);
        long[] need = needs.get(key);
        if (need == null) {
            need = new long[3];
            byte[] copy = new byte[length];
            key.get(copy);
            needs.put(ByteBuffer.wrap(copy), need);
        }
        need[0]++;
        need[1] += entry.rowCount();
        need[2] = Math.addExact(need[2], FileRule.idCount(entry.rowCount()));
    }

    private static ScannedManifest scanned(
            ManifestFileMeta manifest, Map<ByteBuffer, long[]> needs) {
        List<PartitionNeed> list = new ArrayList<>(needs.size());
        Set<BinaryRow> partitions = new HashSet<>();
        long files = 0;
        long rows = 0;
        for (Map.Entry<ByteBuffer, long[]> need : needs.entrySet()) {
            BinaryRow partition = SerializationUtils.deserializeBinaryRow(need.getKey().array());
            long[] counts = need.getValue();
            partitions.add(partition);
            list.add(new PartitionNeed(partition, counts[0], counts[1], counts[2]));
            files += counts[0];
            rows += counts[1];
        }
        ManifestSummary summary =
                new ManifestSummary(
                        manifest.fileName(),
                        list,
                        files,
                        rows,
                        files,
                        0,
                        0,
                        Long.MAX_VALUE,
                        Long.MIN_VALUE);
        return new ScannedManifest(
                manifest,
                summary,
                Set.of(),
                0,
                Set.copyOf(partitions),
                FileFindings.NONE,
                0,
                new RowIdRanges(),
                new RowIdRanges());
    }
}
