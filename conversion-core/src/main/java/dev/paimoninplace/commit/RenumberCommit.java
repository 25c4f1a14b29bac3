package dev.paimoninplace.commit;

import dev.paimoninplace.commit.SnapshotOutcome.Committed;
import dev.paimoninplace.commit.SnapshotOutcome.Lost;
import dev.paimoninplace.commit.SnapshotOutcome.Unknown;
import dev.paimoninplace.commit.SnapshotWriter.Successor;
import dev.paimoninplace.conversion.ConversionException;
import dev.paimoninplace.plan.TableHandle;
import dev.paimoninplace.plan.TableView;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.paimon.Snapshot;
import org.apache.paimon.manifest.FileEntry;
import org.apache.paimon.manifest.FileKind;
import org.apache.paimon.manifest.ManifestEntry;
import org.apache.paimon.manifest.ManifestFile;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Replaces files that hold row ids inside by files with the same rows and without these ids, in one
 * snapshot. A stock reader takes ids from inside a file, so nothing less would give the rows
 * others.
 */
public final class RenumberCommit {

    private static final Logger LOG = LoggerFactory.getLogger(RenumberCommit.class);

    private final TableHandle handle;
    private final Run run;
    private final StagedFiles staged;
    private AddedFiles assigned = new AddedFiles(List.of(), 0, 0, 0);

    public RenumberCommit(TableHandle handle, Run run) {
        this.handle = handle;
        this.run = run;
        this.staged = new StagedFiles(handle.table().fileIO());
    }

    /**
     * Writes and commits.
     *
     * @param view the table
     * @param names files to replace
     * @param nextRowIdFloor lower bound of the ids that are given out
     * @return files that got row ids, or empty when another snapshot came first; everything written
     *     is deleted then
     * @throws ConversionException outcome unknown, with everything written kept
     */
    public Optional<RowIdResult> commit(TableView view, Set<String> names, long nextRowIdFloor) {
        try {
            Snapshot latest = view.snapshot().orElseThrow();
            SnapshotOutcome outcome =
                    new SnapshotWriter(handle, run.commitUser())
                            .commit(latest, stage(view, names, nextRowIdFloor));
            if (outcome instanceof Lost) {
                staged.discardAll();
                return Optional.empty();
            }
            // From here on a failure of any kind must not delete what a snapshot may reference.
            staged.release();
            if (outcome instanceof Unknown unknown) {
                throw run.snapshotUnknown(latest.id() + 1, unknown.cause());
            }
            long snapshotId = ((Committed) outcome).snapshotId();
            run.committedSnapshot(snapshotId);
            LOG.info("{}: snapshot {} replaces {} file(s).", run.table(), snapshotId, names.size());
            return Optional.of(RowIdResult.ofData(assigned.files(), assigned.rows()));
        } catch (RuntimeException | Error e) {
            staged.discardAll();
            throw e;
        }
    }

    private Successor stage(TableView view, Set<String> names, long nextRowIdFloor) {
        Snapshot latest = view.snapshot().orElseThrow();
        ManifestFile manifestFile = handle.table().store().manifestFileFactory().create();
        RowRewriter rewriter = new RowRewriter(handle, staged);
        List<ManifestEntry> changes = new ArrayList<>();
        List<ManifestEntry> written = new ArrayList<>();
        List<ManifestEntry> entries =
                view.manifests().stream()
                        .flatMap(m -> manifestFile.read(m.fileName(), m.fileSize()).stream())
                        .filter(e -> names.contains(e.fileName()))
                        .toList();
        for (ManifestEntry entry : FileEntry.mergeEntries(entries)) {
            if (entry.kind() == FileKind.ADD) {
                changes.add(ChangeManifest.deletion(entry));
                written.addAll(rewriter.rewrite(entry));
            }
        }
        assigned =
                AddedFiles.withRowIds(
                        handle,
                        written,
                        view.manifests(),
                        Math.max(nextRowIdFloor, view.nextRowId()));
        changes.addAll(assigned.entries());
        return new Successor(
                view.manifests(),
                new ChangeManifest(handle, staged).write(changes),
                latest.totalRecordCount(),
                latest.indexManifest(),
                assigned.nextRowId());
    }
}
