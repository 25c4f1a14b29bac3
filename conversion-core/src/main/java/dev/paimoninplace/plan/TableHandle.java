package dev.paimoninplace.plan;

import dev.paimoninplace.conversion.Check;
import dev.paimoninplace.conversion.CommittedSteps;
import dev.paimoninplace.conversion.ConversionException;
import java.io.FileNotFoundException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.Snapshot;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.fs.FileIO;
import org.apache.paimon.manifest.ManifestFileMeta;
import org.apache.paimon.options.Options;
import org.apache.paimon.schema.SchemaManager;
import org.apache.paimon.schema.TableSchema;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.FileStoreTableFactory;
import org.apache.paimon.table.Table;
import org.apache.paimon.utils.SnapshotManager;

/**
 * One load of a table (or of one branch of it) with nothing in between: no catalog cache, no
 * snapshot cache, no fallback branch, so that what it reads is what is stored.
 */
public final class TableHandle {

    /** Each further attempt means that a snapshot went within one reading of its manifest list. */
    private static final int MAX_ATTEMPTS = 10;

    private final Catalog catalog;
    private final Identifier identifier;
    private final FileStoreTable table;

    private TableHandle(Catalog catalog, Identifier identifier, FileStoreTable table) {
        this.catalog = catalog;
        this.identifier = identifier;
        this.table = table;
    }

    /**
     * Loads a table.
     *
     * @throws ConversionException usage when there is no such table, refused when it has no file
     *     store, the catalog does not let a client convert it, or its user may not read it
     */
    public static TableHandle load(Catalog catalog, Identifier given) {
        Identifier identifier = withoutMainBranch(given);
        Inspection.requirePassed(
                identifier.getFullName(),
                List.of(
                        CatalogCheck.of(
                                CatalogCheck.kindOf(catalog), identifier.getBranchNameOrDefault()),
                        CatalogCheck.mayRead(catalog, identifier)),
                CommittedSteps.NONE);
        Table loaded = stored(catalog, identifier);
        if (!(loaded instanceof FileStoreTable table)) {
            Check check =
                    Check.failed(
                            "TABLE_TYPE",
                            "it is not a table of Paimon's own format but a "
                                    + loaded.getClass().getSimpleName(),
                            "Only append tables with snapshots can be converted");
            throw ConversionException.refused(
                    identifier.getFullName(), List.of(check), CommittedSteps.NONE);
        }
        if (!branch(table).equals(identifier.getBranchNameOrDefault())) {
            Check check =
                    Check.failed(
                            "STORED_BRANCH",
                            "its options store the branch "
                                    + branch(table)
                                    + ", which is what readers and writers of the name see",
                            "Name the branch, as in table$branch_" + branch(table));
            throw ConversionException.refused(
                    identifier.getFullName(), List.of(check), CommittedSteps.NONE);
        }
        TableSchema latest = latestSchema(table, table.fileIO());
        return new TableHandle(catalog, identifier, open(table, latest, table.fileIO()));
    }

    /**
     * Locks, and the catalog's copy of the schema, go by the name: {@code t$branch_main} is {@code
     * t}.
     */
    private static Identifier withoutMainBranch(Identifier identifier) {
        boolean named = Identifier.DEFAULT_MAIN_BRANCH.equals(identifier.getBranchName());
        return named && !identifier.isSystemTable()
                ? Identifier.create(identifier.getDatabaseName(), identifier.getTableName())
                : identifier;
    }

    private static Table stored(Catalog catalog, Identifier identifier) {
        try {
            catalog.invalidateTable(identifier);
            return catalog.getTable(identifier);
        } catch (Catalog.TableNotExistException e) {
            throw ConversionException.usage(
                    "NO_SUCH_TABLE",
                    "Cannot find "
                            + identifier.getFullName()
                            + ": there is no such table or branch. Check the name; a branch is"
                            + " written table$branch_name.");
        }
    }

    /** The same table, loaded again. */
    public TableHandle reload() {
        TableSchema latest = latestSchema(table, table.fileIO());
        return new TableHandle(catalog, identifier, open(table, latest, table.fileIO()));
    }

    /** The same table with all its metadata going through another FileIO. */
    public TableHandle through(UnaryOperator<FileIO> wrapper) {
        FileIO fileIO = wrapper.apply(table.fileIO());
        return new TableHandle(
                catalog, identifier, open(table, latestSchema(table, fileIO), fileIO));
    }

    /** The same table with the requests for its metadata counted. */
    public TableHandle counting(RequestCounter counter) {
        return through(fileIO -> new CountingFileIO(fileIO, counter));
    }

    /** The same table with some options set for this handle only. */
    public TableHandle withDynamicOptions(Map<String, String> options) {
        return new TableHandle(catalog, identifier, table.copyWithoutTimeTravel(options));
    }

    private static FileStoreTable open(FileStoreTable table, TableSchema latest, FileIO fileIO) {
        Map<String, String> options = new HashMap<>(latest.options());
        options.put(CoreOptions.BRANCH.key(), branch(table));
        return FileStoreTableFactory.createWithoutFallbackBranch(
                fileIO,
                table.location(),
                latest.copy(options),
                new Options(),
                table.catalogEnvironment());
    }

    private static TableSchema latestSchema(FileStoreTable table, FileIO fileIO) {
        return new SchemaManager(fileIO, table.location(), branch(table))
                .latestOrThrow("No schema in " + table.location());
    }

    private static String branch(FileStoreTable table) {
        return table.coreOptions().branch();
    }

    public Catalog catalog() {
        return catalog;
    }

    public Identifier identifier() {
        return identifier;
    }

    /** Name for people: database, table and branch. */
    public String name() {
        return identifier.getFullName();
    }

    public String branch() {
        return branch(table);
    }

    public FileStoreTable table() {
        return table;
    }

    public SchemaManager schemas() {
        return new SchemaManager(table.fileIO(), table.location(), branch());
    }

    public SnapshotManager snapshots() {
        return table.snapshotManager();
    }

    /** The newest snapshot as stored; empty on a table that nothing was ever committed to. */
    public Optional<Snapshot> latestSnapshot() {
        return Optional.ofNullable(snapshots().latestSnapshotFromFileSystem());
    }

    /**
     * Whether a failure to read what a view names comes from a file that went with its snapshot:
     * another one is the newest by now, and the view's was expired or rolled back.
     */
    public boolean isOutdated(TableView view, RuntimeException failure) {
        return isOutdated(view.snapshot(), failure);
    }

    private boolean isOutdated(Optional<Snapshot> snapshot, RuntimeException failure) {
        for (Throwable t = failure; t != null; t = t.getCause()) {
            if (t instanceof FileNotFoundException) {
                return !isNewest(snapshot);
            }
        }
        return false;
    }

    /** By all that a snapshot says: after a rollback its id is given again to another one. */
    private boolean isNewest(Optional<Snapshot> snapshot) {
        return latestSnapshot().equals(snapshot);
    }

    /**
     * Reads schema, newest snapshot and its manifest list. A snapshot that is expired in between
     * gives way to its successor.
     */
    public TableView read() {
        for (int attempt = 1; ; attempt++) {
            TableSchema schema = schemas().latestOrThrow("No schema in " + table.location());
            Optional<Snapshot> snapshot = latestSnapshot();
            try {
                snapshot.ifPresent(one -> requireSchema(one, schema));
                return new TableView(
                        schema, snapshot, snapshot.map(this::manifests).orElse(List.of()));
            } catch (RuntimeException e) {
                if (attempt == MAX_ATTEMPTS || !isOutdated(snapshot, e)) {
                    throw e;
                }
            }
        }
    }

    /** Without its schema a snapshot says nothing of its files, and nothing may be written. */
    private void requireSchema(Snapshot snapshot, TableSchema latest) {
        if (snapshot.schemaId() == latest.id() || schemas().schemaExists(snapshot.schemaId())) {
            return;
        }
        Check check =
                Check.failed(
                        "SCHEMA_MISSING",
                        String.format(
                                "snapshot %d names schema %d, which is not there; the latest one is"
                                        + " %d",
                                snapshot.id(), snapshot.schemaId(), latest.id()),
                        "Restore the folder 'schema' from the backup that the snapshots come from");
        throw ConversionException.refused(name(), List.of(check), CommittedSteps.NONE);
    }

    /** The table with an older snapshot in the place of the newest one. */
    public TableView readAt(Snapshot snapshot) {
        TableSchema schema = schemas().latestOrThrow("No schema in " + table.location());
        return new TableView(schema, Optional.of(snapshot), manifests(snapshot));
    }

    private List<ManifestFileMeta> manifests(Snapshot snapshot) {
        return table.store().manifestListFactory().create().readDataManifests(snapshot);
    }
}
