package dev.paimoninplace.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.paimoninplace.conversion.Check;
import dev.paimoninplace.conversion.Check.Outcome;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.paimon.schema.TableSchema;
import org.apache.paimon.types.DataField;
import org.apache.paimon.types.DataTypes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class SchemaChecksTest {

    private static TableSchema schema(List<String> primaryKeys, String... options) {
        Map<String, String> map = new HashMap<>(Map.of("bucket", "-1"));
        for (int i = 0; i < options.length; i += 2) {
            map.put(options[i], options[i + 1]);
        }
        return new TableSchema(
                3,
                List.of(
                        new DataField(0, "id", DataTypes.INT().notNull()),
                        new DataField(1, "v", DataTypes.BIGINT())),
                1,
                List.of(),
                primaryKeys,
                map,
                "a comment");
    }

    private static TableSchema schema(String... options) {
        return schema(List.of(), options);
    }

    private static Check only(TableSchema schema, Outcome outcome) {
        List<Check> found =
                SchemaChecks.of(schema).stream().filter(c -> c.outcome() == outcome).toList();
        assertEquals(1, found.size(), () -> "not one check: " + found);
        return found.get(0);
    }

    @Test
    void aPlainAppendTablePassesEveryCheck() {
        List<Check> checks = SchemaChecks.of(schema());

        assertEquals(
                List.of(
                        "PRIMARY_KEY",
                        "BUCKET",
                        "CLUSTERING_INCREMENTAL",
                        "PRECOMMIT_COMPACT",
                        "ICEBERG_METADATA",
                        "SCHEMA",
                        "TIME_TRAVEL",
                        "FILE_INDEX",
                        "PARQUET_VERSION"),
                checks.stream().map(Check::name).toList());
        assertTrue(checks.stream().allMatch(c -> c.outcome() == Outcome.PASSED));
    }

    @Test
    void aPrimaryKeyIsRefused() {
        Check check = only(schema(List.of("id")), Outcome.FAILED);

        assertEquals("PRIMARY_KEY", check.name());
        assertEquals(
                "it has the primary key [id], row tracking needs a table without one. Copy it into"
                        + " an append table instead.",
                check.text());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4, -2})
    void aBucketOtherThanMinusOneIsRefused(int bucket) {
        Check check =
                only(schema("bucket", String.valueOf(bucket), "bucket-key", "id"), Outcome.FAILED);

        assertEquals("BUCKET", check.name());
        assertEquals(
                "bucket is "
                        + bucket
                        + ", row tracking needs -1. Copy it into a table without buckets instead.",
                check.text());
    }

    @Test
    void incrementalClusteringIsRefused() {
        Check check =
                only(
                        schema("clustering.incremental", "true", "clustering.columns", "id"),
                        Outcome.FAILED);

        assertEquals("CLUSTERING_INCREMENTAL", check.name());
        assertEquals(
                "clustering.incremental is true, which data evolution does not allow. Reset the"
                        + " option first; what is clustered stays so.",
                check.text());
    }

    @ParameterizedTest
    @ValueSource(strings = {"precommit-compact", "changelog.precommit-compact"})
    void precommitCompactionIsRefused(String key) {
        Check check = only(schema(key, "true"), Outcome.FAILED);

        assertEquals("PRECOMMIT_COMPACT", check.name());
        assertEquals(
                key
                        + " is true; every Flink writer would fail on open afterwards. Reset the"
                        + " option and restart the writers first.",
                check.text());
    }

    @ParameterizedTest
    @ValueSource(strings = {"table-location", "hadoop-catalog", "hive-catalog", "rest-catalog"})
    void icebergMetadataIsRefused(String storage) {
        Check check = only(schema("metadata.iceberg.storage", storage), Outcome.FAILED);

        assertEquals("ICEBERG_METADATA", check.name());
        assertTrue(
                check.text()
                        .startsWith(
                                "metadata.iceberg.storage is "
                                        + storage
                                        + "; its commit callback fails after updates of single"
                                        + " columns. "),
                check.text());
    }

    @ParameterizedTest
    @CsvSource({
        "snapshot.num-retained.min,0",
        "scan.mode,from-nonsense",
        "file.format,nonsense",
    })
    void whatPaimonSaysOfTheSchemaToComeIsARefusal(String key, String value) {
        Check check = only(schema(key, value), Outcome.FAILED);

        assertEquals("SCHEMA", check.name());
        assertTrue(
                check.detail().startsWith("Paimon refuses the schema with both options: "),
                check.detail());
        assertEquals("Change the schema or the option it names first", check.remedy());
    }

    @Test
    void allFailuresAreListedAtOnce() {
        List<Check> failed =
                SchemaChecks.of(
                                schema(
                                        List.of("id"),
                                        "bucket",
                                        "4",
                                        "clustering.incremental",
                                        "true",
                                        "precommit-compact",
                                        "true",
                                        "metadata.iceberg.storage",
                                        "table-location"))
                        .stream()
                        .filter(c -> c.outcome() == Outcome.FAILED)
                        .toList();

        assertEquals(
                List.of(
                        "PRIMARY_KEY",
                        "BUCKET",
                        "CLUSTERING_INCREMENTAL",
                        "PRECOMMIT_COMPACT",
                        "ICEBERG_METADATA"),
                failed.stream().map(Check::name).toList());
    }

    @Test
    void fileIndexesAreAWarningThatNamesTheirOptions() {
        Check check =
                only(
                        schema(
                                "file-index.bloom-filter.columns",
                                "id",
                                "file-index.in-manifest-threshold",
                                "1 b"),
                        Outcome.WARNING);

        assertEquals("FILE_INDEX", check.name());
        assertEquals(
                "file indexes are configured by [file-index.bloom-filter.columns]; Paimon 2.0.0"
                        + " fails on an update that leaves out an indexed column",
                check.detail());
    }

    @ParameterizedTest
    @CsvSource({"v1,PASSED", "PARQUET_1_0,PASSED", "v2,WARNING", "PARQUET_2_0,WARNING"})
    void onlyTheFirstVersionOfParquetPasses(String version, Outcome expected) {
        Check check =
                SchemaChecks.of(schema("parquet.writer.version", version)).stream()
                        .filter(c -> c.name().equals("PARQUET_VERSION"))
                        .findFirst()
                        .orElseThrow();

        assertEquals(expected, check.outcome());
        assertEquals(expected == Outcome.WARNING, check.detail().contains(version));
    }

    @Test
    void theCandidateDiffersInTwoOptionsAndItsIdOnly() {
        TableSchema latest = schema("row-tracking.enabled", "false", "target-file-size", "1 mb");

        TableSchema candidate = CandidateSchema.of(latest);

        Map<String, String> expected = new HashMap<>(latest.options());
        expected.put("row-tracking.enabled", "true");
        expected.put("data-evolution.enabled", "true");
        assertEquals(expected, candidate.options());
        assertEquals(latest.id() + 1, candidate.id());
        assertEquals(latest.fields(), candidate.fields());
        assertEquals(latest.highestFieldId(), candidate.highestFieldId());
        assertEquals(latest.comment(), candidate.comment());
        assertEquals(latest.partitionKeys(), candidate.partitionKeys());
    }
}
