package dev.paimoninplace.verify;

import dev.paimoninplace.conversion.TableState;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

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
 * @param findings what is wrong, in the order of the kinds, at most {@link Findings#PER_CODE} of
 *     each
 * @param counts findings of each kind in their order, those beyond that limit included
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
        Map<FindingCode, Long> ordered = new EnumMap<>(FindingCode.class);
        ordered.putAll(counts);
        counts = Collections.unmodifiableMap(ordered);
    }

    /** Whether nothing was found, not even a warning. */
    public boolean isClean() {
        return counts.isEmpty();
    }

    /** The first kind that is an error, else the first of all; empty when nothing was found. */
    public Optional<FindingCode> worst() {
        return counts.keySet().stream()
                .min(Comparator.comparing(FindingCode::severity).thenComparing(code -> code));
    }

    /** Findings of one kind, at most {@link Findings#PER_CODE}. */
    public List<Finding> findings(FindingCode code) {
        return findings.stream().filter(finding -> finding.code() == code).toList();
    }

    /** How many findings of one kind are counted but not listed. */
    public long unlisted(FindingCode code) {
        return counts.getOrDefault(code, 0L) - findings(code).size();
    }

    /** The result in one line, for people. */
    public String resultLine() {
        boolean enabled = !counts.containsKey(FindingCode.NOT_ENABLED);
        String looked =
                enabled
                        ? String.format(
                                "%d file(s) with %d row(s) of snapshot %d at level %s",
                                files, rows, snapshotId, level)
                        : "it is no Data Evolution table, so its files were not looked at";
        if (isClean()) {
            return "Clean. Table '" + table + "' is as it should be: " + looked + ".";
        }
        long total = counts.values().stream().mapToLong(Long::longValue).sum();
        return "Found " + total + " thing(s) in table '" + table + "': " + looked + ".";
    }
}
