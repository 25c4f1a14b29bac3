package dev.paimoninplace.conversion;

import dev.paimoninplace.testing.TestTable;
import dev.paimoninplace.testing.TestTable.Row;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.apache.paimon.options.ExpireConfig;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.sink.BatchTableCommit;

/** What somebody else may do to a partitioned table while it is converted. */
enum OtherCommit {
    APPEND(Effect.KEEPS_FILES) {
        @Override
        void run(TestTable table, FileStoreTable stale, Map<Integer, Row> rows) {
            append(table.load(), 1000, 1050, "p0", rows);
        }
    },
    APPEND_TO_NEW_PARTITION(Effect.KEEPS_FILES) {
        @Override
        void run(TestTable table, FileStoreTable stale, Map<Integer, Row> rows) {
            append(table.load(), 1000, 1050, "new", rows);
        }
    },
    OVERWRITE(Effect.REMOVES_FILES) {
        @Override
        void run(TestTable table, FileStoreTable stale, Map<Integer, Row> rows) {
            table.overwrite("p0", 1000, 1030);
            drop("p0", rows);
            add(1000, 1030, "p0", rows);
        }
    },
    PARTITION_DROP(Effect.REMOVES_FILES) {
        @Override
        void run(TestTable table, FileStoreTable stale, Map<Integer, Row> rows) {
            table.dropPartition("p0");
            drop("p0", rows);
        }
    },
    COMPACTION(Effect.REMOVES_FILES) {
        @Override
        void run(TestTable table, FileStoreTable stale, Map<Integer, Row> rows) {
            table.compact();
        }
    },
    DELETION_VECTORS(Effect.KEEPS_FILES) {
        @Override
        void run(TestTable table, FileStoreTable stale, Map<Integer, Row> rows) {
            table.delete(id -> id % 10 == 3);
            rows.keySet().removeIf(id -> id % 10 == 3);
        }
    },
    ADD_COLUMN(Effect.KEEPS_FILES) {
        @Override
        void run(TestTable table, FileStoreTable stale, Map<Integer, Row> rows) {
            table.addColumn("added");
        }
    },
    ANALYZE(Effect.KEEPS_FILES) {
        @Override
        void run(TestTable table, FileStoreTable stale, Map<Integer, Row> rows) {
            table.analyze();
        }
    },
    COMPACT_MANIFEST(Effect.KEEPS_FILES) {
        @Override
        void run(TestTable table, FileStoreTable stale, Map<Integer, Row> rows) {
            compactManifests(table);
        }
    },
    CONVERSION(Effect.KEEPS_FILES) {
        @Override
        void run(TestTable table, FileStoreTable stale, Map<Integer, Row> rows) {
            DataEvolutionConversion.of(table.catalog(), table.identifier()).run();
        }
    },
    STALE_APPEND(Effect.KEEPS_FILES) {
        @Override
        void run(TestTable table, FileStoreTable stale, Map<Integer, Row> rows) {
            append(stale, 1000, 1050, "p0", rows);
        }
    },
    STALE_APPEND_AND_COMPACTION(Effect.REMOVES_FILES) {
        @Override
        void run(TestTable table, FileStoreTable stale, Map<Integer, Row> rows) {
            append(stale, 1000, 1050, "p0", rows);
            FileStoreTable eager = stale.copy(Map.of("compaction.min.file-num", "2"));
            TestTable.commit(eager, TestTable.prepareCompact(eager));
        }
    },
    /** The manifests that were there before are gone afterwards, the next snapshot is not. */
    EXPIRY(Effect.KEEPS_FILES) {
        @Override
        void run(TestTable table, FileStoreTable stale, Map<Integer, Row> rows) {
            compactManifests(table);
            append(table.load(), 1000, 1050, "p0", rows);
            expireAllBut(table, 2);
        }
    };

    /** What the commit does to data files that were there before. */
    enum Effect {
        KEEPS_FILES,
        REMOVES_FILES
    }

    private final Effect effect;

    OtherCommit(Effect effect) {
        this.effect = effect;
    }

    Effect effect() {
        return effect;
    }

    /**
     * Does it.
     *
     * @param table the table as somebody finds it who loads it now
     * @param stale the table as it was loaded before the conversion
     * @param rows rows by id before; afterwards those that are then in the table
     */
    abstract void run(TestTable table, FileStoreTable stale, Map<Integer, Row> rows);

    static void compactManifests(TestTable table) {
        try (BatchTableCommit commit = table.load().newBatchWriteBuilder().newCommit()) {
            commit.compactManifests();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    static void expireAllBut(TestTable table, int snapshots) {
        table.load()
                .newExpireSnapshots()
                .config(
                        ExpireConfig.builder()
                                .snapshotRetainMin(snapshots)
                                .snapshotRetainMax(snapshots)
                                .snapshotTimeRetain(Duration.ZERO)
                                .build())
                .expire();
    }

    private static void append(
            FileStoreTable table, int from, int to, String partition, Map<Integer, Row> rows) {
        TestTable.append(table, from, to, i -> partition);
        add(from, to, partition, rows);
    }

    static void add(int from, int to, String partition, Map<Integer, Row> rows) {
        Map<Integer, Row> added = new TreeMap<>();
        for (int i = from; i < to; i++) {
            added.put(i, new Row(i, "n" + i, 10L * i, partition));
        }
        rows.putAll(added);
    }

    private static void drop(String partition, Map<Integer, Row> rows) {
        rows.values().removeIf(row -> partition.equals(row.pt()));
    }
}
