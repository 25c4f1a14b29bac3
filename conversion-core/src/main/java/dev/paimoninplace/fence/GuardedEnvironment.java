package dev.paimoninplace.fence;

import java.util.function.LongConsumer;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.catalog.CatalogLoader;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.catalog.SnapshotCommit;
import org.apache.paimon.catalog.TableRollback;
import org.apache.paimon.fs.FileIO;
import org.apache.paimon.fs.Path;
import org.apache.paimon.table.CatalogEnvironment;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.PartitionMarkDone;
import org.apache.paimon.table.PartitionModification;
import org.apache.paimon.table.SchemaModification;
import org.apache.paimon.table.source.TableQueryAuth;
import org.apache.paimon.utils.SnapshotLoader;
import org.apache.paimon.utils.SnapshotManager;
import org.jspecify.annotations.Nullable;

/**
 * The environment of a table of the guarded catalog. Every commit of such a table, and of every
 * copy of it, takes its compare-and-set from here.
 */
final class GuardedEnvironment extends CatalogEnvironment {

    private static final long serialVersionUID = 1L;

    private final CatalogEnvironment delegate;
    private final FileIO fileIO;
    private final Path location;
    private final String branch;

    private GuardedEnvironment(
            CatalogEnvironment delegate,
            @Nullable CatalogLoader loader,
            FileIO fileIO,
            Path location,
            String branch) {
        super(
                delegate.identifier(),
                delegate.uuid(),
                loader,
                delegate.lockFactory(),
                delegate.lockContext(),
                delegate.catalogContext(),
                delegate.supportsVersionManagement(),
                false);
        this.delegate = delegate;
        this.fileIO = fileIO;
        this.location = location;
        this.branch = branch;
    }

    /**
     * @param loader loads the guarded catalog
     */
    static GuardedEnvironment of(FileStoreTable table, CatalogLoader loader) {
        return new GuardedEnvironment(
                table.catalogEnvironment(),
                loader,
                table.fileIO(),
                table.location(),
                table.coreOptions().branch());
    }

    private String name() {
        Identifier identifier = identifier();
        return identifier == null ? location.toString() : identifier.getFullName();
    }

    @Override
    public SnapshotCommit snapshotCommit(SnapshotManager snapshotManager) {
        return GuardedSnapshotCommit.open(
                delegate.snapshotCommit(snapshotManager), name(), snapshotManager);
    }

    @Override
    public SnapshotLoader snapshotLoader() {
        return new GuardedSnapshotLoader(name(), fileIO, location, branch);
    }

    @Override
    public CatalogEnvironment copy(Identifier identifier) {
        return new GuardedEnvironment(
                delegate.copy(identifier),
                catalogLoader(),
                fileIO,
                location,
                identifier.getBranchNameOrDefault());
    }

    // The rest reads private state of the stock environment.

    @Override
    public @Nullable PartitionModification partitionModification() {
        return delegate.partitionModification();
    }

    @Override
    public @Nullable PartitionMarkDone partitionMarkDone() {
        return delegate.partitionMarkDone();
    }

    @Override
    public @Nullable SchemaModification schemaModification() {
        return delegate.schemaModification();
    }

    @Override
    public @Nullable TableRollback catalogTableRollback() {
        return delegate.catalogTableRollback();
    }

    @Override
    public @Nullable LongConsumer catalogSchemaRollback() {
        return delegate.catalogSchemaRollback();
    }

    @Override
    public TableQueryAuth tableQueryAuth(CoreOptions options) {
        return delegate.tableQueryAuth(options);
    }
}
