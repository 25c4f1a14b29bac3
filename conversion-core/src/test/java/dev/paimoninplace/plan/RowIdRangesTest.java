package dev.paimoninplace.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class RowIdRangesTest {

    private static final int IDS = 60;

    private static RowIdRanges ranges(long... bounds) {
        RowIdRanges ranges = new RowIdRanges();
        for (int i = 0; i < bounds.length; i += 2) {
            ranges.add(bounds[i], bounds[i + 1]);
        }
        return ranges;
    }

    @Test
    void rangesThatTouchAreDisjoint() {
        assertEquals(Optional.empty(), ranges(10, 20, 0, 10, 20, 21).firstRepeated());
    }

    @Test
    void anIdInTwoRangesIsFoundWhateverTheirOrder() {
        assertEquals(Optional.of(19L), ranges(19, 30, 0, 10, 10, 20).firstRepeated());
        assertEquals(Optional.of(3L), ranges(3, 4, 0, 10).firstRepeated());
        assertEquals(Optional.of(0L), ranges(0, 10, 0, 10).firstRepeated());
    }

    @Test
    void anIdOutsideIsTheLowestOne() {
        RowIdRanges full = ranges(0, 10, 10, 20, 30, 40);

        assertEquals(Optional.empty(), ranges(5, 15, 30, 40).firstOutside(full));
        assertEquals(Optional.of(20L), ranges(30, 41, 15, 31).firstOutside(full));
        assertEquals(Optional.of(40L), ranges(30, 41).firstOutside(full));
        assertEquals(Optional.of(2L), ranges(2, 3).firstOutside(ranges()));
        assertEquals(Optional.empty(), ranges().firstOutside(full));
    }

    private static long[] seeds() {
        return new Random(20260101).longs(300).toArray();
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void randomRangesAgreeWithAnArrayOfCounters(long seed) {
        Random random = new Random(seed);
        int[] first = new int[IDS];
        int[] second = new int[IDS];
        RowIdRanges some = random(random, first);
        RowIdRanges others = random(random, second);

        boolean repeated = false;
        Optional<Long> outside = Optional.empty();
        for (int id = IDS - 1; id >= 0; id--) {
            repeated |= first[id] > 1;
            outside = first[id] > 0 && second[id] == 0 ? Optional.of((long) id) : outside;
        }
        assertEquals(outside, some.firstOutside(others));
        Optional<Long> found = some.firstRepeated();
        assertEquals(repeated, found.isPresent());
        assertEquals(repeated, found.filter(id -> first[id.intValue()] > 1).isPresent());
    }

    private static RowIdRanges random(Random random, int[] counters) {
        RowIdRanges ranges = new RowIdRanges();
        for (int i = 0; i < random.nextInt(12); i++) {
            int start = random.nextInt(IDS - 1);
            int end = start + 1 + random.nextInt(Math.min(10, IDS - start - 1));
            ranges.add(start, end);
            for (int id = start; id < end; id++) {
                counters[id]++;
            }
        }
        return ranges;
    }
}
