package dev.paimoninplace.benchmark;

import java.util.List;
import org.apache.paimon.manifest.BinaryManifestEntry;
import org.apache.paimon.manifest.ManifestEntrySerializer;
import org.apache.paimon.manifest.ManifestFile;
import org.apache.paimon.manifest.ManifestFileMeta;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.utils.CloseableIterator;

/**
 * The least that a program must do which changes every manifest of a table with Paimon's own
 * classes: each manifest once, entry by entry. Safe for use by many threads.
 */
final class Floor {

    private final FileStoreTable table;
    private final ManifestFile file;

    Floor(FileStoreTable table) {
        this.table = table;
        this.file = table.store().manifestFileFactory().create();
    }

    /** Manifests of the newest snapshot. */
    List<ManifestFileMeta> manifests() {
        return table.store()
                .manifestListFactory()
                .create()
                .readDataManifests(table.snapshotManager().latestSnapshot());
    }

    /**
     * Reads and decodes a manifest.
     *
     * @return entries read
     */
    long read(ManifestFileMeta manifest) throws Exception {
        ManifestEntrySerializer serializer = new ManifestEntrySerializer();
        long count = 0;
        try (CloseableIterator<BinaryManifestEntry> entries = entries(manifest)) {
            while (entries.hasNext()) {
                serializer.fromRow(entries.next().fullRow());
                count++;
            }
        }
        return count;
    }

    /**
     * Reads, decodes, encodes and writes a manifest; the copy is deleted.
     *
     * @return bytes written
     */
    long copy(ManifestFileMeta manifest) throws Exception {
        ManifestEntrySerializer serializer = new ManifestEntrySerializer();
        ManifestFile.ManifestEntryWriter writer =
                file.createManifestEntryWriter(
                        table.store().pathFactory().manifestFileFactory().newPath());
        try (CloseableIterator<BinaryManifestEntry> entries = entries(manifest)) {
            while (entries.hasNext()) {
                writer.write(serializer.fromRow(entries.next().fullRow()));
            }
        }
        writer.close();
        ManifestFileMeta copy = writer.result();
        file.delete(copy.fileName());
        return copy.fileSize();
    }

    private CloseableIterator<BinaryManifestEntry> entries(ManifestFileMeta manifest) {
        return file.scan(
                manifest.fileName(), manifest.fileSize(), BinaryManifestEntry.fullProjection());
    }
}
