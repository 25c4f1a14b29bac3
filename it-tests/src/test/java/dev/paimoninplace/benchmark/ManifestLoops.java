package dev.paimoninplace.benchmark;

import dev.paimoninplace.commit.RowIdPass;
import dev.paimoninplace.commit.RowIdResult;
import dev.paimoninplace.commit.Run;
import dev.paimoninplace.conversion.ConversionOptions;
import dev.paimoninplace.conversion.ProgressListener;
import dev.paimoninplace.plan.ManifestPlan;
import dev.paimoninplace.plan.ManifestPlanner;
import dev.paimoninplace.plan.Parallel;
import dev.paimoninplace.plan.TableHandle;
import dev.paimoninplace.testing.TestTable;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.manifest.ManifestFileMeta;
import org.apache.paimon.table.FileStoreTable;
import org.jspecify.annotations.NullUnmarked;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * The hot loops on one thread, over all manifests of a table that {@link Measured} made. The system
 * property {@code benchmark.warehouse} names its warehouse.
 */
// JMH sets the fields by calling open() before it measures.
@NullUnmarked
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
public class ManifestLoops {

    private Catalog catalog;
    private TableHandle handle;
    private Floor floor;
    private List<ManifestFileMeta> manifests;
    private ManifestPlan plan;
    private Run run;

    @Setup
    public void open() throws Exception {
        catalog = TestTable.catalog(Path.of(System.getProperty("benchmark.warehouse")));
        Identifier identifier = Identifier.create("db", "t");
        handle = TableHandle.load(catalog, identifier);
        floor = new Floor((FileStoreTable) catalog.getTable(identifier));
        manifests = floor.manifests();
        run =
                new Run(
                        handle.name(),
                        ConversionOptions.DEFAULTS.withThreads(1),
                        ProgressListener.NONE);
        plan = planner().planNewest(handle);
    }

    @TearDown
    public void close() throws Exception {
        catalog.close();
    }

    private ManifestPlanner planner() {
        return new ManifestPlanner(handle, new Parallel(1), ProgressListener.NONE);
    }

    /** Counts what needs row ids: the first pass of a conversion. */
    @Benchmark
    public ManifestPlan count() {
        return planner().planNewest(handle);
    }

    /** Assigns and encodes, without writing: the second pass. */
    @Benchmark
    public RowIdResult assign() {
        return new RowIdPass(handle, planner(), run).predict(plan);
    }

    /** Decodes every entry through Paimon's objects. */
    @Benchmark
    public long floorDecode() throws Exception {
        long entries = 0;
        for (ManifestFileMeta manifest : manifests) {
            entries += floor.read(manifest);
        }
        return entries;
    }

    /** Decodes, encodes and writes every entry through Paimon's objects. */
    @Benchmark
    public long floorCopy() throws Exception {
        long bytes = 0;
        for (ManifestFileMeta manifest : manifests) {
            bytes += floor.copy(manifest);
        }
        return bytes;
    }
}
