package dev.paimoninplace.verify;

import dev.paimoninplace.plan.FileShapes;
import dev.paimoninplace.plan.FileShapes.Shape;
import dev.paimoninplace.plan.TableHandle;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.paimon.Snapshot;
import org.apache.paimon.deletionvectors.DeletionVectorsIndexFile;
import org.apache.paimon.index.DeletionVectorMeta;
import org.apache.paimon.index.IndexFileHandler;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.manifest.IndexManifestEntry;

/**
 * Checks that each deletion vector lies on a live file with all columns: Data Evolution hangs the
 * vector of a row range on the file with the lowest sequence number, by its name. Safe for use by
 * many threads.
 */
final class DeletionVectorCheck {

    private final Set<String> anchors = new HashSet<>();
    private final Set<String> seen = ConcurrentHashMap.newKeySet();
    private final FileShapes shapes;
    private final Findings findings;

    DeletionVectorCheck(
            TableHandle handle, Snapshot snapshot, FileShapes shapes, Findings findings) {
        this.shapes = shapes;
        this.findings = findings;
        IndexFileHandler handler = handle.table().store().newIndexFileHandler();
        for (IndexManifestEntry entry :
                handler.scan(snapshot, DeletionVectorsIndexFile.DELETION_VECTORS_INDEX)) {
            LinkedHashMap<String, DeletionVectorMeta> ranges = entry.indexFile().dvRanges();
            anchors.addAll(ranges == null ? Map.<String, Object>of().keySet() : ranges.keySet());
        }
    }

    /** Notes a live file. */
    void see(DataFileMeta file) {
        if (anchors.contains(file.fileName()) && shapes.of(file) == Shape.FULL) {
            seen.add(file.fileName());
        }
    }

    /** Reports the vectors whose file was not seen. */
    void report() {
        for (String anchor : anchors) {
            if (!seen.contains(anchor)) {
                findings.add(
                        Finding.of(
                                FindingCode.DELETION_VECTOR_WITHOUT_ANCHOR,
                                Optional.of(anchor),
                                Optional.empty(),
                                Optional.empty(),
                                "a deletion vector belongs to it, but it is no live file with all"
                                        + " columns: its deleted rows are back"));
            }
        }
    }
}
