package dev.paimoninplace.conversion;

import dev.paimoninplace.verify.FindingCode;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a repair did, or what a dry run says that it would do.
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
 * @param nextRowIdBefore next row id found; 0 when there was none
 * @param nextRowId next row id left
 * @param mended findings of each kind that were mended
 * @param left findings of each kind that were there before and no repair concerns, or that came
 *     meanwhile
 * @param files data files that got a new row id
 * @param rows rows in these files
 * @param filesRestored data files that got back the row ids that they hold inside
 * @param sequencesMended data files whose sequence numbers became 1 and whose row ids stayed
 * @param filesRenumbered data files that were rewritten, so that their rows could get new ids in
 *     place of those inside; references to the old ids and global indexes over them are broken
 * @param rolledBackTo snapshot whose content was taken up again; null when none had to be
 * @param losses commits that were dropped, oldest first
 * @param filesCopied data files that were copied under new names, since later commits removed them
 * @param manifestsRewritten manifests written anew
 * @param checks every check that was made, in order, warnings included
 * @param attempts how often the snapshot with the mended manifests was tried; 0 when none was
 *     needed
 * @param elapsedMillis duration of the run in milliseconds
 */
public record RepairReport(
        Outcome outcome,
        String table,
        String runId,
        TableState stateBefore,
        TableState stateAfter,
        long schemaBefore,
        long schemaAfter,
        @Nullable Long snapshotBefore,
        long snapshotAfter,
        long nextRowIdBefore,
        long nextRowId,
        Map<FindingCode, Long> mended,
        Map<FindingCode, Long> left,
        long files,
        long rows,
        long filesRestored,
        long sequencesMended,
        long filesRenumbered,
        @Nullable Long rolledBackTo,
        List<LostCommit> losses,
        long filesCopied,
        long manifestsRewritten,
        List<Check> checks,
        int attempts,
        long elapsedMillis) {

    /** What a run did. */
    public enum Outcome {
        /** Nothing written: the report is a prediction. */
        DRY_RUN,
        /** What was wrong was mended. */
        REPAIRED,
        /** Nothing was wrong that a repair concerns; nothing was written. */
        SKIPPED
    }

    public RepairReport {
        mended = ordered(mended);
        left = ordered(left);
        losses = List.copyOf(losses);
        checks = List.copyOf(checks);
    }

    private static Map<FindingCode, Long> ordered(Map<FindingCode, Long> counts) {
        Map<FindingCode, Long> ordered = new EnumMap<>(FindingCode.class);
        ordered.putAll(counts);
        return Collections.unmodifiableMap(ordered);
    }

    /** Checks whose outcome is a warning, in order. */
    public List<Check> warnings() {
        return checks.stream().filter(c -> c.outcome() == Check.Outcome.WARNING).toList();
    }

    /** The result in one line, for people. */
    public String resultLine() {
        String name = "'" + table + "'";
        return switch (outcome) {
            case SKIPPED -> "Skipped. Table " + name + " was not changed: nothing to repair.";
            case DRY_RUN ->
                    "Dry run. Repairing table "
                            + name
                            + " would do: "
                            + (isNothing() ? "nothing, there is nothing to repair." : changes());
            case REPAIRED -> "Repaired. Table " + name + ": " + changes();
        };
    }

    private boolean isNothing() {
        return mended.isEmpty() && rolledBackTo == null;
    }

    private String changes() {
        StringBuilder text = new StringBuilder();
        text.append(
                String.format(
                        "schema %d -> %d, snapshot %s -> %d",
                        schemaBefore,
                        schemaAfter,
                        snapshotBefore == null ? "none" : snapshotBefore.toString(),
                        snapshotAfter));
        if (rolledBackTo != null) {
            text.append(
                    String.format(
                            ", content of snapshot %d taken up again without %d later commit(s),"
                                    + " %d file(s) copied",
                            rolledBackTo, losses.size(), filesCopied));
        }
        text.append(String.format(", %d file(s) with %d row(s) assigned row ids", files, rows));
        if (filesRestored > 0) {
            text.append(String.format(", %d file(s) given back theirs", filesRestored));
        }
        if (sequencesMended > 0) {
            text.append(String.format(", sequence numbers of %d file(s) mended", sequencesMended));
        }
        if (filesRenumbered > 0) {
            text.append(String.format(", %d of them rewritten for new ids", filesRenumbered));
        }
        text.append(String.format(", nextRowId=%d", nextRowId));
        if (!mended.isEmpty()) {
            text.append(
                    mended.entrySet().stream()
                            .map(e -> e.getKey() + " " + e.getValue())
                            .collect(Collectors.joining(", ", "; mended: ", "")));
        }
        return text.append('.').toString();
    }
}
