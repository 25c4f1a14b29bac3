package dev.paimoninplace.commit;

import dev.paimoninplace.commit.SnapshotOutcome.Committed;
import dev.paimoninplace.commit.SnapshotOutcome.Lost;
import dev.paimoninplace.commit.SnapshotOutcome.Unknown;
import dev.paimoninplace.commit.SnapshotWriter.Successor;
import dev.paimoninplace.conversion.ConversionException;
import dev.paimoninplace.plan.TableHandle;
import dev.paimoninplace.repair.RollBackPlan;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.paimon.Snapshot;
import org.apache.paimon.manifest.IndexManifestEntry;
import org.apache.paimon.manifest.IndexManifestFile;
import org.apache.paimon.manifest.ManifestEntry;
import org.apache.paimon.manifest.ManifestFileMeta;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes up the content of an older snapshot in a new one: copies the files that went, then commits
 * what comes and what goes as the changes of one snapshot, by a compare-and-set on the newest one.
 */
public final class RollBackCommit {

    private static final Logger LOG = LoggerFactory.getLogger(RollBackCommit.class);

    private final TableHandle handle;
    private final Run run;
    private final Optional<StagedRowCheck> rowCheck;
    private final StagedFiles staged;
    private final FileCopies copies;
    private final IndexManifestFile indexManifestFile;
    private AddedFiles assigned = new AddedFiles(List.of(), 0, 0, 0);

    /**
     * @param rowCheck compares the rows too, before the commit
     */
    public RollBackCommit(TableHandle handle, Run run, Optional<StagedRowCheck> rowCheck) {
        this.rowCheck = rowCheck;
        this.handle = handle;
        this.run = run;
        this.staged = new StagedFiles(handle.table().fileIO());
        this.copies = new FileCopies(handle, staged);
        this.indexManifestFile = handle.table().store().indexManifestFileFactory().create();
    }

    /**
     * Copies and commits.
     *
     * @param nextRowIdFloor lower bound of the next row id of the snapshot
     * @return files that got row ids, or empty when another snapshot came first; everything copied
     *     is deleted then
     * @throws ConversionException outcome unknown, with everything copied kept
     */
    public Optional<RowIdResult> commit(RollBackPlan plan, long nextRowIdFloor) {
        try {
            Successor successor = stage(plan, nextRowIdFloor);
            SnapshotOutcome outcome =
                    new SnapshotWriter(handle, run.commitUser()).commit(plan.latest(), successor);
            if (outcome instanceof Lost) {
                staged.discardAll();
                return Optional.empty();
            }
            // From here on a failure of any kind must not delete what a snapshot may reference.
            staged.release();
            if (outcome instanceof Unknown unknown) {
                throw run.snapshotUnknown(plan.latest().id() + 1, unknown.cause());
            }
            committed(plan, ((Committed) outcome).snapshotId());
            return Optional.of(RowIdResult.ofData(assigned.files(), assigned.rows()));
        } catch (RuntimeException | Error e) {
            staged.discardAll();
            throw e;
        }
    }

    private Successor stage(RollBackPlan plan, long nextRowIdFloor) {
        List<ManifestEntry> copied = run.parallel().map(plan.copied(), copies::copy);
        Map<String, String> newNames = new HashMap<>();
        for (int i = 0; i < copied.size(); i++) {
            newNames.put(plan.copied().get(i).fileName(), copied.get(i).fileName());
        }
        Snapshot latest = plan.latest();
        List<ManifestFileMeta> base = handle.readAt(latest).manifests();
        Long next = latest.nextRowId();
        assigned =
                AddedFiles.withRowIds(
                        handle, copied, base, Math.max(nextRowIdFloor, next == null ? 0 : next));
        List<ManifestEntry> changes = new ArrayList<>(assigned.entries());
        plan.dropped().forEach(entry -> changes.add(ChangeManifest.deletion(entry)));
        List<ManifestFileMeta> delta = new ChangeManifest(handle, staged).write(changes);
        List<IndexManifestEntry> index = index(plan, newNames);
        rowCheck.ifPresent(check -> check.check(plan, concat(base, delta), index));
        return new Successor(
                base,
                delta,
                latest.totalRecordCount() + rowCount(copied) - rowCount(plan.dropped()),
                write(index),
                assigned.nextRowId());
    }

    private static <T> List<T> concat(List<T> first, List<T> second) {
        List<T> all = new ArrayList<>(first);
        all.addAll(second);
        return all;
    }

    private static long rowCount(List<ManifestEntry> entries) {
        return entries.stream().mapToLong(entry -> entry.file().rowCount()).sum();
    }

    /** The index files of the target, with the names of copied files in them. */
    private List<IndexManifestEntry> index(RollBackPlan plan, Map<String, String> newNames) {
        Set<String> gone = Set.copyOf(plan.copiedIndexFiles());
        List<IndexManifestEntry> entries = new ArrayList<>();
        for (IndexManifestEntry entry : plan.index()) {
            boolean isNamed =
                    Optional.ofNullable(entry.indexFile().dvRanges())
                            .map(ranges -> ranges.keySet().stream().anyMatch(newNames::containsKey))
                            .orElse(false);
            boolean asItIs = !isNamed && !gone.contains(entry.indexFile().fileName());
            entries.add(asItIs ? entry : copies.copy(entry, newNames));
        }
        return entries;
    }

    private @Nullable String write(List<IndexManifestEntry> index) {
        if (index.isEmpty()) {
            return null;
        }
        String name = indexManifestFile.writeWithoutRolling(index);
        staged.add(indexManifestFile.indexManifestFilePath(name));
        return name;
    }

    private void committed(RollBackPlan plan, long snapshotId) {
        run.committedSnapshot(snapshotId);
        LOG.info(
                "{}: snapshot {} takes up the content of snapshot {}, {} file(s) copied, {}"
                        + " dropped, without {} commit(s).",
                run.table(),
                snapshotId,
                plan.target().id(),
                plan.copied().size(),
                plan.dropped().size(),
                plan.losses().size());
    }
}
