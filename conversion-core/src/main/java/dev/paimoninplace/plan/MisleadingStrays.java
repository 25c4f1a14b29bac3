package dev.paimoninplace.plan;

import dev.paimoninplace.plan.FileFindings.Kind;
import dev.paimoninplace.plan.FileShapes.Shape;
import java.io.FileNotFoundException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.paimon.Snapshot;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.manifest.BinaryManifestEntry;
import org.apache.paimon.manifest.FileSource;
import org.apache.paimon.manifest.ManifestFileMeta;
import org.apache.paimon.manifest.ManifestList;
import org.apache.paimon.schema.TableSchema;
import org.jspecify.annotations.Nullable;

/**
 * Finds live files without row id that claim to hold whole rows and do not. Row ids would make
 * wrong rows of them.
 *
 * <p>A compaction of plain append tables takes files with some of the columns for whole rows, and
 * Paimon 1.2 or older drops the list of columns of every entry that it writes again. The entries
 * themselves do not show either; older entries and the deletions beside them do, as far as retained
 * snapshots tell.
 */
public final class MisleadingStrays {

    /**
     * Such a file.
     *
     * @param kind {@link Kind#PARTIAL_WITHOUT_ID} or {@link Kind#UPDATES_AS_ROWS}
     * @param detail why it is not what it seems
     */
    public record Stray(String fileName, BinaryRow partition, Kind kind, String detail) {}

    private final TableHandle handle;
    private final EntryReader entries;
    private final FileShapes shapes;
    private final ManifestList lists;

    /** Files that were once known to hold some of the columns, by name; the lists are shared. */
    private final Map<String, List<String>> updates = new HashMap<>();

    private final Map<List<String>, List<String>> columnLists = new HashMap<>();

    /** Compacted files whose commit is retained. */
    private final Set<String> known = new HashSet<>();

    /** Files that were compacted from such files, with the snapshot of the compaction. */
    private final Map<String, Long> compacted = new HashMap<>();

    private MisleadingStrays(TableHandle handle) {
        this.handle = handle;
        this.entries = new EntryReader(handle);
        this.shapes = new FileShapes(handle);
        this.lists = handle.table().store().manifestListFactory().create();
    }

    /**
     * Those of the snapshot of a view. Reads nothing where the manifest list shows that all files
     * have ids, and holds no more than the names of files with some of the columns.
     */
    public static List<Stray> find(TableHandle handle, TableView view) {
        boolean couldHaveUpdates = view.isDataEvolution() || view.nextRowId() > 0;
        List<ManifestFileMeta> open =
                view.manifests().stream().filter(MisleadingStrays::mayHoldStrays).toList();
        if (!couldHaveUpdates || view.snapshot().isEmpty() || open.isEmpty()) {
            return List.of();
        }
        MisleadingStrays search = new MisleadingStrays(handle);
        search.walkBack(view.snapshot().get());
        return search.strays(view, open);
    }

    private static boolean mayHoldStrays(ManifestFileMeta manifest) {
        return manifest.minRowId() == null && manifest.numAddedFiles() > 0;
    }

    private void walkBack(Snapshot newest) {
        Snapshot snapshot = newest;
        while (true) {
            lookAtChanges(snapshot);
            Snapshot older = before(snapshot);
            if (older == null) {
                for (ManifestFileMeta manifest : lists.readDataManifests(snapshot)) {
                    entries.read(manifest, this::lookAtColumns);
                }
                return;
            }
            snapshot = older;
        }
    }

    private @Nullable Snapshot before(Snapshot snapshot) {
        try {
            return handle.snapshots().tryGetSnapshot(snapshot.id() - 1);
        } catch (FileNotFoundException e) {
            return null;
        }
    }

    private void lookAtChanges(Snapshot snapshot) {
        Map<String, BinaryRow> written = new HashMap<>();
        Set<BinaryRow> updatesRemovedFrom = new HashSet<>();
        for (ManifestFileMeta manifest : lists.readDeltaManifests(snapshot)) {
            entries.read(
                    manifest,
                    entry -> {
                        if (!entry.isAdd()) {
                            if (shapes.of(entry.file()) == Shape.PARTIAL) {
                                updatesRemovedFrom.add(entry.partition().copy());
                            }
                        } else if (isCompacted(entry.file())) {
                            written.put(entry.fileName(), entry.partition().copy());
                            known.add(entry.fileName());
                        } else {
                            lookAtColumns(entry);
                        }
                    });
        }
        written.forEach(
                (name, partition) -> {
                    if (updatesRemovedFrom.contains(partition)) {
                        compacted.put(name, snapshot.id());
                    }
                });
    }

    private boolean isCompacted(DataFileMeta file) {
        return isWholeStray(file)
                && file.fileSource().orElse(FileSource.APPEND) == FileSource.COMPACT;
    }

    private boolean isWholeStray(DataFileMeta file) {
        return file.firstRowId() == null
                && file.writeCols() == null
                && shapes.of(file) == Shape.FULL;
    }

    private void lookAtColumns(BinaryManifestEntry entry) {
        List<String> columns = entry.file().writeCols();
        if (columns != null && shapes.of(entry.file()) == Shape.PARTIAL) {
            updates.put(entry.fileName(), columnLists.computeIfAbsent(columns, known -> known));
        }
    }

    private List<Stray> strays(TableView view, List<ManifestFileMeta> open) {
        long evolvesSinceMillis = evolvesSinceMillis();
        Map<String, Stray> found = new LinkedHashMap<>();
        for (ManifestFileMeta manifest : open) {
            entries.read(
                    manifest,
                    entry -> {
                        if (entry.isAdd() && isWholeStray(entry.file())) {
                            stray(entry, evolvesSinceMillis)
                                    .ifPresent(one -> found.put(one.fileName(), one));
                        }
                    });
        }
        if (!found.isEmpty()) {
            view.manifests().stream()
                    .filter(manifest -> manifest.numDeletedFiles() > 0)
                    .flatMap(manifest -> entries.deletions(manifest).stream())
                    .forEach(identifier -> found.remove(identifier.fileName));
        }
        return List.copyOf(found.values());
    }

    /** When updates of single columns became possible, epoch milliseconds. */
    private long evolvesSinceMillis() {
        return handle.schemas().listAll().stream()
                .filter(TableView::isDataEvolution)
                .mapToLong(TableSchema::timeMillis)
                .min()
                .orElse(Long.MAX_VALUE);
    }

    private Optional<Stray> stray(BinaryManifestEntry entry, long evolvesSinceMillis) {
        String name = entry.fileName();
        List<String> columns = updates.get(name);
        if (columns != null) {
            String detail =
                    "it holds "
                            + columns
                            + " only, and Paimon 1.2 or older dropped that from its entry";
            return Optional.of(
                    new Stray(name, entry.partition().copy(), Kind.PARTIAL_WITHOUT_ID, detail));
        }
        Long snapshotId = compacted.get(name);
        if (snapshotId != null) {
            String detail =
                    "the compaction of snapshot "
                            + snapshotId
                            + " that wrote it took files with some of the columns for whole rows";
            return Optional.of(
                    new Stray(name, entry.partition().copy(), Kind.UPDATES_AS_ROWS, detail));
        }
        if (isCompacted(entry.file())
                && !known.contains(name)
                && entry.file().creationTimeEpochMillis() >= evolvesSinceMillis) {
            String detail =
                    "the compaction that wrote it has expired, so nothing tells whether it took"
                            + " files with some of the columns for whole rows";
            return Optional.of(
                    new Stray(name, entry.partition().copy(), Kind.UPDATES_AS_ROWS, detail));
        }
        return Optional.empty();
    }
}
