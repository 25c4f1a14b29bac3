package dev.paimoninplace.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.paimoninplace.testing.Await;
import dev.paimoninplace.testing.TestTable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.test.junit5.InjectMiniCluster;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.paimon.Snapshot;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A streaming job whose table is converted under it comes back by itself. */
final class SelfHealingITCase {

    @RegisterExtension static final MiniClusterExtension CLUSTER = Scenario.cluster();

    private static final String PARQUET_END = "PAR1";
    private static final int STEP = 2_000;

    @TempDir Path warehouse;
    private MiniCluster cluster;

    @BeforeEach
    void on(@InjectMiniCluster MiniCluster injected) {
        cluster = injected;
    }

    /**
     * Tables whose writers differ: files per checkpoint, options that contradict, no compaction.
     */
    @ParameterizedTest(name = "{0}={1}")
    @CsvSource({
        "write-only, false",
        "write-only, true",
        "row-tracking.enabled, false",
        "row-tracking.enabled, true",
        "target-file-size, 8 kb",
        "deletion-vectors.enabled, true",
    })
    void goesOnAsAWriterOfTheConvertedTable(String key, String value) throws Exception {
        try (Scenario scenario = Scenario.unpartitioned(cluster, warehouse, key, value)) {
            scenario.start();
            scenario.writeAndCommit(STEP);

            scenario.convert();
            scenario.writeAndCommit(2 * STEP);
            scenario.writeAndCommit(3 * STEP);

            assertEquals(2, scenario.tap().starts());
            String failures = scenario.job().failures();
            assertTrue(failures.contains("StaleWriterException"), failures);
            assertTrue(failures.contains("Cannot commit to db.t: snapshot "), failures);
            scenario.endAndProve(3 * STEP);
        }
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({"none", "hash", "partition_dynamic"})
    void keepsTheShuffleByPartition(String strategy) throws Exception {
        try (Scenario scenario =
                Scenario.partitioned(cluster, warehouse, 2, "partition.sink-strategy", strategy)) {
            scenario.start();
            scenario.writeAndCommit(STEP);

            scenario.convert();
            scenario.writeAndCommit(2 * STEP);
            scenario.writeAndCommit(3 * STEP);

            assertEquals(4, scenario.tap().starts());
            scenario.endAndProve(3 * STEP);
        }
    }

    @Test
    void writesSeveralFilesInOneCheckpointWithTheNumberOfTheSnapshot() throws Exception {
        try (Scenario scenario =
                Scenario.unpartitioned(cluster, warehouse, "target-file-size", "8 kb")) {
            scenario.start();
            scenario.writeAndCommit(STEP);
            scenario.convert();
            long before = Objects.requireNonNull(scenario.table().latest()).id();

            scenario.writeAndCommit(4 * STEP);

            Snapshot latest = Objects.requireNonNull(scenario.table().latest());
            long files =
                    scenario.table().files().stream()
                            .filter(entry -> entry.file().minSequenceNumber() > before)
                            .peek(
                                    entry -> {
                                        assertEquals(latest.id(), entry.file().minSequenceNumber());
                                        assertEquals(latest.id(), entry.file().maxSequenceNumber());
                                    })
                            .count();
            assertTrue(files > 1, files + " file(s)");
            scenario.endAndProve(4 * STEP);
        }
    }

    @Test
    void dropsACompactionThatTheConversionOvertook() throws Exception {
        try (Scenario scenario =
                Scenario.unpartitioned(
                        cluster,
                        warehouse,
                        "compaction.min.file-num",
                        "2",
                        "continuous.discovery-interval",
                        "10 ms")) {
            scenario.start();
            scenario.writeAndCommit(STEP);
            scenario.writeAndCommit(2 * STEP);
            Set<String> live = liveFiles(scenario.table());
            Set<String> compacted = new TreeSet<>();
            Await.until(
                    "a compaction is written",
                    () -> {
                        compacted.addAll(dataFiles());
                        compacted.removeAll(live);
                        return compacted.stream().anyMatch(this::isComplete);
                    });

            scenario.convert();
            scenario.writeAndCommit(3 * STEP);
            Await.until(
                    "its files are gone",
                    () -> dataFiles().stream().noneMatch(compacted::contains));
            scenario.writeAndCommit(4 * STEP);
            scenario.writeAndCommit(5 * STEP);

            assertEquals(2, scenario.tap().starts());
            assertEquals(liveFiles(scenario.table()), dataFiles());
            scenario.endAndProve(5 * STEP);
        }
    }

    private static Set<String> liveFiles(TestTable table) {
        return table.files().stream()
                .map(entry -> entry.file().fileName())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private boolean isComplete(String file) {
        try {
            String text =
                    Files.readString(
                            warehouse.resolve("db.db/t/bucket-0").resolve(file),
                            StandardCharsets.ISO_8859_1);
            return text.length() > PARQUET_END.length() && text.endsWith(PARQUET_END);
        } catch (IOException e) {
            return false;
        }
    }

    private Set<String> dataFiles() throws Exception {
        Path bucket = warehouse.resolve("db.db/t/bucket-0");
        try (Stream<Path> files = Files.list(bucket)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.startsWith("data-"))
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }
}
