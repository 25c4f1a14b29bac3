package dev.paimoninplace.rowid;

import static org.apache.paimon.io.DataFileMeta.create;

import java.util.List;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.manifest.FileSource;
import org.jspecify.annotations.Nullable;

/**
 * What the rules change in one live data file.
 *
 * @param rowId whether the file gets a row id
 * @param sequences whether its sequence numbers become {@link #SEQUENCE}
 * @param source whether its missing file source becomes {@code APPEND}
 */
public record FileChange(boolean rowId, boolean sequences, boolean source) {

    /**
     * Smallest and largest sequence number of every file that gets a row id.
     *
     * <p>Data Evolution takes a column from the file with the highest sequence number of a row
     * range, and an update carries its snapshot id. 0 would mean "new file" to Paimon's commit and
     * be stamped again; anything above 1 can exceed the snapshot id of an update on a branch.
     */
    public static final long SEQUENCE = 1L;

    public static final FileChange NONE = new FileChange(false, false, false);

    /** Whether there is anything to change. */
    public boolean isNeeded() {
        return rowId || sequences || source;
    }

    /**
     * The file with this change made; every other attribute is the same.
     *
     * @param firstRowId the id of its first row; ignored unless {@link #rowId}
     */
    public DataFileMeta applyTo(DataFileMeta file, long firstRowId) {
        return copy(
                file,
                sequences ? SEQUENCE : file.minSequenceNumber(),
                sequences ? SEQUENCE : file.maxSequenceNumber(),
                file.fileSource().orElse(source ? FileSource.APPEND : null),
                rowId ? (Long) firstRowId : file.firstRowId());
    }

    /** The same change without a row id. */
    public FileChange withoutRowId() {
        return new FileChange(false, sequences, source);
    }

    private static DataFileMeta copy(
            DataFileMeta file,
            long minSequenceNumber,
            long maxSequenceNumber,
            @Nullable FileSource fileSource,
            @Nullable Long firstRowId) {
        List<String> writeCols = file.writeCols();
        return create(
                file.fileName(),
                file.fileSize(),
                file.rowCount(),
                file.minKey(),
                file.maxKey(),
                file.keyStats(),
                file.valueStats(),
                minSequenceNumber,
                maxSequenceNumber,
                file.schemaId(),
                file.level(),
                file.extraFiles(),
                file.creationTime(),
                file.deleteRowCount().orElse(null),
                file.embeddedIndex(),
                fileSource,
                file.valueStatsCols(),
                file.externalPath().orElse(null),
                firstRowId,
                writeCols);
    }
}
