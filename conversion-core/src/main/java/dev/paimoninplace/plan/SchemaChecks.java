package dev.paimoninplace.plan;

import dev.paimoninplace.conversion.Check;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.iceberg.IcebergOptions;
import org.apache.paimon.options.Options;
import org.apache.paimon.schema.SchemaValidation;
import org.apache.paimon.schema.TableSchema;

/** Checks of a table's latest schema alone: pure. */
public final class SchemaChecks {

    private static final String PRECOMMIT_COMPACT = "precommit-compact";
    private static final String PARQUET_VERSION = "parquet.writer.version";
    private static final Set<String> PARQUET_V1 = Set.of("v1", "PARQUET_1_0");
    private static final String PRECOMMIT_COMPACT_FALLBACK = "changelog.precommit-compact";

    private static final List<String> TIME_TRAVEL =
            List.of(
                    CoreOptions.SCAN_SNAPSHOT_ID.key(),
                    CoreOptions.SCAN_TAG_NAME.key(),
                    CoreOptions.SCAN_VERSION.key(),
                    CoreOptions.SCAN_TIMESTAMP.key(),
                    CoreOptions.SCAN_TIMESTAMP_MILLIS.key(),
                    CoreOptions.SCAN_WATERMARK.key());

    private SchemaChecks() {}

    /** All of them, in a fixed order. */
    public static List<Check> of(TableSchema schema) {
        Options options = Options.fromMap(schema.options());
        List<Check> checks = new ArrayList<>();
        checks.add(primaryKey(schema));
        checks.add(bucket(options));
        checks.add(clustering(options));
        checks.add(precommitCompact(schema.options()));
        checks.add(iceberg(options));
        if (checks.stream().allMatch(c -> c.outcome() == Check.Outcome.PASSED)) {
            checks.add(candidate(schema));
        }
        checks.add(timeTravel(schema.options()));
        checks.add(fileIndex(schema.options()));
        checks.add(parquetVersion(schema.options()));
        return checks;
    }

    private static Check primaryKey(TableSchema schema) {
        if (schema.primaryKeys().isEmpty()) {
            return Check.passed("PRIMARY_KEY", "there is no primary key");
        }
        return Check.failed(
                "PRIMARY_KEY",
                "it has the primary key "
                        + schema.primaryKeys()
                        + ", row tracking needs a table without one",
                "Copy it into an append table instead");
    }

    private static Check bucket(Options options) {
        int bucket = options.get(CoreOptions.BUCKET);
        if (bucket == -1) {
            return Check.passed("BUCKET", "bucket is -1");
        }
        return Check.failed(
                "BUCKET",
                "bucket is " + bucket + ", row tracking needs -1",
                "Copy it into a table without buckets instead");
    }

    private static Check clustering(Options options) {
        if (!options.get(CoreOptions.CLUSTERING_INCREMENTAL)) {
            return Check.passed("CLUSTERING_INCREMENTAL", "incremental clustering is off");
        }
        return Check.failed(
                "CLUSTERING_INCREMENTAL",
                "clustering.incremental is true, which data evolution does not allow",
                "Reset the option first; what is clustered stays so");
    }

    private static Check precommitCompact(Map<String, String> options) {
        for (String key : List.of(PRECOMMIT_COMPACT, PRECOMMIT_COMPACT_FALLBACK)) {
            if (Boolean.parseBoolean(options.get(key))) {
                return Check.failed(
                        "PRECOMMIT_COMPACT",
                        key + " is true; every Flink writer would fail on open afterwards",
                        "Reset the option and restart the writers first");
            }
        }
        return Check.passed("PRECOMMIT_COMPACT", "pre-commit compaction is off");
    }

    private static Check iceberg(Options options) {
        IcebergOptions.StorageType storage = options.get(IcebergOptions.METADATA_ICEBERG_STORAGE);
        if (storage == IcebergOptions.StorageType.DISABLED) {
            return Check.passed("ICEBERG_METADATA", "no Iceberg metadata is written");
        }
        return Check.failed(
                "ICEBERG_METADATA",
                "metadata.iceberg.storage is "
                        + storage
                        + "; its commit callback fails after updates of single columns",
                "Reset the option first; Iceberg readers then keep what they have");
    }

    /** Readers of the stock catalog cannot read snapshots from before the conversion. */
    private static Check timeTravel(Map<String, String> options) {
        List<String> keys = TIME_TRAVEL.stream().filter(options::containsKey).toList();
        if (keys.isEmpty()) {
            return Check.passed("TIME_TRAVEL", "no snapshot to read is stored in the options");
        }
        return Check.failed(
                "TIME_TRAVEL",
                "the options store what to read: "
                        + keys
                        + "; a snapshot from before the conversion cannot be read afterwards",
                "Reset these options first, and give them to the queries that need them");
    }

    /** What Paimon itself says of the schema to come. */
    private static Check candidate(TableSchema schema) {
        try {
            SchemaValidation.validateTableSchema(CandidateSchema.of(schema));
            return Check.passed("SCHEMA", "Paimon accepts the schema with both options");
        } catch (RuntimeException e) {
            return Check.failed(
                    "SCHEMA",
                    "Paimon refuses the schema with both options: " + e.getMessage(),
                    "Change the schema or the option it names first");
        }
    }

    private static Check fileIndex(Map<String, String> options) {
        List<String> keys =
                options.keySet().stream()
                        .filter(key -> key.startsWith("file-index.") && key.endsWith(".columns"))
                        .sorted()
                        .toList();
        if (keys.isEmpty()) {
            return Check.passed("FILE_INDEX", "no file index is configured");
        }
        return Check.warning(
                "FILE_INDEX",
                "file indexes are configured by "
                        + keys
                        + "; Paimon 2.0.0 fails on an update that leaves out an indexed column",
                "Reset these options before updating single columns; indexes already written stay"
                        + " in use");
    }

    private static Check parquetVersion(Map<String, String> options) {
        String version = options.getOrDefault(PARQUET_VERSION, "v1");
        if (PARQUET_V1.contains(version)) {
            return Check.passed("PARQUET_VERSION", "Parquet files are of version 1");
        }
        return Check.warning(
                "PARQUET_VERSION",
                PARQUET_VERSION
                        + " is "
                        + version
                        + "; Paimon 2.0.0 returns wrong rows of such files when it reads by row id",
                "Reset the option, and compact the files that have it before relying on row ids");
    }
}
