package dev.paimoninplace.commit;

import dev.paimoninplace.commit.StagedManifest.By;
import dev.paimoninplace.plan.EntryReader;
import dev.paimoninplace.plan.ManifestPlan;
import dev.paimoninplace.plan.ManifestPlan.PlannedManifest;
import dev.paimoninplace.plan.TableHandle;
import dev.paimoninplace.rowid.FileChange;
import dev.paimoninplace.rowid.FileRule;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.fs.Path;
import org.apache.paimon.manifest.BinaryManifestEntry;
import org.apache.paimon.manifest.FileEntry;
import org.apache.paimon.manifest.ManifestEntry;
import org.apache.paimon.manifest.ManifestFile;
import org.apache.paimon.manifest.ManifestFileMeta;
import org.apache.paimon.utils.CloseableIterator;
import org.apache.paimon.utils.PathFactory;
import org.jspecify.annotations.Nullable;

/**
 * Writes a manifest anew: live entries only, with their row ids. One output per input, so that
 * manifests keep their order and work spreads over threads. Safe for use by many threads.
 */
final class ManifestRewriter {

    private final ManifestFile.Factory manifestFiles;
    private final ManifestFile manifestFile;
    private final PathFactory paths;
    private final AvroManifestPatcher patcher;
    private final EntryReader reader;

    ManifestRewriter(TableHandle handle) {
        this.manifestFiles = handle.table().store().manifestFileFactory();
        this.manifestFile = manifestFiles.create();
        this.paths = handle.table().store().pathFactory().manifestFileFactory();
        this.patcher = new AvroManifestPatcher(handle);
        this.reader = new EntryReader(handle);
    }

    /**
     * Writes the successor of one manifest. The file is complete when this returns; on failure it
     * is deleted.
     *
     * @param firstIds id of the first row per partition
     */
    StagedManifest rewrite(
            PlannedManifest source, ManifestPlan plan, Map<BinaryRow, Long> firstIds) {
        try {
            Optional<StagedManifest> patched =
                    patcher.mayTake(source) ? patcher.patch(source, firstIds) : Optional.empty();
            return patched.isPresent() ? patched.get() : byEntries(source, plan, firstIds);
        } catch (Exception e) {
            throw new IllegalStateException(
                    "Cannot write the successor of manifest " + source.meta().fileName() + ".", e);
        }
    }

    StagedManifest byEntries(
            PlannedManifest source, ManifestPlan plan, Map<BinaryRow, Long> firstIds)
            throws Exception {
        Rewrite rewrite = new Rewrite(plan, firstIds);
        try (CloseableIterator<BinaryManifestEntry> entries = entries(source.meta())) {
            while (entries.hasNext()) {
                rewrite.accept(entries.next());
            }
            Optional<ManifestFileMeta> written = rewrite.finish();
            return new StagedManifest(
                    source, written, firstIds, rewrite.content.value(), By.ENTRIES);
        } catch (Exception | Error e) {
            rewrite.abort();
            throw e;
        }
    }

    AvroManifestPatcher patcher() {
        return patcher;
    }

    EntryReader reader() {
        return reader;
    }

    CloseableIterator<BinaryManifestEntry> entries(ManifestFileMeta manifest) {
        return manifestFile.scan(
                manifest.fileName(), manifest.fileSize(), BinaryManifestEntry.fullProjection());
    }

    void delete(ManifestFileMeta manifest) {
        manifestFile.delete(manifest.fileName());
    }

    private final class Rewrite {

        private final Set<FileEntry.Identifier> deleted;
        private final FileRule rule;
        private final Map<BinaryRow, Long> cursors;
        private final ContentDigest content = new ContentDigest();
        private @Nullable Path path;
        private ManifestFile.@Nullable ManifestEntryWriter writer;

        Rewrite(ManifestPlan plan, Map<BinaryRow, Long> firstIds) {
            this.deleted = plan.deleted();
            this.rule = plan.rule();
            this.cursors = new HashMap<>(firstIds);
        }

        void accept(BinaryManifestEntry read) throws IOException {
            if (read.isDelete() || (!deleted.isEmpty() && deleted.contains(read.identifier()))) {
                return;
            }
            FileChange change = rule.changeOf(read.file());
            if (!change.isNeeded()) {
                content.add(read.fullRow());
                writer().write(read);
                return;
            }
            EntryRow changed = new EntryRow(read.fullRow());
            changed.apply(change);
            content.add(changed.row());
            if (change.rowId()) {
                changed.setFirstRowId(take(read));
            }
            writer().write(changed.toEntry());
        }

        private long take(ManifestEntry entry) {
            BinaryRow partition = entry.partition();
            Long first = cursors.get(partition);
            if (first == null) {
                throw new IllegalStateException("No row ids were planned for a partition.");
            }
            long idCount = FileRule.idCount(entry.rowCount());
            cursors.put(partition, Math.addExact(first, idCount));
            return first;
        }

        private ManifestFile.ManifestEntryWriter writer() {
            if (writer == null) {
                path = paths.newPath();
                // One for each writer: writers of one ORC factory mix up their streams.
                writer = manifestFiles.create().createManifestEntryWriter(path);
            }
            return writer;
        }

        Optional<ManifestFileMeta> finish() throws IOException {
            if (writer == null) {
                return Optional.empty();
            }
            writer.close();
            return Optional.of(writer.result());
        }

        void abort() {
            if (writer != null) {
                writer.abort();
            } else if (path != null) {
                // The file may be there although it could not be opened.
                manifestFile.delete(path.getName());
            }
        }
    }
}
