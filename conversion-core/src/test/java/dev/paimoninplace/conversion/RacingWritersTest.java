package dev.paimoninplace.conversion;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.paimoninplace.conversion.ConversionReport.Outcome;
import dev.paimoninplace.testing.InterceptedFileIO;
import dev.paimoninplace.testing.InterceptedFileIO.Interceptor;
import dev.paimoninplace.testing.InterceptedFileIO.Operation;
import dev.paimoninplace.testing.Moment;
import dev.paimoninplace.testing.TableProof;
import dev.paimoninplace.testing.TestTable;
import dev.paimoninplace.testing.TestTable.Row;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.apache.paimon.Snapshot;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.table.FileStoreTable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Writers that commit again and again while a table is converted. */
final class RacingWritersTest {

    @TempDir Path warehouse;
    private Catalog catalog;

    @BeforeEach
    void open() {
        catalog = TestTable.catalog(warehouse);
    }

    @AfterEach
    void close() throws Exception {
        catalog.close();
    }

    private DataEvolutionConversion conversion(Interceptor interceptor) {
        return DataEvolutionConversion.of(
                InterceptedFileIO.catalog(warehouse, interceptor), PreparedTable.IDENTIFIER);
    }

    private static Interceptor both(Interceptor first, Interceptor second) {
        return new Interceptor() {
            @Override
            public void before(Operation operation, org.apache.paimon.fs.Path path)
                    throws IOException {
                first.before(operation, path);
                second.before(operation, path);
            }
        };
    }

    private static void append(TestTable table, int from, Map<Integer, Row> rows) {
        table.append(from, from + 20);
        OtherCommit.add(from, from + 20, "p0", rows);
    }

    @Test
    void aWriterThatIsFasterEveryTimeEndsTheRunAndLeavesTheTableAsTheWriterMadeIt() {
        TestTable table = TestTable.partitioned(catalog, "t");
        table.append(0, 60, i -> "p" + i % 3);
        table.overwrite("p1", 60, 90);
        Map<Integer, Row> rows = table.rows();
        Interceptor writer = Moment.snapshotWrite().before(time -> append(table, 100 * time, rows));

        ConversionException failure =
                assertThrows(
                        ConversionException.class,
                        () ->
                                conversion(writer)
                                        .withOptions(ConversionOptions.DEFAULTS.withMaxAttempts(4))
                                        .run());

        assertEquals(ErrorKind.CONFLICT, failure.kind());
        assertEquals("OTHER_WRITERS", failure.code());
        assertEquals(
                "Cannot convert db.t: other commits came first in each of 4 attempts. Nothing was"
                        + " committed. Run again, at a time with fewer commits.",
                failure.getMessage());
        assertEquals(CommittedSteps.NONE, failure.committed());
        assertEquals(rows, table.rows());
        assertEquals(List.of(0L), table.load().schemaManager().listAllIds());
        assertEquals(
                LongStream.rangeClosed(1, 2 + 4).boxed().toList(),
                TableProof.snapshots(table.load()).stream().map(Snapshot::id).toList());
        assertEquals(
                TableProof.referencedManifestFiles(table.load()),
                TableProof.manifestFiles(table.load()));
    }

    @Test
    void whatWasStagedForManifestsThatAreStillThereIsUsedAgain() {
        TestTable table = TestTable.unpartitioned(catalog, "t");
        Map<Integer, Row> rows = table.rows();
        for (int from = 0; from < 100; from += 20) {
            append(table, from, rows);
        }
        AtomicInteger manifests = new AtomicInteger();
        Interceptor writerAndCounter =
                both(
                        Moment.snapshotWrite()
                                .before(
                                        time -> {
                                            if (time <= 3) {
                                                append(table, 100 * time, rows);
                                            }
                                        }),
                        Moment.manifestWrite().before(manifests::set));

        ConversionReport report = conversion(writerAndCounter).run();

        assertEquals(4, report.attempts());
        assertEquals(5 + 3, manifests.get());
        assertEquals(8, report.manifestsRewritten());
        assertEquals(rows.size(), report.nextRowId());
        TableProof.assertConverted(table, rows);
    }

    @Test
    void whatWasStagedWithoutRowIdsIsUsedAgainWhileAWriterTakesRowIds() {
        TestTable table = TestTable.partitioned(catalog, "t");
        table.append(0, 20);
        FileStoreTable stale = table.load();
        conversion(new Interceptor() {}).run();
        table.append(20, 40, i -> "p1");
        table.overwrite("p1", 40, 60);
        TestTable.append(stale, 60, 80, i -> "p0");
        Map<Integer, Row> rows = new TreeMap<>();
        OtherCommit.add(0, 20, "p0", rows);
        OtherCommit.add(40, 60, "p1", rows);
        OtherCommit.add(60, 80, "p0", rows);
        AtomicInteger manifests = new AtomicInteger();
        Interceptor writerAndCounter =
                both(
                        Moment.snapshotWrite()
                                .before(
                                        time -> {
                                            if (time <= 3) {
                                                append(table, 100 * time, rows);
                                            }
                                        }),
                        Moment.manifestWrite().before(manifests::set));

        ConversionReport report = conversion(writerAndCounter).run();

        assertEquals(Outcome.REPAIRED, report.outcome());
        assertEquals(4, report.attempts());
        int withDeletion = 1;
        int withoutRowId = 4;
        assertEquals(withDeletion + withoutRowId, manifests.get());
        TableProof.assertConverted(table, rows);
        assertEquals(0, TableProof.deleteEntries(table.load()));
    }

    @Test
    void aSnapshotThatWasRolledBackMeanwhileDoesNotComeBackForAnotherOfTheSameId() {
        TestTable table = TestTable.unpartitioned(catalog, "t");
        Map<Integer, Row> rows = table.rows();
        append(table, 0, rows);
        append(table, 20, new TreeMap<>());
        Interceptor rollback =
                Moment.manifestWrite()
                        .before(
                                time -> {
                                    if (time == 1) {
                                        table.load().rollbackTo(1);
                                        append(table, 100, rows);
                                    }
                                });

        ConversionReport report = conversion(rollback).run();

        assertEquals(2, report.attempts());
        assertEquals(4, report.snapshotAfter());
        TableProof.assertConverted(table, rows);
        TableProof.assertOrphanCleaningIsSafeAndComplete(table);
    }

    @Test
    void aSnapshotThatExpiresBeforeItsManifestListIsReadGivesWayToItsSuccessor() {
        TestTable table = TestTable.unpartitioned(catalog, "t");
        Map<Integer, Row> rows = table.rows();
        append(table, 0, rows);
        append(table, 20, rows);
        AtomicBoolean done = new AtomicBoolean();
        Interceptor expiry =
                new Interceptor() {
                    @Override
                    public void before(Operation operation, org.apache.paimon.fs.Path path) {
                        boolean isManifestList = path.getName().startsWith("manifest-list-");
                        if (operation == Operation.OPEN && isManifestList && !done.get()) {
                            done.set(true);
                            append(table, 100, rows);
                            OtherCommit.expireAllBut(table, 1);
                        }
                    }
                };

        ConversionReport report = conversion(expiry).run();

        assertTrue(done.get());
        assertEquals(Outcome.CONVERTED, report.outcome());
        TableProof.assertConverted(table, rows);
    }

    @Test
    void anAdditionAndItsDeletionInDifferentManifestsBothGo() {
        TestTable table = TestTable.partitioned(catalog, "t");
        table.append(0, 90, i -> "p" + i % 3);
        table.append(90, 120, i -> "p" + i % 3);
        table.overwrite("p1", 200, 220);
        table.dropPartition("p2");
        Map<Integer, Row> rows = table.rows();
        long deletions = TableProof.deleteEntries(table.load());
        long recordsBefore = Objects.requireNonNull(table.latest()).totalRecordCount();

        ConversionReport report = conversion(new Interceptor() {}).run();

        assertEquals(4, deletions);
        assertEquals(0, TableProof.deleteEntries(table.load()));
        assertEquals(60, report.nextRowId());
        assertEquals(Set.of(1), new HashSet<>(TableProof.runsPerPartition(table.files()).values()));
        OtherCommit.compactManifests(table);
        TableProof.assertConverted(table, rows);
        assertEquals(recordsBefore, Objects.requireNonNull(table.latest()).totalRecordCount());
    }

    @Test
    void conversionsThatStartTogetherFlipTheSchemaOnce() throws Exception {
        TestTable table = TestTable.partitioned(catalog, "t");
        table.append(0, 90, i -> "p" + i % 3);
        table.append(90, 150, i -> "p" + i % 3);
        Map<Integer, Row> rows = table.rows();
        int converters = 4;
        CyclicBarrier start = new CyclicBarrier(converters);
        Callable<ConversionReport> converter =
                () -> {
                    try (Catalog own = TestTable.catalog(warehouse)) {
                        start.await();
                        return DataEvolutionConversion.of(own, PreparedTable.IDENTIFIER).run();
                    }
                };

        ExecutorService pool = Executors.newFixedThreadPool(converters);
        List<Outcome> outcomes = new ArrayList<>();
        try {
            List<Future<ConversionReport>> runs = new ArrayList<>();
            for (int i = 0; i < converters; i++) {
                runs.add(pool.submit(converter));
            }
            for (Future<ConversionReport> run : runs) {
                outcomes.add(run.get().outcome());
            }
        } finally {
            pool.shutdownNow();
        }

        assertTrue(outcomes.contains(Outcome.CONVERTED), outcomes.toString());
        assertEquals(Set.of(0L, 1L), Set.copyOf(table.load().schemaManager().listAllIds()));
        TableProof.assertConverted(table, rows);
        TableProof.assertOrphanCleaningIsSafeAndComplete(table);
        assertEquals(Outcome.SKIPPED, conversion(new Interceptor() {}).run().outcome());
    }
}
