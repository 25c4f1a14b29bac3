package dev.paimoninplace.conversion;

/**
 * A commit whose effect a roll back drops.
 *
 * @param snapshotId its snapshot
 * @param kind commit kind, as Paimon names it
 * @param commitUser who committed
 * @param commitMillis when, epoch milliseconds
 * @param addedRows rows in files with all columns that it added and that are dropped
 * @param updatedRows rows in files with some of the columns that it added and that are dropped
 * @param removedRows rows in files with all columns that it removed and that come back
 */
public record LostCommit(
        long snapshotId,
        String kind,
        String commitUser,
        long commitMillis,
        long addedRows,
        long updatedRows,
        long removedRows) {

    /** One line for people. */
    public String text() {
        return String.format(
                "snapshot %d (%s by %s at %s): %d row(s) added, %d updated, %d removed",
                snapshotId,
                kind,
                commitUser,
                TextReport.time(commitMillis),
                addedRows,
                updatedRows,
                removedRows);
    }
}
