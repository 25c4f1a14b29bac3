package dev.paimoninplace.verify;

import java.util.Arrays;
import org.apache.paimon.sort.IndexedSortable;
import org.apache.paimon.sort.QuickSort;

/** Row-id range and highest sequence number of each file of one kind: 24 bytes a file. */
final class FileRanges implements IndexedSortable {

    private long[] starts = new long[0];
    private long[] ends = new long[0];
    private long[] sequences = new long[0];
    private int count;

    /**
     * @param start first id, inclusive
     * @param end last id, exclusive; above {@code start}
     * @param sequence highest sequence number of the file
     */
    void add(long start, long end, long sequence) {
        if (count == starts.length) {
            int capacity = Math.max(16, count + (count >> 1));
            starts = Arrays.copyOf(starts, capacity);
            ends = Arrays.copyOf(ends, capacity);
            sequences = Arrays.copyOf(sequences, capacity);
        }
        starts[count] = start;
        ends[count] = end;
        sequences[count] = sequence;
        count++;
    }

    void addAll(FileRanges other) {
        for (int i = 0; i < other.count; i++) {
            add(other.starts[i], other.ends[i], other.sequences[i]);
        }
    }

    /** Orders by start, then end, then sequence. */
    void sort() {
        if (count > 1) {
            new QuickSort().sort(this);
        }
    }

    long start(int index) {
        return starts[index];
    }

    long end(int index) {
        return ends[index];
    }

    long sequence(int index) {
        return sequences[index];
    }

    @Override
    public int size() {
        return count;
    }

    @Override
    public int compare(int i, int j) {
        int byStart = Long.compare(starts[i], starts[j]);
        if (byStart != 0) {
            return byStart;
        }
        int byEnd = Long.compare(ends[i], ends[j]);
        return byEnd != 0 ? byEnd : Long.compare(sequences[i], sequences[j]);
    }

    @Override
    public void swap(int i, int j) {
        swap(starts, i, j);
        swap(ends, i, j);
        swap(sequences, i, j);
    }

    private static void swap(long[] values, int i, int j) {
        long value = values[i];
        values[i] = values[j];
        values[j] = value;
    }

    // One "segment" holds everything: offsets are indexes.

    @Override
    public int compare(int segmentI, int offsetI, int segmentJ, int offsetJ) {
        return compare(segmentI + offsetI, segmentJ + offsetJ);
    }

    @Override
    public void swap(int segmentI, int offsetI, int segmentJ, int offsetJ) {
        swap(segmentI + offsetI, segmentJ + offsetJ);
    }

    @Override
    public int recordSize() {
        return 1;
    }

    @Override
    public int recordsPerSegment() {
        return 1;
    }
}
