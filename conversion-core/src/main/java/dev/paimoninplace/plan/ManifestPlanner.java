package dev.paimoninplace.plan;

import dev.paimoninplace.conversion.ProgressListener;
import dev.paimoninplace.plan.ManifestPlan.PlannedManifest;
import dev.paimoninplace.plan.Mending.HiddenUpdates;
import dev.paimoninplace.rowid.FileRule;
import dev.paimoninplace.rowid.FileRule.KnownSequences;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.paimon.manifest.FileEntry;
import org.apache.paimon.manifest.ManifestFileMeta;

/**
 * Plans the row ids of a snapshot, and of the next one when that came first: manifests that are
 * still there and that no new deletion touches are not read again. Not safe for use by many
 * threads; works with several itself.
 */
public final class ManifestPlanner {

    /** Each further attempt means that a snapshot went within one reading of its manifests. */
    private static final int MAX_ATTEMPTS = 10;

    private final ManifestScanner scanner;
    private final Parallel parallel;
    private final ProgressListener progress;
    private final Mending mending;
    private final AtomicLong bytesRead = new AtomicLong();

    private Map<String, Known> known = Map.of();
    private Set<FileEntry.Identifier> knownDeletions = Set.of();
    private Map<String, List<FileEntry.Identifier>> deletionsByManifest = Map.of();
    private FileRule knownRule = new FileRule(KnownSequences.MEND, 0);

    private record Known(ScannedManifest scanned, PlannedManifest planned) {}

    /** Plans a conversion. */
    public ManifestPlanner(TableHandle handle, Parallel parallel, ProgressListener progress) {
        this(handle, parallel, progress, Mending.OF_CONVERSION);
    }

    public ManifestPlanner(
            TableHandle handle, Parallel parallel, ProgressListener progress, Mending mending) {
        this.mending = mending;
        this.scanner = new ManifestScanner(handle);
        this.parallel = parallel;
        this.progress = progress;
    }

    /** Bytes of manifests read so far. */
    public long bytesRead() {
        return bytesRead.get();
    }

    /**
     * Plans the newest snapshot of a table. One that is expired while its manifests are read gives
     * way to its successor.
     */
    public ManifestPlan planNewest(TableHandle handle) {
        for (int attempt = 1; ; attempt++) {
            TableView view = handle.read();
            try {
                ManifestPlan plan = plan(view);
                return plan.idsAreComplete()
                        ? plan
                        : plan.with(MisleadingStrays.find(handle, view));
            } catch (RuntimeException e) {
                if (attempt == MAX_ATTEMPTS || !handle.isOutdated(view, e)) {
                    throw e;
                }
            }
        }
    }

    /** Reads what is not known yet of the manifests of a table and puts it together. */
    public ManifestPlan plan(TableView view) {
        ManifestPlan plan = plan(view, KnownSequences.MEND);
        return mending.hiddenUpdates() == HiddenUpdates.STAY_HIDDEN
                        && view.isDataEvolution()
                        && couldShowHiddenUpdates()
                ? plan(view, KnownSequences.KEEP)
                : plan;
    }

    /** Whether other sequence numbers could change which file readers take a column from. */
    private boolean couldShowHiddenUpdates() {
        boolean partial =
                known.values().stream().anyMatch(k -> !k.scanned().partialRanges().isEmpty());
        return partial && known.values().stream().anyMatch(k -> k.scanned().mendedFiles() > 0);
    }

    private ManifestPlan plan(TableView view, KnownSequences sequences) {
        FileRule rule = new FileRule(sequences, view.snapshotId(), mending.restoredRowIds());
        boolean sameRule =
                sequences == knownRule.knownSequences()
                        && view.snapshotId() >= knownRule.latestSnapshotId();
        if (!sameRule) {
            known = Map.of();
        }
        knownRule = rule;
        Set<FileEntry.Identifier> deletions = deletions(view.manifests());
        Map<String, Known> current = scan(view, deletions, rule);
        known = current;
        knownDeletions = deletions;
        return assemble(view, rule, deletions, current.values());
    }

    private Set<FileEntry.Identifier> deletions(List<ManifestFileMeta> manifests) {
        List<ManifestFileMeta> unread =
                manifests.stream()
                        .filter(m -> m.numDeletedFiles() > 0)
                        .filter(m -> !deletionsByManifest.containsKey(m.fileName()))
                        .toList();
        List<List<FileEntry.Identifier>> read = parallel.map(unread, scanner::deletions);
        unread.forEach(m -> bytesRead.addAndGet(m.fileSize()));
        Map<String, List<FileEntry.Identifier>> current = new HashMap<>();
        for (int i = 0; i < unread.size(); i++) {
            current.put(unread.get(i).fileName(), read.get(i));
        }
        Set<FileEntry.Identifier> all = new HashSet<>();
        for (ManifestFileMeta manifest : manifests) {
            if (manifest.numDeletedFiles() > 0) {
                String name = manifest.fileName();
                current.computeIfAbsent(name, deletionsByManifest::get);
                all.addAll(current.get(name));
            }
        }
        deletionsByManifest = current;
        return all;
    }

    private Map<String, Known> scan(
            TableView view, Set<FileEntry.Identifier> deletions, FileRule rule) {
        Set<FileEntry.Identifier> newlyDeleted = new HashSet<>(deletions);
        newlyDeleted.removeAll(knownDeletions);
        List<ManifestFileMeta> unread =
                view.manifests().stream()
                        .filter(m -> !isKnown(m, newlyDeleted, deletions))
                        .toList();
        boolean tracksRows = view.options().rowTrackingEnabled() && !view.isDataEvolution();
        AtomicLong done = new AtomicLong();
        List<ScannedManifest> read =
                parallel.map(
                        unread,
                        manifest -> {
                            ScannedManifest scanned =
                                    scanner.scan(manifest, deletions, rule, tracksRows);
                            bytesRead.addAndGet(manifest.fileSize());
                            progress.progress(
                                    ProgressListener.Stage.COUNT,
                                    done.incrementAndGet(),
                                    unread.size());
                            return scanned;
                        });
        Map<String, Known> fresh = new HashMap<>();
        for (ScannedManifest scanned : read) {
            fresh.put(
                    scanned.meta().fileName(),
                    new Known(scanned, new PlannedManifest(scanned.meta(), scanned.summary())));
        }
        Map<String, Known> current = new LinkedHashMap<>();
        for (ManifestFileMeta manifest : view.manifests()) {
            Known one = fresh.getOrDefault(manifest.fileName(), known.get(manifest.fileName()));
            current.put(manifest.fileName(), one);
        }
        return current;
    }

    private boolean isKnown(
            ManifestFileMeta manifest,
            Set<FileEntry.Identifier> newlyDeleted,
            Set<FileEntry.Identifier> deletions) {
        Known one = known.get(manifest.fileName());
        return one != null && one.scanned().holdsUnder(newlyDeleted, deletions);
    }

    private static ManifestPlan assemble(
            TableView view,
            FileRule rule,
            Set<FileEntry.Identifier> deletions,
            Collection<Known> manifests) {
        List<PlannedManifest> planned = new ArrayList<>(manifests.size());
        FileFindings findings = FileFindings.NONE;
        long additions = 0;
        Set<FileEntry.Identifier> cancelled = new HashSet<>();
        RowIdRanges full = new RowIdRanges();
        RowIdRanges partial = new RowIdRanges();
        for (Known one : manifests) {
            ScannedManifest scanned = one.scanned();
            planned.add(one.planned());
            findings = findings.plus(scanned.findings());
            additions += scanned.cancelledAdditions();
            cancelled.addAll(scanned.cancelled());
            full.addAll(scanned.fullRanges());
            partial.addAll(scanned.partialRanges());
        }
        Optional<Long> repeated = view.isDataEvolution() ? Optional.empty() : full.firstRepeated();
        Optional<Long> outside = partial.isEmpty() ? Optional.empty() : partial.firstOutside(full);
        return new ManifestPlan(
                view,
                rule,
                deletions,
                planned,
                findings,
                additions - cancelled.size(),
                repeated,
                outside);
    }
}
