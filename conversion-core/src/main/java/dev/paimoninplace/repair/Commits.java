package dev.paimoninplace.repair;

import dev.paimoninplace.conversion.LostCommit;
import dev.paimoninplace.plan.FileShapes;
import dev.paimoninplace.plan.FileShapes.Shape;
import dev.paimoninplace.plan.TableHandle;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.paimon.Snapshot;
import org.apache.paimon.Snapshot.CommitKind;
import org.apache.paimon.deletionvectors.DeletionVectorsIndexFile;
import org.apache.paimon.index.DeletionVectorMeta;
import org.apache.paimon.index.IndexFileHandler;
import org.apache.paimon.manifest.FileKind;
import org.apache.paimon.manifest.IndexManifestEntry;
import org.apache.paimon.manifest.ManifestEntry;
import org.apache.paimon.manifest.ManifestFile;
import org.apache.paimon.manifest.ManifestFileMeta;
import org.apache.paimon.manifest.ManifestList;

/** What single commits did. */
final class Commits {

    private final ManifestFile manifestFile;
    private final ManifestList manifestList;
    private final IndexFileHandler indexFiles;
    private final FileShapes shapes;

    Commits(TableHandle handle) {
        this.manifestFile = handle.table().store().manifestFileFactory().create();
        this.manifestList = handle.table().store().manifestListFactory().create();
        this.indexFiles = handle.table().store().newIndexFileHandler();
        this.shapes = new FileShapes(handle);
    }

    /** The files that a commit added and removed. */
    List<ManifestEntry> changes(Snapshot snapshot) {
        return entries(manifestList.readDeltaManifests(snapshot), entry -> true);
    }

    /** Entries of some manifests, with all their attributes. */
    List<ManifestEntry> entries(List<ManifestFileMeta> manifests, Predicate<ManifestEntry> filter) {
        return manifests.stream()
                .flatMap(m -> manifestFile.read(m.fileName(), m.fileSize()).stream())
                .filter(filter)
                .toList();
    }

    List<ManifestFileMeta> manifests(Snapshot snapshot) {
        return manifestList.readDataManifests(snapshot);
    }

    List<IndexManifestEntry> index(Snapshot snapshot) {
        String name = snapshot.indexManifest();
        return name == null ? List.of() : indexFiles.readManifest(name);
    }

    boolean indexFileExists(IndexManifestEntry entry) {
        return indexFiles.existsIndexFile(entry);
    }

    /**
     * Whether a commit only added whole rows: files with all columns, and beside them files of blob
     * or vector columns.
     */
    boolean isPureAppend(Snapshot before, Snapshot snapshot, List<ManifestEntry> changes) {
        return snapshot.commitKind() == CommitKind.APPEND
                && !changes.isEmpty()
                && sameIndex(before, snapshot)
                && changes.stream().allMatch(entry -> addsWholeRows(before, entry, changes));
    }

    private boolean addsWholeRows(
            Snapshot before, ManifestEntry entry, List<ManifestEntry> changes) {
        if (entry.kind() != FileKind.ADD || FileShapes.idsInside(entry.file())) {
            return false;
        }
        return switch (shapes.of(entry.file())) {
            case FULL -> hasNewRows(before, entry);
            case PARTIAL -> false;
            case DEDICATED -> changes.stream().anyMatch(other -> holds(other, entry));
        };
    }

    /** A file with all columns can be an update of all of them, with or without a list. */
    private static boolean hasNewRows(Snapshot before, ManifestEntry entry) {
        Long first = entry.file().firstRowId();
        Long free = before.nextRowId();
        return first == null || (free != null && first >= free);
    }

    private boolean holds(ManifestEntry full, ManifestEntry dedicated) {
        Long first = full.file().firstRowId();
        Long inside = dedicated.file().firstRowId();
        return first != null
                && inside != null
                && shapes.of(full.file()) == Shape.FULL
                && inside >= first
                && inside + dedicated.file().rowCount() <= first + full.file().rowCount();
    }

    static boolean sameIndex(Snapshot before, Snapshot snapshot) {
        return Objects.equals(before.indexManifest(), snapshot.indexManifest());
    }

    /** What is lost without a commit that is no pure append; empty when nothing is. */
    Optional<LostCommit> loss(Snapshot before, Snapshot snapshot, List<ManifestEntry> changes) {
        boolean compaction = snapshot.commitKind() == CommitKind.COMPACT;
        if (compaction || (changes.isEmpty() && sameIndex(before, snapshot))) {
            return Optional.empty();
        }
        long deleted = Math.max(0, deletedRows(snapshot) - deletedRows(before));
        return Optional.of(
                new LostCommit(
                        snapshot.id(),
                        snapshot.commitKind().name(),
                        snapshot.commitUser(),
                        snapshot.timeMillis(),
                        rows(changes, FileKind.ADD, Shape.FULL),
                        rows(changes, FileKind.ADD, Shape.PARTIAL),
                        rows(changes, FileKind.DELETE, Shape.FULL) + deleted));
    }

    private long rows(List<ManifestEntry> changes, FileKind kind, Shape shape) {
        return changes.stream()
                .filter(e -> e.kind() == kind && shapes.of(e.file()) == shape)
                .mapToLong(e -> e.file().rowCount())
                .sum();
    }

    private long deletedRows(Snapshot snapshot) {
        return index(snapshot).stream()
                .filter(
                        e ->
                                e.indexFile()
                                        .indexType()
                                        .equals(DeletionVectorsIndexFile.DELETION_VECTORS_INDEX))
                .map(e -> e.indexFile().dvRanges())
                .filter(Objects::nonNull)
                .mapToLong(Commits::cardinality)
                .sum();
    }

    private static long cardinality(Map<String, DeletionVectorMeta> ranges) {
        return ranges.values().stream()
                .map(DeletionVectorMeta::cardinality)
                .filter(Objects::nonNull)
                .mapToLong(Long::longValue)
                .sum();
    }
}
