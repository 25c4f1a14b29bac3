package dev.paimoninplace.fence;

import dev.paimoninplace.conversion.ConversionException;
import dev.paimoninplace.conversion.ConversionOptions;
import dev.paimoninplace.conversion.DataEvolutionConversion;
import dev.paimoninplace.conversion.ErrorKind;
import dev.paimoninplace.testing.InterceptedFileIO.Interceptor;
import dev.paimoninplace.testing.MemoryFileIO;
import dev.paimoninplace.testing.MemoryFileIO.Store;
import dev.paimoninplace.testing.TableProof;
import dev.paimoninplace.testing.TestTable;
import dev.paimoninplace.testing.TestTable.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.CatalogContext;
import org.apache.paimon.catalog.FileSystemCatalog;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.fs.Path;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.sink.CommitMessage;

/**
 * One conversion and some writers of one table, on files of their own. The conversion is the first
 * side, the writers follow.
 */
final class Interleaving implements AutoCloseable {

    /** Which catalog the sides use. */
    enum Kind {
        GUARDED,
        STOCK
    }

    /** Whether the files that name the newest and the oldest snapshot are there. */
    enum Hints {
        KEPT,
        NONE
    }

    private static final CatalogContext CONTEXT =
            CatalogContext.create(new Path("memory:/warehouse"));
    private static final Identifier IDENTIFIER = Identifier.create("db", "t");
    private static final int ROWS_OF_A_WRITER = 1000;

    private final Store store;
    private final Turns turns;
    private final Kind kind;
    private final Prepared prepared;
    private final AtomicInteger refusals = new AtomicInteger();

    Interleaving(Prepared prepared, Kind kind) {
        this.store = prepared.store().copy();
        this.turns = new Turns();
        this.kind = kind;
        this.prepared = prepared;
        turns.add(this::convert);
        for (int writer = 0; writer < prepared.jobs().size(); writer++) {
            int number = writer;
            turns.add((files, begin) -> write(files, begin, number));
        }
    }

    /**
     * A table with four files of ten rows each, and what the writers wrote for their commits.
     *
     * @param written messages of each job
     */
    record Prepared(Store store, List<WriterJob> jobs, List<List<CommitMessage>> written) {

        static Prepared of(Hints hints, List<WriterJob> jobs) {
            Store store = hints == Hints.KEPT ? new Store() : Store.withoutHints();
            TestTable table = table(store);
            List<List<CommitMessage>> written = new ArrayList<>();
            for (int writer = 0; writer < jobs.size(); writer++) {
                written.add(jobs.get(writer).write(table.load(), firstRow(writer)));
            }
            return new Prepared(store, jobs, written);
        }

        private static TestTable table(Store store) {
            TestTable table =
                    TestTable.partitioned(
                            stock(store, new Interceptor() {}),
                            "t",
                            "file.format",
                            "avro",
                            "deletion-vectors.enabled",
                            "true",
                            "write-only",
                            "true",
                            "commit.min-retry-wait",
                            "1 ms",
                            "commit.max-retry-wait",
                            "1 ms");
            table.append(0, 20, i -> "p" + i % 2);
            table.append(20, 40, i -> "p" + i % 2);
            return table;
        }
    }

    private static Catalog stock(Store store, Interceptor interceptor) {
        return new FileSystemCatalog(
                new MemoryFileIO(store, interceptor), new Path("memory:/warehouse"), CONTEXT);
    }

    private Catalog catalog(Interceptor interceptor, Kind kindOfCatalog) {
        Catalog catalog = stock(store, interceptor);
        return kindOfCatalog == Kind.GUARDED ? new GuardedCatalog(catalog, Map.of()) : catalog;
    }

    private static int firstRow(int writer) {
        return ROWS_OF_A_WRITER * (writer + 1);
    }

    private void write(Interceptor files, Runnable begin, int writer) throws Exception {
        Catalog catalog = catalog(files, kind);
        FileStoreTable stale = (FileStoreTable) catalog.getTable(IDENTIFIER);
        begin.run();
        WriterJob job = prepared.jobs().get(writer);
        List<CommitMessage> written = prepared.written().get(writer);
        refusals.addAndGet(job.run(stale, written, catalog, firstRow(writer)));
    }

    private void convert(Interceptor files, Runnable begin) {
        Catalog catalog = catalog(files, kind);
        begin.run();
        try {
            convert(catalog);
        } catch (ConversionException e) {
            if (e.kind() != ErrorKind.CONFLICT) {
                throw e;
            }
            convert(catalog);
        }
    }

    private static void convert(Catalog catalog) {
        DataEvolutionConversion.of(catalog, IDENTIFIER)
                .withOptions(ConversionOptions.DEFAULTS.withThreads(1))
                .run();
    }

    Turns turns() {
        return turns;
    }

    /** How often a writer was refused. */
    int refusals() {
        return refusals.get();
    }

    boolean isDone() {
        for (int side = 0; side < turns.sideCount(); side++) {
            if (!turns.isDone(side)) {
                return false;
            }
        }
        return true;
    }

    /**
     * What is wrong: somebody failed, or the table is not converted or has other rows than it
     * should have; empty when all is right.
     */
    Optional<String> wrong() {
        for (int side = 0; side < turns.sideCount(); side++) {
            Throwable failure = turns.failure(side);
            if (failure != null) {
                return Optional.of("side " + side + ": " + root(failure));
            }
        }
        try {
            assertRight();
            return Optional.empty();
        } catch (RuntimeException | AssertionError e) {
            return Optional.of("table: " + root(e));
        }
    }

    private static Throwable root(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root;
    }

    private void assertRight() {
        Map<Integer, Row> rows = new TreeMap<>();
        for (int i = 0; i < 40; i++) {
            rows.put(i, new Row(i, "n" + i, 10L * i, "p" + i % 2));
        }
        for (int i = 0; i < prepared.jobs().size(); i++) {
            prepared.jobs().get(i).apply(rows, firstRow(i));
        }
        TestTable table = TestTable.existing(stock(store, new Interceptor() {}), IDENTIFIER);
        TableProof.assertConverted(table, rows);
    }

    @Override
    public void close() throws InterruptedException {
        turns.stop();
    }
}
