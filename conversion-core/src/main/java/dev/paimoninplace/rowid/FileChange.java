package dev.paimoninplace.rowid;

import org.jspecify.annotations.Nullable;

/**
 * What the rules change in one live data file.
 *
 * @param rowId whether the file gets a row id
 * @param sequences whether its sequence numbers become {@link #SEQUENCE}
 * @param source whether its missing file source becomes {@code APPEND}
 * @param restoredRowId the row id that its first row had before a plain compaction wrote the ids
 *     into the file; it then counts as a file with all columns again. Null for every other file
 */
public record FileChange(
        boolean rowId, boolean sequences, boolean source, @Nullable Long restoredRowId) {

    /**
     * Smallest and largest sequence number of every file that gets a row id.
     *
     * <p>Data Evolution takes a column from the file with the highest sequence number of a row
     * range, and an update carries its snapshot id. 0 would mean "new file" to Paimon's commit and
     * be stamped again; anything above 1 can exceed the snapshot id of an update on a branch.
     */
    public static final long SEQUENCE = 1L;

    public static final FileChange NONE = new FileChange(false, false, false);

    /** A change that restores no row id. */
    public FileChange(boolean rowId, boolean sequences, boolean source) {
        this(rowId, sequences, source, null);
    }

    /** Whether there is anything to change. */
    public boolean isNeeded() {
        return rowId || sequences || source || restoredRowId != null;
    }
}
