package dev.paimoninplace.conversion;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a conversion did, or what a dry run says that it would do.
 *
 * @param outcome what happened
 * @param table full name of the table, with its branch if one was given
 * @param runId identifier of the run; the commit user of its snapshots ends with it
 * @param stateBefore state found
 * @param stateAfter state left, or the state that the real run would leave
 * @param schemaBefore id of the latest schema found
 * @param schemaAfter id of the latest schema left
 * @param snapshotBefore id of the newest snapshot found; null when there was none
 * @param snapshotAfter id of the newest snapshot left
 * @param files data files that got a row id
 * @param rows rows in these files
 * @param partitions partitions that hold these files
 * @param manifestsRewritten manifests written anew
 * @param manifestsKept manifests that the new snapshot references as they were
 * @param manifestReads how often a manifest file was opened: to count, to rewrite, to compare
 * @param manifestWrites manifest files written
 * @param metadataBytesRead bytes of the manifest files read, each as often as it was
 * @param metadataBytesWritten bytes of the manifest files that were written; the manifest lists,
 *     snapshots and schema of a few kilobytes each are not counted
 * @param requests requests that the run itself made once it had loaded the table; no prediction
 * @param estimate how long the real run would take; null unless this is a dry run
 * @param nextRowId row id that the next committed row receives
 * @param checks every check that was made, in order, warnings included
 * @param commitUsers users of the retained snapshots, newest commit first
 * @param attempts how often the row-id commit was tried; 0 when none was needed
 * @param elapsedMillis duration of the run in milliseconds
 */
public record ConversionReport(
        Outcome outcome,
        String table,
        String runId,
        TableState stateBefore,
        TableState stateAfter,
        long schemaBefore,
        long schemaAfter,
        @Nullable Long snapshotBefore,
        long snapshotAfter,
        long files,
        long rows,
        long partitions,
        long manifestsRewritten,
        long manifestsKept,
        long manifestReads,
        long manifestWrites,
        long metadataBytesRead,
        long metadataBytesWritten,
        MetadataRequests requests,
        @Nullable Estimate estimate,
        long nextRowId,
        List<Check> checks,
        List<CommitUser> commitUsers,
        int attempts,
        long elapsedMillis) {

    /** What a run did. */
    public enum Outcome {
        /** Nothing written: the report is a prediction. */
        DRY_RUN,
        /** The table was not data evolution before and is now. */
        CONVERTED,
        /** The table already was data evolution; files without row id were mended. */
        REPAIRED,
        /** The table already was data evolution and clean; nothing was written. */
        SKIPPED
    }

    public ConversionReport {
        checks = List.copyOf(checks);
        commitUsers = List.copyOf(commitUsers);
    }

    /** Checks whose outcome is a warning, in order. */
    public List<Check> warnings() {
        return checks.stream().filter(c -> c.outcome() == Check.Outcome.WARNING).toList();
    }

    /** The result in one line, for people. */
    public String resultLine() {
        String name = "'" + table + "'";
        return switch (outcome) {
            case SKIPPED ->
                    "Skipped. Table "
                            + name
                            + " was not changed: data evolution is already enabled.";
            case DRY_RUN ->
                    "Dry run. Enabling data evolution on table "
                            + name
                            + " would do: "
                            + (stateBefore == TableState.SEALED && files == 0
                                    ? "nothing, data evolution is already enabled."
                                    : changes());
            case CONVERTED -> "Success. Enabled data evolution on table " + name + ": " + changes();
            case REPAIRED -> "Repaired. Table " + name + ": " + changes();
        };
    }

    private String changes() {
        return String.format(
                "schema %d -> %d, snapshot %s -> %d, %d file(s) with %d row(s) assigned row ids,"
                        + " nextRowId=%d.",
                schemaBefore,
                schemaAfter,
                snapshotBefore == null ? "none" : snapshotBefore.toString(),
                snapshotAfter,
                files,
                rows,
                nextRowId);
    }
}
