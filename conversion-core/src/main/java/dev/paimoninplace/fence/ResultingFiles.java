package dev.paimoninplace.fence;

import dev.paimoninplace.plan.FileShapes;
import dev.paimoninplace.plan.FileShapes.Shape;
import dev.paimoninplace.plan.RowIdRanges;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.paimon.Snapshot;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.manifest.FileEntry;
import org.apache.paimon.manifest.IndexManifestEntry;
import org.apache.paimon.manifest.ManifestFileMeta;

/** Looks for single live files of a snapshot that is about to be written; reads what it must. */
final class ResultingFiles {

    private final ManifestAccess access;
    private final Snapshot snapshot;
    private final Delta delta;
    private final PreviousSnapshot before;
    private final List<ManifestFileMeta> base;

    /**
     * @param delta of the snapshot
     * @param before the snapshot that it follows
     */
    ResultingFiles(ManifestAccess access, Snapshot snapshot, Delta delta, PreviousSnapshot before) {
        this.access = access;
        this.snapshot = snapshot;
        this.delta = delta;
        this.before = before;
        this.base = access.list().read(snapshot.baseManifestList());
    }

    /**
     * A live file without row id, where the commit needs the ids of all rows. Paimon leaves such
     * files out when it looks for rows to update, to delete or to index. Mostly the manifest list
     * alone says that there is none.
     */
    Optional<String> leftOut(Tracking tracking) {
        List<ManifestFileMeta> suspects =
                base.stream().filter(m -> m.numAddedFiles() > 0 && m.minRowId() == null).toList();
        if (suspects.isEmpty() || !(delta.updatesRows() || addsIndexFiles())) {
            return Optional.empty();
        }
        return firstLive(
                suspects,
                file ->
                        file.firstRowId() == null
                                && (tracking == Tracking.EVOLUTION || !FileShapes.idsInside(file)));
    }

    /**
     * A live file with some columns of rows whose file with all columns goes; empty when each goes
     * with it, or when another file with all columns comes for its rows.
     */
    Optional<String> orphanedUpdate() {
        RowIdRanges going = delta.removedFullRows().union();
        RowIdRanges coming = delta.addedFullRows().union();
        List<ManifestFileMeta> suspects =
                base.stream().filter(m -> m.numAddedFiles() > 0 && mayHold(m, going)).toList();
        return firstLive(suspects, file -> isOrphaned(file, going, coming));
    }

    private static boolean mayHold(ManifestFileMeta manifest, RowIdRanges ranges) {
        Long min = manifest.minRowId();
        Long max = manifest.maxRowId();
        return min == null || max == null || ranges.overlap(min, max + 1);
    }

    private boolean isOrphaned(DataFileMeta file, RowIdRanges going, RowIdRanges coming) {
        Long first = file.firstRowId();
        if (first == null || file.rowCount() == 0) {
            return false;
        }
        long end = first + file.rowCount();
        return going.overlap(first, end)
                && !coming.hold(first, end)
                && access.shapes().of(file) != Shape.FULL;
    }

    /** Whether the commit adds deletion vectors or a global index. */
    private boolean addsIndexFiles() {
        String now = snapshot.indexManifest();
        String then = before.indexManifest();
        if (now == null || Objects.equals(now, then)) {
            return false;
        }
        List<IndexManifestEntry> known = then == null ? List.of() : access.indexes().read(then);
        return !new HashSet<>(known).containsAll(access.indexes().read(now));
    }

    private Optional<String> firstLive(
            List<ManifestFileMeta> manifests, Predicate<DataFileMeta> wanted) {
        Map<FileEntry.Identifier, String> found = new LinkedHashMap<>();
        for (ManifestFileMeta manifest : manifests) {
            access.entries()
                    .read(
                            manifest,
                            entry -> {
                                if (entry.isAdd() && wanted.test(entry.file())) {
                                    found.put(entry.identifier(), entry.fileName());
                                }
                            });
        }
        found.keySet().removeAll(delta.removed());
        if (found.isEmpty()) {
            return Optional.empty();
        }
        found.keySet().removeAll(removedInBase());
        return found.values().stream().findFirst();
    }

    private Set<FileEntry.Identifier> removedInBase() {
        Set<FileEntry.Identifier> removed = new HashSet<>();
        for (ManifestFileMeta manifest : base) {
            if (manifest.numDeletedFiles() > 0) {
                removed.addAll(access.entries().deletions(manifest));
            }
        }
        return removed;
    }
}
