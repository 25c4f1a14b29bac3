package dev.paimoninplace.repair;

import dev.paimoninplace.plan.EntryReader;
import dev.paimoninplace.plan.TableHandle;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.paimon.manifest.BinaryManifestEntry;
import org.apache.paimon.manifest.FileEntry;
import org.apache.paimon.manifest.ManifestFileMeta;

/**
 * The live files of some manifests, read one by one as often as asked for.
 *
 * @param entries reads them
 * @param manifests in commit order
 * @param deleted files that some of these manifests deletes
 */
record LiveEntries(
        EntryReader entries, List<ManifestFileMeta> manifests, Set<FileEntry.Identifier> deleted) {

    static LiveEntries of(TableHandle handle, List<ManifestFileMeta> manifests) {
        EntryReader entries = new EntryReader(handle);
        Set<FileEntry.Identifier> deleted = new HashSet<>();
        manifests.stream()
                .filter(m -> m.numDeletedFiles() > 0)
                .forEach(m -> deleted.addAll(entries.deletions(m)));
        return new LiveEntries(entries, manifests, deleted);
    }

    /** Hands over each live entry; it is good only until the consumer returns. */
    void forEach(Consumer<BinaryManifestEntry> consumer) {
        for (ManifestFileMeta manifest : manifests) {
            entries.read(
                    manifest,
                    entry -> {
                        boolean live =
                                entry.isAdd()
                                        && (deleted.isEmpty()
                                                || !deleted.contains(entry.identifier()));
                        if (live) {
                            consumer.accept(entry);
                        }
                    });
        }
    }
}
