package dev.paimoninplace.commit;

import dev.paimoninplace.plan.TableHandle;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.apache.paimon.manifest.FileKind;
import org.apache.paimon.manifest.ManifestEntry;
import org.apache.paimon.manifest.ManifestFile;
import org.apache.paimon.manifest.ManifestFileMeta;

/** Writes what a snapshot adds and removes, and reads it back. */
final class ChangeManifest {

    private final TableHandle handle;
    private final StagedFiles staged;

    ChangeManifest(TableHandle handle, StagedFiles staged) {
        this.handle = handle;
        this.staged = staged;
    }

    /** The entry that removes a file. */
    static ManifestEntry deletion(ManifestEntry entry) {
        return ManifestEntry.create(
                FileKind.DELETE,
                entry.partition(),
                entry.bucket(),
                entry.totalBuckets(),
                entry.file());
    }

    /**
     * @throws IllegalStateException when other changes are read than were written
     */
    List<ManifestFileMeta> write(List<ManifestEntry> changes) {
        if (changes.isEmpty()) {
            return List.of();
        }
        ManifestFile manifestFile = handle.table().store().manifestFileFactory().create();
        List<ManifestFileMeta> manifests = manifestFile.write(changes);
        List<ManifestEntry> read = new ArrayList<>();
        for (ManifestFileMeta manifest : manifests) {
            staged.add(
                    handle.table()
                            .store()
                            .pathFactory()
                            .manifestFileFactory()
                            .toPath(manifest.fileName()));
        }
        for (ManifestFileMeta manifest : manifests) {
            read.addAll(manifestFile.read(manifest.fileName(), manifest.fileSize()));
        }
        if (read.size() != changes.size() || !new HashSet<>(read).containsAll(changes)) {
            throw new IllegalStateException(
                    String.format(
                            "The staged manifest has %d other changes than the %d that were"
                                    + " planned; nothing was committed.",
                            read.size(), changes.size()));
        }
        return manifests;
    }
}
