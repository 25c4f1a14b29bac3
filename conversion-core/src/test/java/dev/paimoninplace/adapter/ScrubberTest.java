package dev.paimoninplace.adapter;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import org.junit.jupiter.api.Test;

final class ScrubberTest {

    @Test
    void takesOutEveryOptionValue() {
        Scrubber scrubber = Scrubber.of(Map.of("jdbc.password", "s3cr3t-word", "jdbc.user", "joe"));

        assertEquals(
                "Access denied for *** with ***.",
                scrubber.scrub("Access denied for joe with s3cr3t-word."));
    }

    @Test
    void takesOutTheLongerOfTwoValuesFirst() {
        Scrubber scrubber = Scrubber.of(Map.of("a", "secret", "b", "secret-long"));

        assertEquals("*** ***", scrubber.scrub("secret-long secret"));
    }

    @Test
    void leavesShortValuesInsideOtherWordsAlone() {
        assertEquals("the path, ***", Scrubber.of(Map.of("k", "at")).scrub("the path, at"));
    }

    @Test
    void takesOutTheSecretPartsOfAUrl() {
        Scrubber scrubber =
                Scrubber.of(Map.of("uri", "jdbc:mysql://joe:pass99@host/db?token=t0k3n&x=y1y"));

        assertEquals("*** *** *** ***", scrubber.scrub("joe pass99 t0k3n y1y"));
    }

    @Test
    void takesOutTheUserOfAWarehouseUrlButNotItsPath() {
        Scrubber scrubber = Scrubber.of(Map.of("warehouse", "s3://key123:word456@bucket/w"));

        assertEquals("s3://***:***@bucket/w", scrubber.scrub("s3://key123:word456@bucket/w"));
    }

    @Test
    void keepsWarehouseMetastoreAndPlainSwitches() {
        Scrubber scrubber =
                Scrubber.of(
                        Map.of(
                                "warehouse", "/data/warehouse",
                                "metastore", "filesystem",
                                "cache-enabled", "false",
                                "client-pool-size", "4"));

        String text = "/data/warehouse filesystem false 4";
        assertEquals(text, scrubber.scrub(text));
    }

    @Test
    void readsValuesLiterally() {
        assertEquals("x *** y", Scrubber.of(Map.of("k", "$1.*\\E(")).scrub("x $1.*\\E( y"));
    }
}
