package dev.paimoninplace.shapes;

import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/** Options of random tables. */
final class RandomOptions {

    private RandomOptions() {}

    static Map<String, String> of(Random random, boolean deletionVectors) {
        Map<String, String> options = new TreeMap<>();
        options.put("deletion-vectors.enabled", String.valueOf(deletionVectors));
        options.put("manifest.merge-min-count", oneOf(random, "2", "3", "30"));
        options.put("manifest.target-file-size", oneOf(random, "1 kb", "6 kb", "8 mb"));
        options.put(
                "manifest.full-compaction-threshold-size", oneOf(random, "1 b", "8 kb", "16 mb"));
        options.put("manifest.format", oneOf(random, "avro", "avro", "avro", "parquet", "orc"));
        options.put("file.format", oneOf(random, "parquet", "orc", "avro"));
        options.put("metadata.stats-mode", oneOf(random, "truncate(16)", "none", "full"));
        options.put("snapshot.num-retained.min", "1");
        options.put("snapshot.num-retained.max", oneOf(random, "2", "10", "100"));
        return options;
    }

    static String oneOf(Random random, String... choices) {
        return choices[random.nextInt(choices.length)];
    }
}
