package dev.paimoninplace.repair;

import dev.paimoninplace.conversion.LostCommit;
import dev.paimoninplace.plan.TableHandle;
import dev.paimoninplace.plan.TableView;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.paimon.Snapshot;
import org.apache.paimon.fs.Path;
import org.apache.paimon.manifest.FileEntry;
import org.apache.paimon.manifest.FileKind;
import org.apache.paimon.manifest.IndexManifestEntry;
import org.apache.paimon.manifest.ManifestEntry;

/** Finds the newest snapshot that can be taken up again, and what that means. Reads only. */
public final class RollBackPlanner {

    /**
     * A plan, or why there is none.
     *
     * @param plan empty when it cannot be done
     * @param reason why not; empty when it can
     */
    public record Search(Optional<RollBackPlan> plan, String reason) {

        static Search impossible(String reason) {
            return new Search(Optional.empty(), reason);
        }
    }

    private final TableHandle handle;
    private final DamageReader damages;
    private final Commits commits;

    public RollBackPlanner(TableHandle handle, DamageReader damages) {
        this.handle = handle;
        this.damages = damages;
        this.commits = new Commits(handle);
    }

    /**
     * Looks at one snapshot after the other, newest first.
     *
     * @param view the table, with a snapshot
     */
    public Search search(TableView view) {
        Snapshot latest = view.snapshot().orElseThrow();
        List<Snapshot> later = new ArrayList<>();
        Snapshot candidate = latest;
        while (true) {
            if (candidate.nextRowId() == null) {
                return Search.impossible(
                        "Paimon 1.2 or older wrote snapshot "
                                + candidate.id()
                                + ", and may have changed files that it did not commit");
            }
            later.add(0, candidate);
            try {
                candidate = handle.snapshots().tryGetSnapshot(candidate.id() - 1);
            } catch (FileNotFoundException e) {
                return Search.impossible(
                        "no retained snapshot, down to "
                                + candidate.id()
                                + ", is without such findings");
            }
            boolean usable =
                    candidate.nextRowId() != null && !damages.readAt(candidate).needsRollBack();
            if (usable) {
                return new Changes(candidate, later).search();
            }
        }
    }

    /** A file that commits after the target added or removed. */
    private static final class Touched {

        private final ManifestEntry entry;
        private final boolean inContent;
        private final boolean added;
        private long removedBy;

        Touched(ManifestEntry entry, boolean inContent, boolean added) {
            this.entry = entry;
            this.inContent = inContent;
            this.added = added;
        }
    }

    /** What happened since the target. */
    private final class Changes {

        private final Snapshot target;
        private final List<Snapshot> later;
        private final Map<FileEntry.Identifier, Touched> touched = new LinkedHashMap<>();
        private final List<LostCommit> losses = new ArrayList<>();

        Changes(Snapshot target, List<Snapshot> later) {
            this.target = target;
            this.later = later;
        }

        Search search() {
            Snapshot before = target;
            for (Snapshot snapshot : later) {
                List<ManifestEntry> changes = commits.changes(snapshot);
                boolean pure = commits.isPureAppend(before, snapshot, changes);
                for (ManifestEntry entry : changes) {
                    if (!see(entry, snapshot.id(), pure)) {
                        return Search.impossible(
                                entry.fileName() + " was added again after it was removed");
                    }
                }
                if (!pure) {
                    commits.loss(before, snapshot, changes).ifPresent(losses::add);
                }
                before = snapshot;
            }
            return plan();
        }

        private boolean see(ManifestEntry entry, long snapshotId, boolean pure) {
            Touched known = touched.get(entry.identifier());
            if (entry.kind() == FileKind.ADD) {
                touched.put(entry.identifier(), new Touched(entry, pure, true));
                return known == null;
            }
            Touched removed = known == null ? new Touched(entry, true, false) : known;
            removed.removedBy = snapshotId;
            touched.put(entry.identifier(), removed);
            return true;
        }

        private Search plan() {
            List<ManifestEntry> dropped = new ArrayList<>();
            Map<Long, Set<FileEntry.Identifier>> removed = new TreeMap<>();
            touched.forEach(
                    (identifier, file) -> {
                        if (file.removedBy == 0 && !file.inContent) {
                            dropped.add(file.entry);
                        } else if (file.removedBy > 0 && file.inContent) {
                            removed.computeIfAbsent(file.removedBy, id -> new HashSet<>())
                                    .add(identifier);
                        }
                    });
            List<ManifestEntry> copied = new ArrayList<>();
            removed.forEach((id, files) -> copied.addAll(lastSeen(snapshotBefore(id), files)));
            Snapshot latest = later.get(later.size() - 1);
            List<IndexManifestEntry> index = commits.index(target);
            List<String> copiedIndex = indexToCopy(index, commits.index(latest));
            Optional<String> missing = missing(copied, index, copiedIndex);
            if (missing.isPresent()) {
                return Search.impossible(missing.get() + " is not there any more");
            }
            long[] strays = strays(latest, copied);
            return new Search(
                    Optional.of(
                            new RollBackPlan(
                                    target,
                                    latest,
                                    dropped,
                                    copied,
                                    touched.values().stream()
                                            .filter(file -> file.added && file.inContent)
                                            .map(file -> file.entry)
                                            .toList(),
                                    index,
                                    copiedIndex,
                                    losses,
                                    strays[0],
                                    strays[1])),
                    "");
        }

        private Snapshot snapshotBefore(long id) {
            return id - 1 == target.id() ? target : later.get((int) (id - 1 - later.get(0).id()));
        }

        /** Files as the last snapshot had them that they were live in. */
        private List<ManifestEntry> lastSeen(Snapshot snapshot, Set<FileEntry.Identifier> files) {
            Map<FileEntry.Identifier, ManifestEntry> found = new HashMap<>();
            commits.entries(
                            commits.manifests(snapshot),
                            entry ->
                                    entry.kind() == FileKind.ADD
                                            && files.contains(entry.identifier()))
                    .forEach(entry -> found.put(entry.identifier(), entry));
            if (found.size() != files.size()) {
                throw new IllegalStateException(
                        String.format(
                                "Snapshot %d has %d of %d files that a later one removed.",
                                snapshot.id(), found.size(), files.size()));
            }
            return List.copyOf(found.values());
        }

        /** Files and rows without row id in the new content. */
        private long[] strays(Snapshot latest, List<ManifestEntry> copied) {
            long[] strays = new long[2];
            LiveEntries.of(handle, commits.manifests(latest))
                    .forEach(
                            entry -> {
                                Touched known = touched.get(entry.identifier());
                                boolean stays = known == null || known.inContent;
                                if (stays && entry.file().firstRowId() == null) {
                                    strays[0]++;
                                    strays[1] += entry.file().rowCount();
                                }
                            });
            copied.stream()
                    .filter(entry -> entry.file().firstRowId() == null)
                    .forEach(
                            entry -> {
                                strays[0]++;
                                strays[1] += entry.file().rowCount();
                            });
            return strays;
        }
    }

    private static List<String> indexToCopy(
            List<IndexManifestEntry> target, List<IndexManifestEntry> latest) {
        Set<String> there = new HashSet<>();
        latest.forEach(entry -> there.add(entry.indexFile().fileName()));
        return target.stream()
                .map(entry -> entry.indexFile().fileName())
                .filter(name -> !there.contains(name))
                .toList();
    }

    private Optional<String> missing(
            List<ManifestEntry> copied, List<IndexManifestEntry> index, List<String> copiedIndex) {
        for (ManifestEntry entry : copied) {
            for (Path path : paths(entry)) {
                if (!exists(path)) {
                    return Optional.of(path.getName());
                }
            }
        }
        return index.stream()
                .filter(entry -> copiedIndex.contains(entry.indexFile().fileName()))
                .filter(entry -> !commits.indexFileExists(entry))
                .map(entry -> entry.indexFile().fileName())
                .findFirst();
    }

    private List<Path> paths(ManifestEntry entry) {
        return entry.file()
                .collectFiles(
                        handle.table()
                                .store()
                                .pathFactory()
                                .createDataFilePathFactory(entry.partition(), entry.bucket()));
    }

    private boolean exists(Path path) {
        try {
            return handle.table().fileIO().exists(path);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot look for " + path + ".", e);
        }
    }
}
