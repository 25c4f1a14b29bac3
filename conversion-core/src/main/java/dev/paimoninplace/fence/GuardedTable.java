package dev.paimoninplace.fence;

import org.apache.paimon.fs.FileIO;
import org.apache.paimon.fs.Path;
import org.apache.paimon.schema.TableSchema;
import org.apache.paimon.table.AppendOnlyFileStoreTable;
import org.apache.paimon.table.CatalogEnvironment;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.utils.SnapshotManager;

/**
 * An append table of the guarded catalog. What its environment cannot see, it refuses itself: a
 * fast-forward that would take a conversion back.
 */
final class GuardedTable extends AppendOnlyFileStoreTable {

    private static final long serialVersionUID = 1L;

    private static final String CODE = "FAST_FORWARD_UNCONVERTED";

    private GuardedTable(
            FileIO fileIO, Path path, TableSchema schema, CatalogEnvironment environment) {
        super(fileIO, path, schema, environment);
    }

    /** The same table; as it is when it mixes branches, which only Paimon can build. */
    static FileStoreTable of(FileStoreTable table) {
        return table.getClass() == AppendOnlyFileStoreTable.class
                ? new GuardedTable(
                        table.fileIO(),
                        table.location(),
                        table.schema(),
                        table.catalogEnvironment())
                : table;
    }

    @Override
    public FileStoreTable copy(TableSchema newSchema) {
        FileStoreTable copy = of(super.copy(newSchema));
        if (snapshotCache != null) {
            copy.setSnapshotCache(snapshotCache);
        }
        if (manifestCache != null) {
            copy.setManifestCache(manifestCache);
        }
        if (statsCache != null) {
            copy.setStatsCache(statsCache);
        }
        return copy;
    }

    @Override
    public FileStoreTable switchToBranch(String branchName) {
        FileStoreTable other = super.switchToBranch(branchName);
        return other == this ? this : of(other);
    }

    /**
     * @throws FenceException when this table is converted and the branch is not
     */
    @Override
    public void fastForward(String branchName) {
        GuardedBranch here = branch(currentBranch());
        GuardedBranch there = branch(branchName);
        boolean known = there.schemas().latest().isPresent();
        if (known && there.latestTracking().compareTo(here.latestTracking()) < 0) {
            throw new FenceException(
                    CODE,
                    fullName(),
                    String.format(
                            "Cannot fast-forward %s to branch %s: the branch is not converted, so it"
                                    + " would take the conversion back. Run enable_data_evolution on"
                                    + " %s$branch_%s first.",
                            fullName(), branchName, fullName(), branchName));
        }
        super.fastForward(branchName);
    }

    private GuardedBranch branch(String name) {
        return new GuardedBranch(fullName(), new SnapshotManager(fileIO, path, name, null, null));
    }
}
