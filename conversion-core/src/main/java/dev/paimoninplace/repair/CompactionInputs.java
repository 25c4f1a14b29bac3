package dev.paimoninplace.repair;

import dev.paimoninplace.plan.EntryReader;
import dev.paimoninplace.plan.FileShapes;
import dev.paimoninplace.plan.FileShapes.Shape;
import dev.paimoninplace.plan.TableHandle;
import java.io.FileNotFoundException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.paimon.Snapshot;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.manifest.ManifestFileMeta;

/** What plain compactions made their files of, as far as retained snapshots tell. */
final class CompactionInputs {

    private final TableHandle handle;
    private final EntryReader entries;
    private final FileShapes shapes;

    CompactionInputs(TableHandle handle, FileShapes shapes) {
        this.handle = handle;
        this.entries = new EntryReader(handle);
        this.shapes = shapes;
    }

    /**
     * Those of some files whose commit removed a file with some of the columns from the partition:
     * a plain compaction takes its rows for whole ones.
     *
     * @param names files that plain compactions wrote
     * @param newest newest snapshot
     */
    Set<String> withUpdates(Set<String> names, long newest) {
        Set<String> open = new HashSet<>(names);
        Set<String> result = new HashSet<>();
        for (long id = newest; id >= 1 && !open.isEmpty(); id--) {
            Snapshot snapshot;
            try {
                snapshot = handle.snapshots().tryGetSnapshot(id);
            } catch (FileNotFoundException e) {
                break;
            }
            look(snapshot, open, result);
        }
        return result;
    }

    private void look(Snapshot snapshot, Set<String> open, Set<String> result) {
        Map<String, BinaryRow> added = new HashMap<>();
        Set<BinaryRow> updatesRemovedFrom = new HashSet<>();
        for (ManifestFileMeta manifest :
                handle.table()
                        .store()
                        .manifestListFactory()
                        .create()
                        .readDeltaManifests(snapshot)) {
            entries.read(
                    manifest,
                    entry -> {
                        if (entry.isAdd() && open.contains(entry.fileName())) {
                            added.put(entry.fileName(), entry.partition().copy());
                        } else if (entry.isDelete() && shapes.of(entry.file()) != Shape.FULL) {
                            updatesRemovedFrom.add(entry.partition().copy());
                        }
                    });
        }
        added.forEach(
                (name, partition) -> {
                    open.remove(name);
                    if (updatesRemovedFrom.contains(partition)) {
                        result.add(name);
                    }
                });
    }
}
