package dev.paimoninplace.conversion;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.manifest.BinaryManifestEntry;
import org.apache.paimon.manifest.FileSource;
import org.apache.paimon.shade.jackson2.com.fasterxml.jackson.databind.node.ArrayNode;
import org.apache.paimon.shade.jackson2.com.fasterxml.jackson.databind.node.JsonNodeFactory;
import org.apache.paimon.shade.jackson2.com.fasterxml.jackson.databind.node.ObjectNode;
import org.apache.paimon.utils.FileStorePathFactory;

/**
 * One line of JSON about a data file; the field names are listed in docs/convert.md and stay as
 * they are.
 *
 * @param snapshotId snapshot that changed it
 * @param paths says how partitions are written
 */
record FileLine(long snapshotId, FileStorePathFactory paths) {

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    /** A snapshot that is not there any more to tell. */
    static String expired(long snapshotId) {
        ObjectNode line = NODES.objectNode();
        line.put("snapshotId", snapshotId);
        line.put("change", "EXPIRED");
        return line.toString();
    }

    /** A file whose attributes were changed; empty when they were not. */
    Optional<String> changed(BinaryRow partition, DataFileMeta before, DataFileMeta after) {
        ObjectNode from = attributes(before);
        ObjectNode to = attributes(after);
        if (from.equals(to)) {
            return Optional.empty();
        }
        ObjectNode line = line("CHANGED", partition, after);
        line.set("before", from);
        line.set("after", to);
        return Optional.of(line.toString());
    }

    /** A file that was added or removed. */
    String committed(BinaryManifestEntry entry) {
        ObjectNode line =
                line(entry.isAdd() ? "ADDED" : "REMOVED", entry.partition(), entry.file());
        ObjectNode attributes = attributes(entry.file());
        line.set("before", entry.isAdd() ? NODES.nullNode() : attributes);
        line.set("after", entry.isAdd() ? attributes : NODES.nullNode());
        return line.toString();
    }

    private ObjectNode line(String change, BinaryRow partition, DataFileMeta file) {
        ObjectNode line = NODES.objectNode();
        line.put("snapshotId", snapshotId);
        line.put("change", change);
        line.put("file", file.fileName());
        String folder = paths.getPartitionString(partition);
        line.put(
                "partition",
                folder.endsWith("/") ? folder.substring(0, folder.length() - 1) : folder);
        line.put("rows", file.rowCount());
        return line;
    }

    private static ObjectNode attributes(DataFileMeta file) {
        ObjectNode node = NODES.objectNode();
        node.put("firstRowId", file.firstRowId());
        node.put("minSequenceNumber", file.minSequenceNumber());
        node.put("maxSequenceNumber", file.maxSequenceNumber());
        node.put("fileSource", file.fileSource().map(FileSource::name).orElse(null));
        List<String> columns = file.writeCols();
        if (columns == null) {
            node.putNull("columns");
        } else {
            ArrayNode names = node.putArray("columns");
            columns.stream().filter(Objects::nonNull).forEach(names::add);
        }
        return node;
    }
}
