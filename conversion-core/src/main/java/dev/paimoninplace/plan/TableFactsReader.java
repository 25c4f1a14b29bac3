package dev.paimoninplace.plan;

import dev.paimoninplace.conversion.CommitUser;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.paimon.Snapshot;
import org.apache.paimon.consumer.ConsumerManager;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.utils.SnapshotManager;

/** Reads the surroundings of a table. */
final class TableFactsReader {

    /** Snapshots looked at for commit users; enough to see every running job. */
    private static final int RECENT_SNAPSHOTS = 100;

    private TableFactsReader() {}

    static TableFacts read(TableHandle handle) {
        FileStoreTable table = handle.table();
        return new TableFacts(
                Optional.ofNullable(Snapshot.class.getPackage().getImplementationVersion()),
                CatalogCheck.kindOf(handle.catalog()),
                !table.fileIO().isObjectStore() || table.catalogEnvironment().lockFactory() != null,
                handle.branch(),
                table.branchManager().branches(),
                tags(table),
                consumers(table, handle.branch()),
                commitUsers(handle));
    }

    private static Map<String, Long> tags(FileStoreTable table) {
        Map<String, Long> tags = new TreeMap<>();
        table.tagManager()
                .tags()
                .forEach((snapshot, names) -> names.forEach(name -> tags.put(name, snapshot.id())));
        return tags;
    }

    private static Map<String, Long> consumers(FileStoreTable table, String branch) {
        try {
            return new ConsumerManager(table.fileIO(), table.location(), branch).consumers();
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot list the consumers of " + table.name(), e);
        }
    }

    private static List<CommitUser> commitUsers(TableHandle handle) {
        SnapshotManager snapshots = handle.snapshots();
        Map<String, CommitUser> users = new LinkedHashMap<>();
        long newest = handle.latestSnapshot().map(Snapshot::id).orElse(0L);
        long oldest = Math.max(1, newest - RECENT_SNAPSHOTS + 1);
        for (long id = newest; id >= oldest; id--) {
            Snapshot snapshot;
            try {
                snapshot = snapshots.tryGetSnapshot(id);
            } catch (FileNotFoundException e) {
                break;
            }
            users.putIfAbsent(
                    snapshot.commitUser(),
                    new CommitUser(
                            snapshot.commitUser(),
                            snapshot.id(),
                            snapshot.timeMillis(),
                            snapshot.commitKind().name()));
        }
        return new ArrayList<>(users.values());
    }
}
