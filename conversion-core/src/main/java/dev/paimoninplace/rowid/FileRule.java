package dev.paimoninplace.rowid;

import java.util.Optional;
import org.apache.paimon.io.DataFileMeta;

/**
 * Decides what changes in a live data file.
 *
 * @param knownSequences whether sequence numbers of files that already have a row id are mended:
 *     only where no update can depend on them
 * @param latestSnapshotId newest snapshot, the highest sequence number that an update can have
 */
public record FileRule(KnownSequences knownSequences, long latestSnapshotId) {

    /** What happens to the sequence numbers of a file that already has a row id. */
    public enum KnownSequences {
        /** They become 1 where Data Evolution could not use them. */
        MEND,
        /** They stay: changing them could bring a hidden update to light. */
        KEEP
    }

    /**
     * The change that a file needs.
     *
     * @param file a live data file; one without row id holds all columns of its schema
     */
    public FileChange changeOf(DataFileMeta file) {
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
