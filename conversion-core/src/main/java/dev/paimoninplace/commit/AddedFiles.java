package dev.paimoninplace.commit;

import dev.paimoninplace.plan.EntryReader;
import dev.paimoninplace.plan.FileShapes;
import dev.paimoninplace.plan.TableHandle;
import dev.paimoninplace.rowid.FileChange;
import dev.paimoninplace.rowid.FileRule;
import java.util.ArrayList;
import java.util.List;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.manifest.ManifestEntry;
import org.apache.paimon.manifest.ManifestFileMeta;

/**
 * Files that a snapshot adds, each with its row ids: no snapshot may add a file without them to a
 * table that tracks rows.
 *
 * @param entries the files
 * @param files those of them that got new ids
 * @param rows rows in these
 * @param nextRowId first id after all that are in use
 */
record AddedFiles(List<ManifestEntry> entries, long files, long rows, long nextRowId) {

    AddedFiles {
        entries = List.copyOf(entries);
    }

    /**
     * Gives ids to those that have none.
     *
     * @param manifests manifests of the newest snapshot
     * @param floor lower bound of the next row id
     */
    static AddedFiles withRowIds(
            TableHandle handle,
            List<ManifestEntry> added,
            List<ManifestFileMeta> manifests,
            long floor) {
        if (added.stream().noneMatch(entry -> lacksRowId(entry.file()))) {
            return new AddedFiles(added, 0, 0, floor);
        }
        long next = Math.max(floor, idsEnd(handle, added, manifests));
        List<ManifestEntry> entries = new ArrayList<>();
        long files = 0;
        long rows = 0;
        for (ManifestEntry entry : added) {
            if (!lacksRowId(entry.file())) {
                entries.add(entry);
                continue;
            }
            entries.add(
                    entry.assignSequenceNumber(FileChange.SEQUENCE, FileChange.SEQUENCE)
                            .assignFirstRowId(next));
            next = Math.addExact(next, FileRule.idCount(entry.file().rowCount()));
            files++;
            rows += entry.file().rowCount();
        }
        return new AddedFiles(entries, files, rows, next);
    }

    private static boolean lacksRowId(DataFileMeta file) {
        return file.firstRowId() == null && !FileShapes.idsInside(file);
    }

    private static long idsEnd(
            TableHandle handle, List<ManifestEntry> added, List<ManifestFileMeta> manifests) {
        long[] end = {0};
        added.forEach(entry -> end[0] = Math.max(end[0], FileRule.endOf(entry.file()).orElse(0L)));
        EntryReader reader = new EntryReader(handle);
        for (ManifestFileMeta manifest : manifests) {
            reader.read(
                    manifest,
                    entry -> end[0] = Math.max(end[0], FileRule.endOf(entry.file()).orElse(0L)));
        }
        return end[0];
    }
}
