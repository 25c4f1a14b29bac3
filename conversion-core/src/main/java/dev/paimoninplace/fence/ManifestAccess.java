package dev.paimoninplace.fence;

import dev.paimoninplace.plan.EntryReader;
import dev.paimoninplace.plan.FileShapes;
import org.apache.paimon.manifest.IndexManifestFile;
import org.apache.paimon.manifest.ManifestList;
import org.apache.paimon.table.FileStoreTable;

/**
 * Readers of the manifests of a table.
 *
 * @param list reader of manifest lists
 * @param entries reader of manifests
 * @param indexes reader of index manifests
 * @param shapes what part of its rows a file holds
 */
record ManifestAccess(
        ManifestList list, EntryReader entries, IndexManifestFile indexes, FileShapes shapes) {

    /**
     * @param schemaId the schema that a snapshot names
     */
    static ManifestAccess of(GuardedBranch branch, long schemaId) {
        FileStoreTable table = branch.table(schemaId);
        return new ManifestAccess(
                table.store().manifestListFactory().create(),
                new EntryReader(table),
                table.store().indexManifestFileFactory().create(),
                new FileShapes(branch.schemas()));
    }
}
