package dev.paimoninplace.fence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.paimoninplace.fence.Interleaving.Hints;
import dev.paimoninplace.fence.Interleaving.Kind;
import dev.paimoninplace.fence.Interleaving.Prepared;
import java.util.List;
import java.util.stream.Stream;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.config.Configurator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * One conversion and one or two writers, with the real code, in many orders of their steps: drawn
 * by seeds, and in the long suite each order that makes a difference. The same orders without the
 * fence go wrong.
 */
final class InterleavingsTest {

    private static final boolean LONG = "long".equals(System.getProperty("suite"));
    private static final int RANDOM_ORDERS = LONG ? 2000 : 60;

    private static Level level = Level.WARN;

    /** Thousands of commits that lose or are stopped would each log a stack trace. */
    @BeforeAll
    static void beQuiet() {
        level = LogManager.getRootLogger().getLevel();
        Configurator.setRootLevel(Level.OFF);
    }

    @AfterAll
    static void logAgain() {
        Configurator.setRootLevel(level);
    }

    private static Exploration.Result explore(WriterJob job, Kind kind)
            throws InterruptedException {
        Prepared prepared = Prepared.of(Hints.NONE, List.of(job));
        long start = System.currentTimeMillis();
        Exploration.Result result = new Exploration(() -> new Interleaving(prepared, kind)).run();
        System.out.printf(
                "%s, %s, every order: %d schedules of up to %d steps, %d refusals, %d wrong,"
                        + " %d ms%n",
                job,
                kind,
                result.schedules(),
                result.steps(),
                result.refusals(),
                result.wrong().size(),
                System.currentTimeMillis() - start);
        return result;
    }

    private static RandomOrders.Result draw(List<WriterJob> jobs, Kind kind)
            throws InterruptedException {
        Prepared prepared = Prepared.of(Hints.KEPT, jobs);
        long start = System.currentTimeMillis();
        RandomOrders.Result result = RandomOrders.run(prepared, kind, RANDOM_ORDERS);
        System.out.printf(
                "%s, %s, random orders: %d schedules, %d refusals, %d wrong, %d ms%n",
                jobs,
                kind,
                result.schedules(),
                result.refusals(),
                result.wrong().size(),
                System.currentTimeMillis() - start);
        return result;
    }

    @Tag("long")
    @ParameterizedTest
    @EnumSource(WriterJob.class)
    void theGuardedCatalogIsRightInEveryOrder(WriterJob job) throws Exception {
        Exploration.Result result = explore(job, Kind.GUARDED);

        assertEquals(List.of(), result.wrong());
        assertTrue(result.schedules() > 100, "too few orders to mean anything");
    }

    @Tag("long")
    @Test
    void theStockCatalogIsWrongInSomeOfEveryOrder() throws Exception {
        assertFalse(explore(WriterJob.APPEND, Kind.STOCK).wrong().isEmpty());
    }

    static Stream<List<WriterJob>> writers() {
        return Stream.of(
                List.of(WriterJob.APPEND),
                List.of(WriterJob.APPEND_AND_COMPACT),
                List.of(WriterJob.OVERWRITE),
                List.of(WriterJob.DELETE),
                List.of(WriterJob.APPEND, WriterJob.APPEND),
                List.of(WriterJob.APPEND_AND_COMPACT, WriterJob.APPEND),
                List.of(WriterJob.DELETE, WriterJob.APPEND));
    }

    @ParameterizedTest
    @MethodSource("writers")
    void theGuardedCatalogIsRightInRandomOrders(List<WriterJob> jobs) throws Exception {
        assertEquals(List.of(), draw(jobs, Kind.GUARDED).wrong());
    }

    @Test
    void theStockCatalogIsWrongInSomeRandomOrder() throws Exception {
        assertFalse(draw(List.of(WriterJob.APPEND), Kind.STOCK).wrong().isEmpty());
    }
}
