package dev.paimoninplace.shapes;

import dev.paimoninplace.testing.TestTable;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.apache.paimon.catalog.Catalog;

/**
 * An append table with a past. Every file that matters has far more rows than the table has
 * snapshots.
 */
enum Shape {
    UNPARTITIONED(
            catalog -> {
                TestTable table = TestTable.unpartitioned(catalog, "t");
                table.append(0, 2000);
                table.append(2000, 2001);
                table.append(2001, 2100);
                return table;
            }),

    PARTITIONED(
            catalog -> {
                TestTable table = TestTable.partitioned(catalog, "t");
                table.append(0, 300, i -> "p" + i % 3);
                table.append(300, 600, i -> "p" + i % 4);
                table.append(600, 900, i -> "p" + i % 2);
                return table;
            }),

    NULL_AND_ODD_PARTITIONS(
            catalog -> {
                TestTable table = TestTable.partitioned(catalog, "t");
                List<String> odd = List.of("a/b=c d", "\u00e9\u4e2d", "%", "__", "=");
                table.append(0, 300, i -> i % 3 == 0 ? null : odd.get(i % odd.size()));
                table.append(300, 600, i -> i % 2 == 0 ? null : odd.get(i % odd.size()));
                return table;
            }),

    MANY_SMALL_MANIFESTS(
            catalog -> {
                TestTable table =
                        TestTable.partitioned(
                                catalog,
                                "t",
                                "manifest.merge-min-count",
                                "1000",
                                "manifest.target-file-size",
                                "1 kb");
                Histories.appendOften(table);
                return table;
            }),

    MERGED_MANIFESTS(
            catalog -> {
                TestTable table =
                        TestTable.partitioned(
                                catalog,
                                "t",
                                "manifest.merge-min-count",
                                "2",
                                "manifest.target-file-size",
                                "6 kb",
                                "manifest.full-compaction-threshold-size",
                                "8 kb");
                Histories.appendOften(table);
                table.dropPartition("p3");
                return table;
            }),

    OVERWRITTEN_AND_DROPPED_PARTITIONS(
            catalog -> {
                TestTable table =
                        TestTable.partitioned(catalog, "t", "manifest.merge-min-count", "1000");
                table.append(0, 400, i -> "p" + i % 4);
                table.append(400, 800, i -> "p" + i % 4);
                table.overwrite("p1", 800, 900);
                table.dropPartition("p2");
                table.append(900, 1000, i -> "p" + i % 4);
                return table;
            }),

    EVOLVED_SCHEMA(
            catalog -> {
                TestTable table = TestTable.partitioned(catalog, "t");
                table.append(0, 200, i -> "p" + i % 2);
                Histories.evolve(table);
                return table;
            }),

    MIXED_FILE_FORMATS(
            catalog -> {
                TestTable table = TestTable.partitioned(catalog, "t");
                int from = 0;
                for (String format : List.of("parquet", "orc", "avro", "orc", "parquet")) {
                    table.setOption("file.format", format);
                    table.append(from, from + 200, i -> "p" + i % 2);
                    from += 200;
                }
                return table;
            }),

    PARQUET_MANIFESTS(catalog -> Histories.withManifests(catalog, "parquet")),

    ORC_MANIFESTS(catalog -> Histories.withManifests(catalog, "orc")),

    CHANGED_MANIFEST_COMPRESSION(
            catalog -> {
                TestTable table = Histories.withManifests(catalog, "avro");
                table.setOption("manifest.compression", "null");
                table.append(600, 700, i -> "p" + i % 3);
                return table;
            }),

    DELETION_VECTORS(
            catalog -> {
                TestTable table =
                        TestTable.partitioned(catalog, "t", "deletion-vectors.enabled", "true");
                table.append(0, 400, i -> "p" + i % 3);
                table.delete(id -> id % 5 == 0);
                table.append(400, 800, i -> "p" + i % 3);
                table.delete(id -> id % 11 == 0);
                return table;
            }),

    EXTERNAL_PATHS(
            (catalog, warehouse) -> {
                TestTable table =
                        TestTable.partitioned(
                                catalog,
                                "t",
                                "data-file.external-paths",
                                warehouse.resolve("e1").toUri()
                                        + ","
                                        + warehouse.resolve("e2").toUri(),
                                "data-file.external-paths.strategy",
                                "round-robin");
                table.append(0, 400, i -> "p" + i % 4);
                table.append(400, 800, i -> "p" + i % 4);
                return table;
            }),

    DATA_FOLDER(
            catalog -> {
                TestTable table =
                        TestTable.partitioned(catalog, "t", "data-file.path-directory", "data");
                table.append(0, 300, i -> "p" + i % 3);
                return table;
            }),

    EMBEDDED_FILE_INDEX(catalog -> Histories.withBloomFilter(catalog, "1 mb")),

    FILE_INDEX_BESIDE_THE_FILE(catalog -> Histories.withBloomFilter(catalog, "1 b")),

    NO_STATISTICS_OF_COLUMNS(
            catalog -> {
                TestTable table =
                        TestTable.unpartitioned(catalog, "t", "metadata.stats-mode", "none");
                table.append(0, 500);
                return table;
            }),

    FULL_STATISTICS_IN_EVERY_COLUMN(
            catalog -> {
                TestTable table =
                        TestTable.unpartitioned(
                                catalog,
                                "t",
                                "metadata.stats-mode",
                                "full",
                                "metadata.stats-dense-store",
                                "false");
                table.append(0, 500);
                return table;
            }),

    ROW_TRACKING_WRITTEN_OUT_AS_FALSE(
            catalog -> {
                TestTable table =
                        TestTable.partitioned(
                                catalog,
                                "t",
                                "row-tracking.enabled",
                                "false",
                                "data-evolution.enabled",
                                "false");
                table.append(0, 300, i -> "p" + i % 3);
                return table;
            }),

    COMPACTED(
            catalog -> {
                TestTable table = TestTable.partitioned(catalog, "t");
                for (int from = 0; from < 600; from += 100) {
                    table.append(from, from + 100, i -> "p" + i % 2);
                }
                table.compact();
                table.append(600, 700, i -> "p" + i % 3);
                return table;
            }),

    ANALYZED_AND_TAGGED(
            catalog -> {
                TestTable table = TestTable.unpartitioned(catalog, "t");
                table.append(0, 500);
                table.analyze();
                table.load().createTag("t1");
                table.append(500, 1000);
                table.load().createTag("t2");
                return table;
            }),

    EXPIRED_SNAPSHOTS(
            catalog -> {
                TestTable table =
                        TestTable.partitioned(
                                catalog,
                                "t",
                                "snapshot.num-retained.min",
                                "1",
                                "snapshot.num-retained.max",
                                "2");
                Histories.appendOften(table);
                return table;
            }),

    WRITE_ONLY(
            catalog -> {
                TestTable table = TestTable.unpartitioned(catalog, "t", "write-only", "true");
                table.append(0, 500);
                table.append(500, 1000);
                return table;
            });

    private final BiFunction<Catalog, Path, TestTable> history;

    Shape(Function<Catalog, TestTable> history) {
        this((catalog, warehouse) -> history.apply(catalog));
    }

    Shape(BiFunction<Catalog, Path, TestTable> history) {
        this.history = history;
    }

    /**
     * @param warehouse folder of the catalog
     */
    TestTable create(Catalog catalog, Path warehouse) {
        return history.apply(catalog, warehouse);
    }
}
