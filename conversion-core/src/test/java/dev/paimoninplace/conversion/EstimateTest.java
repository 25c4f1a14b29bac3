package dev.paimoninplace.conversion;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class EstimateTest {

    @Test
    void takesTheRateOfTheWorkThatWasDone() {
        Estimate estimate = Estimate.of(8_000_000, 400, 20_000_000);

        assertEquals(20_000_000 / (8_000_000 / 400), estimate.elapsedMillis());
        assertEquals(8_000_000 / 400 * 1_000, estimate.bytesPerSecond());
    }

    @Test
    void isAtLeastAMillisecondWithoutAnyWork() {
        assertEquals(1, Estimate.of(0, 0, 0).elapsedMillis());
    }
}
