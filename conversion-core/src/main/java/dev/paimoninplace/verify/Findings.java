package dev.paimoninplace.verify;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Collects findings: all are counted, the first ones of each kind are kept, so that a table of a
 * million bad files does not fill the memory. Safe for use by many threads.
 */
final class Findings {

    /** Findings of one kind that are kept. */
    static final int PER_CODE = 100;

    private final List<Finding> kept = new ArrayList<>();
    private final Map<FindingCode, Long> counts = new EnumMap<>(FindingCode.class);

    synchronized void add(Finding finding) {
        long count = counts.merge(finding.code(), 1L, Long::sum);
        if (count <= PER_CODE) {
            kept.add(finding);
        }
    }

    synchronized List<Finding> kept() {
        return List.copyOf(kept);
    }

    synchronized Map<FindingCode, Long> counts() {
        return Map.copyOf(counts);
    }
}
