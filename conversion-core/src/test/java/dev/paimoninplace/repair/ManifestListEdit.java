package dev.paimoninplace.repair;

import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.paimon.Snapshot;
import org.apache.paimon.manifest.ManifestEntry;
import org.apache.paimon.manifest.ManifestFile;
import org.apache.paimon.manifest.ManifestFileMeta;
import org.apache.paimon.manifest.ManifestList;
import org.apache.paimon.operation.FileStoreCommitImpl;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.utils.Pair;
import org.jspecify.annotations.Nullable;

/** Commits the newest snapshot once more with something about it changed. */
final class ManifestListEdit {

    private ManifestListEdit() {}

    static void nextRowId(FileStoreTable table, @Nullable Long nextRowId) {
        commit(table, UnaryOperator.identity(), nextRowId);
    }

    /** All files with other attributes, and no next row id, as an old writer leaves them. */
    static void entries(FileStoreTable table, UnaryOperator<ManifestEntry> edit) {
        Snapshot latest = table.latestSnapshot().orElseThrow();
        ManifestFile manifestFile = table.store().manifestFileFactory().create();
        List<ManifestEntry> edited =
                table.store().manifestListFactory().create().readDataManifests(latest).stream()
                        .flatMap(m -> manifestFile.read(m.fileName(), m.fileSize()).stream())
                        .map(edit)
                        .toList();
        commit(table, manifestFile.write(edited), null);
    }

    static void manifests(FileStoreTable table, UnaryOperator<ManifestFileMeta> edit) {
        commit(table, edit, table.latestSnapshot().orElseThrow().nextRowId());
    }

    static ManifestFileMeta withRowIds(
            ManifestFileMeta meta, @Nullable Long minRowId, @Nullable Long maxRowId) {
        return new ManifestFileMeta(
                meta.fileName(),
                meta.fileSize(),
                meta.numAddedFiles(),
                meta.numDeletedFiles(),
                meta.partitionStats(),
                meta.schemaId(),
                meta.minBucket(),
                meta.maxBucket(),
                meta.minLevel(),
                meta.maxLevel(),
                minRowId,
                maxRowId);
    }

    private static void commit(
            FileStoreTable table, UnaryOperator<ManifestFileMeta> edit, @Nullable Long nextRowId) {
        Snapshot latest = table.latestSnapshot().orElseThrow();
        commit(
                table,
                table.store().manifestListFactory().create().readDataManifests(latest).stream()
                        .map(edit)
                        .toList(),
                nextRowId);
    }

    private static void commit(
            FileStoreTable table, List<ManifestFileMeta> edited, @Nullable Long nextRowId) {
        Snapshot latest = table.latestSnapshot().orElseThrow();
        ManifestList lists = table.store().manifestListFactory().create();
        Pair<String, Long> base = lists.write(edited);
        Pair<String, Long> delta = lists.write(List.of());
        try (FileStoreCommitImpl commit =
                (FileStoreCommitImpl) table.store().newCommit("edit", table)) {
            boolean committed =
                    commit.replaceManifestList(
                            latest,
                            latest.totalRecordCount(),
                            base,
                            delta,
                            latest.indexManifest(),
                            nextRowId);
            if (!committed) {
                throw new AssertionError("The edit lost a race.");
            }
        }
    }
}
