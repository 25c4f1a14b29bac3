package dev.paimoninplace.plan;

import java.util.EnumMap;
import java.util.Map;

/**
 * Live files that stand in the way of a conversion, counted by kind with one example each.
 *
 * @param counts files of each kind; kinds without a file are absent
 * @param examples name of one file of each kind
 */
public record FileFindings(Map<Kind, Long> counts, Map<Kind, String> examples) {

    /** What is wrong with a file. */
    public enum Kind {
        /** The row ids are a column inside the data file. */
        IDS_INSIDE,
        /** The table tracks rows and the file has no id. */
        ID_MISSING,
        /** The file holds some columns only and has no id: which rows it updates is lost. */
        PARTIAL_WITHOUT_ID,
        /** A file without id in which rows of such files are whole rows. */
        UPDATES_AS_ROWS,
        /** A blob or vector file without id. */
        DEDICATED_WITHOUT_ID
    }

    public static final FileFindings NONE = new FileFindings(Map.of(), Map.of());

    public FileFindings {
        counts = Map.copyOf(counts);
        examples = Map.copyOf(examples);
    }

    /** Both together. */
    public FileFindings plus(FileFindings other) {
        if (other.counts.isEmpty()) {
            return this;
        }
        Map<Kind, Long> sum = new EnumMap<>(Kind.class);
        sum.putAll(counts);
        other.counts.forEach((kind, count) -> sum.merge(kind, count, Long::sum));
        Map<Kind, String> names = new EnumMap<>(Kind.class);
        names.putAll(other.examples);
        names.putAll(examples);
        return new FileFindings(sum, names);
    }

    /** Collects findings of one manifest. */
    static final class Collector {

        private final Map<Kind, Long> counts = new EnumMap<>(Kind.class);
        private final Map<Kind, String> examples = new EnumMap<>(Kind.class);

        void add(Kind kind, String fileName) {
            counts.merge(kind, 1L, Long::sum);
            examples.putIfAbsent(kind, fileName);
        }

        FileFindings findings() {
            return new FileFindings(counts, examples);
        }
    }
}
