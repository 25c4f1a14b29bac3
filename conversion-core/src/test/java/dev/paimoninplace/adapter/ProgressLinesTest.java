package dev.paimoninplace.adapter;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.paimoninplace.conversion.ProgressListener.Stage;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ProgressLinesTest {

    private final AtomicLong nanos = new AtomicLong();
    private final List<String> lines = new ArrayList<>();
    private final ProgressLines progress = new ProgressLines(lines::add, nanos::get);

    @Test
    void saysRateAndTimeRemainingOfALongStage() {
        progress.progress(Stage.REWRITE, 0, 100);
        nanos.set(TimeUnit.SECONDS.toNanos(4));
        progress.progress(Stage.REWRITE, 10, 100);

        assertEquals(List.of("rewrite 10/100, 2.5/s, 36 s remaining"), lines);
    }

    @Test
    void saysNothingBetweenTwoSecondsAndTheNextTwo() {
        progress.progress(Stage.COUNT, 1, 100);
        nanos.set(TimeUnit.MILLISECONDS.toNanos(1_999));
        progress.progress(Stage.COUNT, 50, 100);

        assertEquals(List.of(), lines);
    }

    @Test
    void saysThatAStageHasEnded() {
        progress.progress(Stage.COUNT, 3, 3);
        progress.progress(Stage.SEAL, 0, 1);
        progress.progress(Stage.SEAL, 1, 1);

        assertEquals(List.of("count 3/3", "seal"), lines);
    }
}
