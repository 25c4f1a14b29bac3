package dev.paimoninplace.rowid;

import java.util.Map;
import java.util.Optional;
import org.apache.paimon.io.DataFileMeta;
import org.jspecify.annotations.Nullable;

/**
 * Decides what changes in a live data file.
 *
 * @param knownSequences whether sequence numbers of files that already have a row id are mended:
 *     only where no update can depend on them
 * @param latestSnapshotId newest snapshot, the highest sequence number that an update can have
 * @param restoredRowIds name of a file to the row id that its first row had before; only files
 *     whose ids are a column inside the file
 */
public record FileRule(
        KnownSequences knownSequences, long latestSnapshotId, Map<String, Long> restoredRowIds) {

    /** What happens to the sequence numbers of a file that already has a row id. */
    public enum KnownSequences {
        /** They become 1 where Data Evolution could not use them. */
        MEND,
        /** They stay: changing them could bring a hidden update to light. */
        KEEP
    }

    public FileRule {
        restoredRowIds = Map.copyOf(restoredRowIds);
    }

    /** A rule that restores no row id. */
    public FileRule(KnownSequences knownSequences, long latestSnapshotId) {
        this(knownSequences, latestSnapshotId, Map.of());
    }

    /** The row id that a file had before and gets back; null when there is none. */
    public @Nullable Long restoredRowId(DataFileMeta file) {
        return restoredRowIds.isEmpty() || file.firstRowId() != null
                ? null
                : restoredRowIds.get(file.fileName());
    }

    /**
     * The change that a file needs.
     *
     * @param file a live data file; one without row id holds all columns of its schema
     */
    public FileChange changeOf(DataFileMeta file) {
        Long restored = restoredRowId(file);
        if (restored != null) {
            return new FileChange(false, true, file.fileSource().isEmpty(), restored);
        }
        boolean rowId = file.firstRowId() == null;
        boolean sequences = rowId || needsMending(file);
        return new FileChange(rowId, sequences, file.fileSource().isEmpty());
    }

    /** Only of a file with all columns: the sequence of an update decides what readers see. */
    private boolean needsMending(DataFileMeta file) {
        return knownSequences == KnownSequences.MEND
                && file.writeCols() == null
                && (file.minSequenceNumber() <= 0 || file.maxSequenceNumber() > latestSnapshotId);
    }

    /**
     * How many ids a file takes: its rows, and one for a file without rows, so that no two files
     * start at the same id.
     *
     * @param rowCount rows of the file
     */
    public static long idCount(long rowCount) {
        return Math.max(1L, rowCount);
    }

    /**
     * First id after a file, or empty when it has none.
     *
     * @throws ArithmeticException when the range exceeds a long
     */
    public static Optional<Long> endOf(DataFileMeta file) {
        Long first = file.firstRowId();
        return first == null
                ? Optional.empty()
                : Optional.of(Math.addExact(first, idCount(file.rowCount())));
    }
}
