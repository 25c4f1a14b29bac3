package dev.paimoninplace.commit;

/**
 * What one or more row-id passes did.
 *
 * @param fileCount files that got a row id
 * @param rowCount rows in these files
 * @param partitionCount partitions that hold these files, of the pass that touched most
 * @param rewritten manifests that were written anew
 * @param kept manifests referenced as they were by the first pass
 * @param written successors of the rewritten ones; those without a live file have none
 * @param readBacks how often a successor is read to compare it with what it replaces
 * @param bytesReadBack bytes of these readings
 * @param bytesRead bytes of the manifests that were rewritten
 * @param bytesWritten bytes of the successors
 * @param nextRowId next row id after the last pass; 0 when there was none
 * @param attempts commits tried
 */
public record RowIdResult(
        long fileCount,
        long rowCount,
        long partitionCount,
        long rewritten,
        long kept,
        long written,
        long readBacks,
        long bytesReadBack,
        long bytesRead,
        long bytesWritten,
        long nextRowId,
        int attempts) {

    public static final RowIdResult NOTHING = new RowIdResult(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

    static RowIdResult of(Staging staging, int attempts) {
        return new RowIdResult(
                staging.fileCount(),
                staging.rowCount(),
                staging.partitionCount(),
                staging.rewritten(),
                staging.kept(),
                staging.written(),
                staging.readBacks(),
                staging.bytesReadBack(),
                staging.bytesRead(),
                staging.bytesWritten(),
                staging.nextRowId(),
                attempts);
    }

    /** Row ids of files that were written or copied. */
    static RowIdResult ofData(long files, long rows) {
        return new RowIdResult(files, rows, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    }

    /** Attempts that all lost, the last one to somebody who did the same work. */
    static RowIdResult attempted(int attempts, long nextRowId) {
        return new RowIdResult(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, nextRowId, attempts);
    }

    /** This pass and a later one together. */
    public RowIdResult then(RowIdResult later) {
        boolean first = attempts == 0;
        return new RowIdResult(
                fileCount + later.fileCount,
                rowCount + later.rowCount,
                Math.max(partitionCount, later.partitionCount),
                rewritten + later.rewritten,
                first ? later.kept : kept,
                written + later.written,
                readBacks + later.readBacks,
                bytesReadBack + later.bytesReadBack,
                bytesRead + later.bytesRead,
                bytesWritten + later.bytesWritten,
                Math.max(nextRowId, later.nextRowId),
                attempts + later.attempts);
    }
}
