package dev.paimoninplace.repair;

import dev.paimoninplace.plan.TableHandle;
import dev.paimoninplace.plan.TableView;
import java.io.FileNotFoundException;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.apache.paimon.Snapshot;

/**
 * Files that had a row id before Paimon 1.2 or older merged the manifests, which drops row ids and
 * lists of columns. An update among them looks like a file with all columns; to give it new ids
 * would add its rows to those that it updated.
 */
final class DestroyedIds {

    private DestroyedIds() {}

    /** One such file and where it still has its id; as far as retained snapshots tell. */
    static Optional<String> find(TableHandle handle, TableView view) {
        Set<String> strays = new HashSet<>();
        LiveEntries.of(handle, view.manifests())
                .forEach(
                        entry -> {
                            if (entry.file().firstRowId() == null) {
                                strays.add(entry.fileName());
                            }
                        });
        Optional<Snapshot> known = newestWithNextRowId(handle, view.snapshotId() - 1);
        if (strays.isEmpty() || known.isEmpty()) {
            return Optional.empty();
        }
        Set<String> destroyed = new HashSet<>();
        LiveEntries.of(handle, handle.readAt(known.get()).manifests())
                .forEach(
                        entry -> {
                            boolean had = entry.file().firstRowId() != null;
                            if (had && destroyed.isEmpty() && strays.contains(entry.fileName())) {
                                destroyed.add(entry.fileName());
                            }
                        });
        return destroyed.stream()
                .findFirst()
                .map(name -> name + " had a row id in snapshot " + known.get().id());
    }

    private static Optional<Snapshot> newestWithNextRowId(TableHandle handle, long from) {
        for (long id = from; id >= 1; id--) {
            try {
                Snapshot snapshot = handle.snapshots().tryGetSnapshot(id);
                if (snapshot.nextRowId() != null) {
                    return Optional.of(snapshot);
                }
            } catch (FileNotFoundException e) {
                break;
            }
        }
        return Optional.empty();
    }
}
