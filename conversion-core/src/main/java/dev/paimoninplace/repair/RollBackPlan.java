package dev.paimoninplace.repair;

import dev.paimoninplace.conversion.LostCommit;
import java.util.List;
import org.apache.paimon.Snapshot;
import org.apache.paimon.manifest.IndexManifestEntry;
import org.apache.paimon.manifest.ManifestEntry;

/**
 * How the content of an older snapshot, together with later pure appends, becomes that of a new
 * one. A file that a later commit removed is never added again: when the snapshots of that commit
 * expire, Paimon deletes the file by its name. It is copied under another name.
 *
 * @param target snapshot whose content is taken up again
 * @param latest newest snapshot, which the new one follows
 * @param dropped live files that are not part of the new content
 * @param copied files of the new content that are not live any more, with their attributes of just
 *     before they were removed
 * @param appended files of later pure appends that are part of the new content
 * @param index index files of the target
 * @param copiedIndexFiles names of those of them that the newest snapshot does not have
 * @param losses commits whose effect is dropped, oldest first
 * @param strayFiles files of the new content without row id
 * @param strayRows rows in these files
 */
public record RollBackPlan(
        Snapshot target,
        Snapshot latest,
        List<ManifestEntry> dropped,
        List<ManifestEntry> copied,
        List<ManifestEntry> appended,
        List<IndexManifestEntry> index,
        List<String> copiedIndexFiles,
        List<LostCommit> losses,
        long strayFiles,
        long strayRows) {

    public RollBackPlan {
        dropped = List.copyOf(dropped);
        copied = List.copyOf(copied);
        appended = List.copyOf(appended);
        index = List.copyOf(index);
        copiedIndexFiles = List.copyOf(copiedIndexFiles);
        losses = List.copyOf(losses);
    }

    /** Bytes of the files that are copied. */
    public long copiedBytes() {
        return copied.stream().mapToLong(entry -> entry.file().fileSize()).sum();
    }
}
