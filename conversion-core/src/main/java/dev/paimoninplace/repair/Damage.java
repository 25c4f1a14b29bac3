package dev.paimoninplace.repair;

import dev.paimoninplace.conversion.Check;
import dev.paimoninplace.plan.Mending;
import dev.paimoninplace.verify.Finding;
import dev.paimoninplace.verify.FindingCode;
import dev.paimoninplace.verify.VerificationReport;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * What is wrong with a table, and what of it a mending of the metadata leaves.
 *
 * @param found everything that is wrong
 * @param left what would still be wrong after the mending
 * @param mending what is mended in files
 * @param insideIds files whose row ids are inside
 * @param shown updates that come to light
 * @param destroyed a file whose row id a writer of Paimon 1.2 or older took away
 * @param nextRowIdFloor highest next row id of the retained snapshots and tags
 */
public record Damage(
        VerificationReport found,
        VerificationReport left,
        Mending mending,
        InsideIds insideIds,
        ShownUpdates shown,
        Optional<String> destroyed,
        long nextRowIdFloor) {

    /**
     * What the stages of a conversion mend by themselves, wherever files do not stand in the way.
     */
    private static final Set<FindingCode> OF_THE_TABLE =
            EnumSet.of(
                    FindingCode.NOT_ENABLED,
                    FindingCode.NOT_SEALED,
                    FindingCode.ROW_ID_BEYOND_NEXT,
                    FindingCode.NEXT_ROW_ID_MISSING,
                    FindingCode.NEXT_ROW_ID_FALLEN,
                    FindingCode.MANIFEST_RANGE_MISSING,
                    FindingCode.MANIFEST_RANGE_WRONG);

    /** What makes reads of the files fail or be wrong. */
    private static final Set<FindingCode> OF_FILES =
            EnumSet.of(
                    FindingCode.STRAY_FILE,
                    FindingCode.PARTIAL_WITHOUT_ROW_ID,
                    FindingCode.UPDATES_AS_ROWS,
                    FindingCode.IDS_INSIDE_FILE,
                    FindingCode.NO_FULL_ROW_FILE,
                    FindingCode.PARTIAL_RANGE_MISMATCH,
                    FindingCode.ROW_ID_OVERLAP,
                    FindingCode.ROW_ID_REPEATED,
                    FindingCode.HIDDEN_UPDATE,
                    FindingCode.SEQUENCE_OUT_OF_RANGE,
                    FindingCode.DELETION_VECTOR_WITHOUT_ANCHOR);

    /** Whether there is nothing that a repair could mend. */
    public boolean isNone() {
        return mended().isEmpty() && !needsRollBack();
    }

    /** Whether something is wrong that no mending of the metadata repairs. */
    public boolean needsRollBack() {
        return !unmendable().isEmpty() || shown.ambiguous().isPresent() || destroyed.isPresent();
    }

    /** Findings of each kind that the mending takes away, in the order of the kinds. */
    public Map<FindingCode, Long> mended() {
        Map<FindingCode, Long> mended = new EnumMap<>(FindingCode.class);
        found.counts()
                .forEach(
                        (code, count) -> {
                            long gone = count - left.counts().getOrDefault(code, 0L);
                            if (OF_THE_TABLE.contains(code)) {
                                mended.put(code, count);
                            } else if (OF_FILES.contains(code) && gone > 0) {
                                mended.put(code, gone);
                            }
                        });
        return Collections.unmodifiableMap(mended);
    }

    private List<FindingCode> unmendable() {
        return left.counts().keySet().stream()
                .filter(OF_FILES::contains)
                .filter(code -> code != FindingCode.SEQUENCE_OUT_OF_RANGE)
                .toList();
    }

    /** Findings of each kind that the mending leaves. */
    public Map<FindingCode, Long> remaining() {
        Map<FindingCode, Long> remaining = new EnumMap<>(FindingCode.class);
        remaining.putAll(left.counts());
        remaining.keySet().removeAll(OF_THE_TABLE);
        return remaining;
    }

    /** Whether new ids for the rows of files that hold old ones inside are all that is needed. */
    public boolean isMendedByRenumbering() {
        return shown.ambiguous().isEmpty()
                && destroyed.isEmpty()
                && unmendable().equals(List.of(FindingCode.IDS_INSIDE_FILE))
                && insideIds.renumberable().containsAll(insideIds.lost().keySet());
    }

    /** Whether row ids, sequence numbers, ranges or the next row id are to be written. */
    public boolean concernsManifests() {
        return mended().keySet().stream()
                .anyMatch(
                        code -> code != FindingCode.NOT_ENABLED && code != FindingCode.NOT_SEALED);
    }

    /**
     * A failed check for each kind that cannot be mended.
     *
     * @param remedy what can be done about them
     */
    public List<Check> refusals(String remedy) {
        List<Check> checks = new ArrayList<>();
        destroyed.ifPresent(
                fact ->
                        checks.add(
                                Check.failed(
                                        "ROW_IDS_DESTROYED",
                                        "Paimon 1.2 or older wrote the newest snapshot and took row"
                                                + " ids and lists of columns away: "
                                                + fact,
                                        remedy)));
        for (FindingCode code : unmendable()) {
            checks.add(Check.failed(code.name(), detail(code), remedy));
        }
        shown.ambiguous()
                .ifPresent(
                        file ->
                                checks.add(
                                        Check.failed(
                                                "SEQUENCE_AMBIGUOUS",
                                                "the sequence number of "
                                                        + file
                                                        + " is to be mended, and another file with"
                                                        + " all columns has the same row ids, so"
                                                        + " nothing tells which of them is newer",
                                                remedy)));
        return checks;
    }

    /** What the user should know before it is mended. */
    public List<Check> warnings() {
        if (shown.files() == 0) {
            return List.of();
        }
        return List.of(
                Check.warning(
                        "HIDDEN_UPDATES",
                        shown.files()
                                + " update file(s) with "
                                + shown.rows()
                                + " row(s) of the column(s) "
                                + shown.columns()
                                + " come to light",
                        "Readers see these values from then on; until then they see older"
                                + " ones"));
    }

    /** Every finding that a repair concerns, whatever way it takes. */
    public Map<FindingCode, Long> all() {
        Map<FindingCode, Long> all = new EnumMap<>(FindingCode.class);
        all.putAll(found.counts());
        all.keySet().removeIf(code -> !OF_THE_TABLE.contains(code) && !OF_FILES.contains(code));
        return all;
    }

    private String detail(FindingCode code) {
        List<Finding> findings = left.findings(code);
        String text = left.counts().get(code) + " finding(s)";
        if (!findings.isEmpty()) {
            Finding first = findings.get(0);
            text += ", for example " + first.file().map(f -> f + ": ").orElse("") + first.detail();
        }
        if (code == FindingCode.IDS_INSIDE_FILE && !insideIds.lost().isEmpty()) {
            Map.Entry<String, String> one = new TreeMap<>(insideIds.lost()).firstEntry();
            text += "; " + one.getKey() + " cannot have them back because " + one.getValue();
        }
        return text;
    }
}
