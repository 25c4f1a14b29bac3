package dev.paimoninplace.guard;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.paimoninplace.testing.Await;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.test.junit5.InjectMiniCluster;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Ten minutes of a job that checkpoints every second, with a conversion and three failures at
 * random moments. The system properties {@code soak.seed} and {@code soak.seconds} repeat a run.
 */
@Tag("long")
final class SoakITCase {

    @RegisterExtension static final MiniClusterExtension CLUSTER = Scenario.cluster();

    private static final int WRITERS = 2;
    // More rows in a file than the table has snapshots at the end.
    private static final int ROWS_PER_SECOND = 2_000;

    @TempDir Path warehouse;

    @Test
    void keepsEveryRowOnce(@InjectMiniCluster MiniCluster cluster) throws Exception {
        long seed = Long.getLong("soak.seed", System.nanoTime());
        int seconds = Integer.getInteger("soak.seconds", 600);
        System.out.println("Soak test: soak.seed=" + seed + ", soak.seconds=" + seconds);
        List<Integer> moments = moments(new Random(seed), seconds);
        int conversion = moments.remove(0);

        try (Scenario scenario =
                Scenario.withCheckpointsEvery(Duration.ofSeconds(1), cluster, warehouse, WRITERS)) {
            scenario.start();
            long begin = System.nanoTime();
            for (int second = 1; second <= seconds; second++) {
                scenario.tap().openTo(second * ROWS_PER_SECOND);
                if (second == conversion) {
                    scenario.convert();
                }
                if (moments.contains(second)) {
                    scenario.tap().fail("failure in second " + second);
                }
                long next = begin + Duration.ofSeconds(second).toNanos();
                Await.until("the next second", () -> System.nanoTime() >= next);
            }
            scenario.emit(seconds * ROWS_PER_SECOND);
            for (int writer = 0; writer < WRITERS; writer++) {
                scenario.tap().end(writer);
            }
            scenario.job().awaitFinished();

            assertTrue(scenario.tap().starts() >= WRITERS * (1 + moments.size()));
            scenario.prove(seconds * ROWS_PER_SECOND);
        }
    }

    /** Four different seconds of the middle of the run: the conversion, then the failures. */
    private static List<Integer> moments(Random random, int seconds) {
        return new ArrayList<>(
                random.ints(seconds / 10, seconds * 9 / 10).distinct().limit(4).boxed().toList());
    }
}
