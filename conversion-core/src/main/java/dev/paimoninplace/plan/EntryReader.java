package dev.paimoninplace.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.manifest.BinaryManifestEntry;
import org.apache.paimon.manifest.FileEntry;
import org.apache.paimon.manifest.ManifestEntry;
import org.apache.paimon.manifest.ManifestFile;
import org.apache.paimon.manifest.ManifestFileMeta;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.types.RowType;
import org.apache.paimon.utils.CloseableIterator;

/**
 * Reads manifests entry by entry, without statistics and keys, which are most of an entry. Safe for
 * use by many threads.
 */
public final class EntryReader {

    private static final BinaryManifestEntry.Projection PROJECTION =
            BinaryManifestEntry.Projection.create(
                    new RowType(
                            false,
                            List.of(
                                    ManifestEntry.MANIFEST_ROW_TYPE.getField(ManifestEntry.KIND),
                                    ManifestEntry.MANIFEST_ROW_TYPE.getField(
                                            ManifestEntry.PARTITION),
                                    ManifestEntry.MANIFEST_ROW_TYPE.getField(ManifestEntry.BUCKET),
                                    ManifestEntry.MANIFEST_ROW_TYPE
                                            .getField(ManifestEntry.FILE)
                                            .newType(
                                                    DataFileMeta.SCHEMA.project(
                                                            DataFileMeta.FILE_NAME,
                                                            DataFileMeta.FILE_SIZE,
                                                            DataFileMeta.ROW_COUNT,
                                                            DataFileMeta.MIN_SEQUENCE_NUMBER,
                                                            DataFileMeta.MAX_SEQUENCE_NUMBER,
                                                            DataFileMeta.SCHEMA_ID,
                                                            DataFileMeta.LEVEL,
                                                            DataFileMeta.EXTRA_FILES,
                                                            DataFileMeta.CREATION_TIME,
                                                            DataFileMeta.EMBEDDED_FILE_INDEX,
                                                            DataFileMeta.FILE_SOURCE,
                                                            DataFileMeta.EXTERNAL_PATH,
                                                            DataFileMeta.FIRST_ROW_ID,
                                                            DataFileMeta.WRITE_COLS)))));

    private final ManifestFile manifestFile;

    public EntryReader(TableHandle handle) {
        this(handle.table());
    }

    public EntryReader(FileStoreTable table) {
        this.manifestFile = table.store().manifestFileFactory().create();
    }

    /** The files that a manifest deletes; their additions may lie in any manifest. */
    public List<FileEntry.Identifier> deletions(ManifestFileMeta manifest) {
        List<FileEntry.Identifier> deletions = new ArrayList<>();
        read(
                manifest,
                BinaryManifestEntry.DELETE_ENTRY_PROJECTION,
                entry -> {
                    if (entry.isDelete()) {
                        deletions.add(entry.identifier());
                    }
                });
        return deletions;
    }

    /** Hands over each entry in order; an entry is good only until the consumer returns. */
    public void read(ManifestFileMeta manifest, Consumer<BinaryManifestEntry> consumer) {
        read(manifest, PROJECTION, consumer);
    }

    /**
     * The entries in order, to be closed; an entry is good only until the next one is asked for.
     */
    public CloseableIterator<BinaryManifestEntry> iterate(ManifestFileMeta manifest) {
        return manifestFile.scan(manifest.fileName(), manifest.fileSize(), PROJECTION);
    }

    private void read(
            ManifestFileMeta manifest,
            BinaryManifestEntry.Projection projection,
            Consumer<BinaryManifestEntry> consumer) {
        try (CloseableIterator<BinaryManifestEntry> entries =
                manifestFile.scan(manifest.fileName(), manifest.fileSize(), projection)) {
            while (entries.hasNext()) {
                consumer.accept(entries.next());
            }
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("Cannot read manifest " + manifest.fileName(), e);
        }
    }
}
