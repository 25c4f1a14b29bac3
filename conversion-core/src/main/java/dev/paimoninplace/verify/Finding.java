package dev.paimoninplace.verify;

import java.util.Optional;

/**
 * One thing that is not as it should be.
 *
 * @param code what kind of thing
 * @param severity what it means for readers and writers
 * @param file data file or manifest; empty when it concerns the table
 * @param partition partition of the file as in its path, without a last slash; empty when the table
 *     has no partitions or it concerns the table
 * @param origin the commit that brought it, if a retained snapshot still tells
 * @param detail the fact, with values
 * @param repair what to do about it
 */
public record Finding(
        FindingCode code,
        Severity severity,
        Optional<String> file,
        Optional<String> partition,
        Optional<Origin> origin,
        String detail,
        String repair) {

    /** What a finding means. */
    public enum Severity {
        /** Reads fail or are wrong, or will be after the next ordinary commit. */
        ERROR,
        /** Right today; something that is about to be done would not be. */
        WARNING
    }

    /**
     * The commit that brought a finding.
     *
     * @param snapshotId its snapshot
     * @param commitUser who committed
     * @param commitMillis when, epoch milliseconds
     */
    public record Origin(long snapshotId, String commitUser, long commitMillis) {}

    static Finding ofTable(FindingCode code, String detail) {
        return of(code, Optional.empty(), Optional.empty(), Optional.empty(), detail);
    }

    static Finding of(
            FindingCode code,
            Optional<String> file,
            Optional<String> partition,
            Optional<Origin> origin,
            String detail) {
        Optional<String> folder =
                partition
                        .map(
                                path ->
                                        path.endsWith("/")
                                                ? path.substring(0, path.length() - 1)
                                                : path)
                        .filter(path -> !path.isEmpty());
        return new Finding(code, code.severity(), file, folder, origin, detail, code.repair());
    }

    Finding withOrigin(Origin newOrigin) {
        return new Finding(code, severity, file, partition, Optional.of(newOrigin), detail, repair);
    }
}
