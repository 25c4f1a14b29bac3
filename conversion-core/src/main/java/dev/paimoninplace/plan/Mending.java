package dev.paimoninplace.plan;

import java.util.Map;

/**
 * What is mended in files beyond the row ids that they lack.
 *
 * @param hiddenUpdates what happens to updates that readers do not see
 * @param restoredRowIds as in {@link dev.paimoninplace.rowid.FileRule}
 */
public record Mending(HiddenUpdates hiddenUpdates, Map<String, Long> restoredRowIds) {

    /** What happens to updates that the sequence number of the file below them hides. */
    public enum HiddenUpdates {
        /** Where there could be one, no sequence number is touched. */
        STAY_HIDDEN,
        /** Readers see them afterwards. */
        COME_TO_LIGHT
    }

    /** What a conversion mends. */
    public static final Mending OF_CONVERSION = new Mending(HiddenUpdates.STAY_HIDDEN, Map.of());

    public Mending {
        restoredRowIds = Map.copyOf(restoredRowIds);
    }
}
