package dev.paimoninplace.verify;

import dev.paimoninplace.plan.FileShapes.Shape;
import java.util.function.Consumer;

/**
 * Checks how the row-id ranges of files lie to each other: pure.
 *
 * <p>Files whose ranges overlap form a group, as they do for Paimon's reader: it merges their
 * columns, takes each from the file with the highest sequence number, and needs all ranges of a
 * group to be the same, those of blob and vector files apart.
 */
final class RangeCheck {

    /**
     * A range that is not as it should be.
     *
     * @param shape what part of its rows the file holds
     * @param start first id of the file's range, inclusive
     * @param end last id of it, exclusive
     */
    record Problem(FindingCode code, Shape shape, long start, long end, String detail) {}

    private final FileRanges full;
    private final FileRanges partial;
    private final FileRanges dedicated;
    private final Consumer<Problem> problems;
    private int nextFull;
    private int nextPartial;
    private int nextDedicated;

    private RangeCheck(
            FileRanges full, FileRanges partial, FileRanges dedicated, Consumer<Problem> problems) {
        this.full = full;
        this.partial = partial;
        this.dedicated = dedicated;
        this.problems = problems;
    }

    /**
     * Checks all groups; sorts its arguments.
     *
     * @param full files with all columns
     * @param partial files with some columns
     * @param dedicated blob and vector files
     */
    static void check(
            FileRanges full, FileRanges partial, FileRanges dedicated, Consumer<Problem> problems) {
        full.sort();
        partial.sort();
        dedicated.sort();
        RangeCheck check = new RangeCheck(full, partial, dedicated, problems);
        while (check.hasNext()) {
            check.group();
        }
    }

    private boolean hasNext() {
        return nextFull < full.size()
                || nextPartial < partial.size()
                || nextDedicated < dedicated.size();
    }

    private void group() {
        int firstFull = nextFull;
        int firstPartial = nextPartial;
        int firstDedicated = nextDedicated;
        long end = lowestStart() + 1;
        long before;
        do {
            before = end;
            for (; starts(full, nextFull, end); nextFull++) {
                end = Math.max(end, full.end(nextFull));
            }
            for (; starts(partial, nextPartial, end); nextPartial++) {
                end = Math.max(end, partial.end(nextPartial));
            }
            for (; starts(dedicated, nextDedicated, end); nextDedicated++) {
                end = Math.max(end, dedicated.end(nextDedicated));
            }
        } while (end > before);
        if (firstFull == nextFull) {
            withoutFull(firstPartial, firstDedicated);
        } else {
            full(firstFull);
            partial(firstFull, firstPartial);
            dedicated(firstFull, firstDedicated);
        }
    }

    private long lowestStart() {
        return Math.min(
                head(full, nextFull),
                Math.min(head(partial, nextPartial), head(dedicated, nextDedicated)));
    }

    private static long head(FileRanges ranges, int index) {
        return index < ranges.size() ? ranges.start(index) : Long.MAX_VALUE;
    }

    private static boolean starts(FileRanges ranges, int index, long before) {
        return index < ranges.size() && ranges.start(index) < before;
    }

    private void withoutFull(int firstPartial, int firstDedicated) {
        for (int i = firstPartial; i < nextPartial; i++) {
            report(FindingCode.NO_FULL_ROW_FILE, partial, i, "no file has all columns of its rows");
        }
        for (int i = firstDedicated; i < nextDedicated; i++) {
            report(
                    FindingCode.NO_FULL_ROW_FILE,
                    dedicated,
                    i,
                    "no file has the other columns of its rows");
        }
    }

    private void full(int first) {
        for (int i = first + 1; i < nextFull; i++) {
            boolean same = full.start(i) == full.start(first) && full.end(i) == full.end(first);
            if (!same) {
                report(
                        FindingCode.ROW_ID_OVERLAP,
                        full,
                        i,
                        "another file with all columns has row ids " + range(full, first));
            } else if (full.sequence(i) == full.sequence(i - 1)) {
                report(
                        FindingCode.ROW_ID_REPEATED,
                        full,
                        i,
                        "another file with all columns has the same row ids and the same sequence"
                                + " number "
                                + full.sequence(i));
            }
        }
    }

    private void partial(int firstFull, int first) {
        for (int i = first; i < nextPartial; i++) {
            boolean same =
                    partial.start(i) == full.start(firstFull)
                            && partial.end(i) == full.end(firstFull);
            if (!same) {
                report(
                        FindingCode.PARTIAL_RANGE_MISMATCH,
                        partial,
                        i,
                        "the file with all columns has row ids " + range(full, firstFull));
            } else if (partial.sequence(i) <= full.sequence(firstFull)) {
                report(
                        FindingCode.HIDDEN_UPDATE,
                        partial,
                        i,
                        "its sequence number "
                                + partial.sequence(i)
                                + " is not above "
                                + full.sequence(firstFull)
                                + " of the file with all columns, so readers do not see it");
            }
        }
    }

    private void dedicated(int firstFull, int first) {
        for (int i = first; i < nextDedicated; i++) {
            boolean inside =
                    dedicated.start(i) >= full.start(firstFull)
                            && dedicated.end(i) <= full.end(firstFull);
            if (!inside) {
                report(
                        FindingCode.PARTIAL_RANGE_MISMATCH,
                        dedicated,
                        i,
                        "the file with the other columns has row ids " + range(full, firstFull));
            }
        }
    }

    private void report(FindingCode code, FileRanges ranges, int index, String detail) {
        String text = "it has row ids " + range(ranges, index) + "; " + detail;
        Shape shape =
                ranges == full ? Shape.FULL : ranges == partial ? Shape.PARTIAL : Shape.DEDICATED;
        problems.accept(new Problem(code, shape, ranges.start(index), ranges.end(index), text));
    }

    private static String range(FileRanges ranges, int index) {
        return "[" + ranges.start(index) + ", " + ranges.end(index) + ")";
    }
}
