package dev.paimoninplace.conversion;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.paimoninplace.testing.CrashFault.Mode;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A conversion that stops at any operation on the file system leaves nothing to mend by hand. */
final class CrashResumeTest {

    /** A prime, so that the points of one case do not all fall on the same kind of operation. */
    private static final int STRIDE = 37;

    @TempDir Path folder;

    static Stream<Arguments> cases() {
        return Arrays.stream(PreparedTable.values())
                .flatMap(
                        table ->
                                Arrays.stream(Mode.values())
                                        .map(mode -> Arguments.of(table, mode)));
    }

    @Test
    void aConversionWhoseProcessDiesAtAnyOperationIsResumed() throws Exception {
        CrashPoints points = new CrashPoints(folder, PreparedTable.LARGE_FILE, Mode.DIES_BEFORE);

        points.enumerate(1, 1);

        assertAllResumed(PreparedTable.LARGE_FILE, Mode.DIES_BEFORE, points);
    }

    @ParameterizedTest
    @MethodSource("cases")
    void aConversionThatFailsAtSomeOperationsIsResumed(PreparedTable table, Mode mode)
            throws Exception {
        CrashPoints points = new CrashPoints(folder, table, mode);

        points.enumerate(1 + 8L * mode.ordinal(), STRIDE);

        assertAllResumed(table, mode, points);
    }

    @Tag("long")
    @ParameterizedTest
    @MethodSource("cases")
    void aConversionThatFailsAtAnyOperationIsResumed(PreparedTable table, Mode mode)
            throws Exception {
        CrashPoints points = new CrashPoints(folder, table, mode);

        points.enumerate(1, 1);

        assertAllResumed(table, mode, points);
    }

    private static void assertAllResumed(PreparedTable table, Mode mode, CrashPoints points) {
        System.out.printf(
                "crash points: %d stopped, %d resumed (%s, %s)%n",
                points.stopped(), points.resumed(), table, mode);
        assertTrue(points.stopped() > 0);
        assertEquals(points.stopped(), points.resumed());
    }
}
