package dev.paimoninplace.plan;

import java.util.Arrays;
import java.util.Optional;

/**
 * Row-id ranges of data files in primitive arrays: 16 bytes a file.
 *
 * <p>Starts and ends are sorted apart from each other. Ranges are disjoint exactly when the i-th
 * smallest end is not above the (i+1)-th smallest start, and their union has a gap exactly where it
 * is below.
 */
public final class RowIdRanges {

    private long[] starts = new long[0];
    private long[] ends = new long[0];
    private int count;

    /**
     * @param start first id, inclusive
     * @param end last id, exclusive
     */
    public void add(long start, long end) {
        if (count == starts.length) {
            int capacity = Math.max(16, count + (count >> 1));
            starts = Arrays.copyOf(starts, capacity);
            ends = Arrays.copyOf(ends, capacity);
        }
        starts[count] = start;
        ends[count] = end;
        count++;
    }

    void addAll(RowIdRanges other) {
        for (int i = 0; i < other.count; i++) {
            add(other.starts[i], other.ends[i]);
        }
    }

    boolean isEmpty() {
        return count == 0;
    }

    /** An id that lies in two ranges; empty when the ranges are disjoint. */
    Optional<Long> firstRepeated() {
        sort();
        for (int i = 1; i < count; i++) {
            if (starts[i] < ends[i - 1]) {
                return Optional.of(starts[i]);
            }
        }
        return Optional.empty();
    }

    /** The lowest id of these ranges that no range of {@code others} holds. */
    public Optional<Long> firstOutside(RowIdRanges others) {
        RowIdRanges mine = union();
        RowIdRanges theirs = others.union();
        int next = 0;
        for (int i = 0; i < mine.count; i++) {
            while (next < theirs.count && theirs.ends[next] <= mine.starts[i]) {
                next++;
            }
            if (next == theirs.count || theirs.starts[next] > mine.starts[i]) {
                return Optional.of(mine.starts[i]);
            }
            if (theirs.ends[next] < mine.ends[i]) {
                return Optional.of(theirs.ends[next]);
            }
        }
        return Optional.empty();
    }

    /** The same ids as ranges that neither overlap nor touch, ascending. */
    public RowIdRanges union() {
        sort();
        RowIdRanges union = new RowIdRanges();
        int first = 0;
        for (int i = 0; i < count; i++) {
            boolean gapFollows = i + 1 == count || ends[i] < starts[i + 1];
            if (gapFollows) {
                union.add(starts[first], ends[i]);
                first = i + 1;
            }
        }
        return union;
    }

    /**
     * Whether one of these ranges, which are a {@link #union}, shares an id with another range.
     *
     * @param start first id, inclusive
     * @param end last id, exclusive
     */
    public boolean overlap(long start, long end) {
        int next = firstEndingAfter(start);
        return next < count && starts[next] < end;
    }

    /**
     * Whether one of these ranges, which are a {@link #union}, holds all ids of another range.
     *
     * @param start first id, inclusive
     * @param end last id, exclusive
     */
    public boolean hold(long start, long end) {
        int next = firstEndingAfter(start);
        return next < count && starts[next] <= start && ends[next] >= end;
    }

    private int firstEndingAfter(long id) {
        int found = Arrays.binarySearch(ends, 0, count, id);
        return found >= 0 ? found + 1 : -found - 1;
    }

    private void sort() {
        Arrays.sort(starts, 0, count);
        Arrays.sort(ends, 0, count);
    }
}
