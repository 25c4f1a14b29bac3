package dev.paimoninplace.verify;

import dev.paimoninplace.conversion.TableState;
import java.util.List;
import java.util.Map;

/**
 * What a verification found.
 *
 * @param table full name of the table, with its branch if one was given
 * @param level how closely it looked
 * @param state how far the table has come
 * @param schemaId latest schema
 * @param snapshotId newest snapshot; 0 when there is none
 * @param nextRowId next row id of that snapshot
 * @param files live data files
 * @param rows rows in the live files that hold all columns
 * @param findings what is wrong, at most {@link Findings#PER_CODE} of each kind
 * @param counts findings of each kind, those beyond that limit included
 * @param elapsedMillis duration in milliseconds
 */
public record VerificationReport(
        String table,
        Level level,
        TableState state,
        long schemaId,
        long snapshotId,
        long nextRowId,
        long files,
        long rows,
        List<Finding> findings,
        Map<FindingCode, Long> counts,
        long elapsedMillis) {

    public VerificationReport {
        findings = List.copyOf(findings);
        counts = Map.copyOf(counts);
    }

    /** Whether nothing was found, not even a warning. */
    public boolean isClean() {
        return counts.isEmpty();
    }

    /** The result in one line, for people. */
    public String resultLine() {
        String looked =
                String.format(
                        "%d file(s) with %d row(s) of snapshot %d at level %s",
                        files, rows, snapshotId, level);
        if (isClean()) {
            return "Clean. Table '" + table + "' is as it should be: " + looked + ".";
        }
        long total = counts.values().stream().mapToLong(Long::longValue).sum();
        return "Found " + total + " thing(s) in table '" + table + "': " + looked + ".";
    }
}
