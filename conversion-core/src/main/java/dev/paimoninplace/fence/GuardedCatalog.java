package dev.paimoninplace.fence;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.paimon.PagedList;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.CatalogContext;
import org.apache.paimon.catalog.CatalogFactory;
import org.apache.paimon.catalog.CatalogLoader;
import org.apache.paimon.catalog.DelegateCatalog;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.options.CatalogOptions;
import org.apache.paimon.options.Options;
import org.apache.paimon.rest.RESTCatalogFactory;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.FileStoreTableFactory;
import org.apache.paimon.table.Table;
import org.jspecify.annotations.Nullable;

/**
 * A catalog of Paimon that gives the tables of another one, with the fence below every commit of
 * its append tables. Its options name both, so that whoever opens a catalog from them is guarded
 * too.
 */
public final class GuardedCatalog extends DelegateCatalog {

    /** Value of the option {@code metastore} that opens this catalog. */
    public static final String METASTORE = "guarded";

    /** Option with the metastore that holds the tables; the file system when it is not set. */
    public static final String REAL_METASTORE_KEY = "guarded.metastore";

    private static final String DEFAULT_REAL_METASTORE = "filesystem";

    private final HashMap<String, String> options;

    GuardedCatalog(Catalog real, Map<String, String> options) {
        super(real);
        this.options = new HashMap<>(options);
    }

    /**
     * Opens the real catalog that the options name, with all of them, and guards it. Neither of the
     * two caches anything or checks a privilege; that is up to the caller, as for any catalog.
     *
     * @throws IllegalArgumentException when the real metastore cannot be guarded
     */
    public static Catalog open(CatalogContext context) {
        String metastore = realMetastore(context.options().toMap());
        if (metastore.equals(METASTORE)) {
            throw unusable(metastore, "names the guarded catalog itself");
        }
        if (metastore.equals(RESTCatalogFactory.IDENTIFIER)) {
            throw unusable(metastore, "commits on its server, where nothing can be guarded");
        }
        Catalog real = real(context, metastore);
        return new GuardedCatalog(real, context.options().toMap());
    }

    /**
     * The metastore that holds the tables, for options that name a guarded catalog or any other.
     */
    public static String realMetastore(Map<String, String> options) {
        String metastore =
                options.getOrDefault(CatalogOptions.METASTORE.key(), DEFAULT_REAL_METASTORE);
        return metastore.equals(METASTORE)
                ? options.getOrDefault(REAL_METASTORE_KEY, DEFAULT_REAL_METASTORE)
                : metastore;
    }

    private static Catalog real(CatalogContext context, String metastore) {
        Options options = new Options(context.options().toMap());
        options.set(CatalogOptions.METASTORE, metastore);
        options.remove(REAL_METASTORE_KEY);
        CatalogContext real =
                CatalogContext.create(
                        options, hadoopConf(context), context.preferIO(), context.fallbackIO());
        try {
            return CatalogFactory.createUnwrappedCatalog(
                    real, CatalogFactory.class.getClassLoader());
        } catch (UnsupportedOperationException e) {
            // Paimon takes this one for a factory that wants a file system.
            throw new IllegalStateException(e);
        }
    }

    private static @Nullable Configuration hadoopConf(CatalogContext context) {
        try {
            return context.hadoopConf();
        } catch (IllegalStateException e) {
            return null;
        }
    }

    private static IllegalArgumentException unusable(String metastore, String fact) {
        return new IllegalArgumentException(
                "Cannot open a guarded catalog: "
                        + REAL_METASTORE_KEY
                        + " is "
                        + metastore
                        + ", which "
                        + fact
                        + ". Name a filesystem, jdbc or hive metastore.");
    }

    @Override
    public Map<String, String> options() {
        return new HashMap<>(options);
    }

    @Override
    public CatalogLoader catalogLoader() {
        return new GuardedCatalogLoader(wrapped.catalogLoader(), options);
    }

    @Override
    public Table getTable(Identifier identifier) throws TableNotExistException {
        return guarded(wrapped.getTable(identifier));
    }

    @Override
    public Table getTableById(String tableId) throws TableIdNotExistException {
        return guarded(wrapped.getTableById(tableId));
    }

    @Override
    public List<Table> listTableDetails(String databaseName) throws DatabaseNotExistException {
        return wrapped.listTableDetails(databaseName).stream().map(this::guarded).toList();
    }

    @Override
    public PagedList<Table> listTableDetailsPaged(
            String databaseName,
            @Nullable Integer maxResults,
            @Nullable String pageToken,
            @Nullable String tableNamePattern,
            @Nullable String tableType)
            throws DatabaseNotExistException {
        PagedList<Table> page =
                wrapped.listTableDetailsPaged(
                        databaseName, maxResults, pageToken, tableNamePattern, tableType);
        return new PagedList<>(
                page.getElements().stream().map(this::guarded).toList(), page.getNextPageToken());
    }

    /**
     * The same table with a guarded environment. Tables with a primary key cannot be converted, and
     * system tables commit nothing.
     */
    private Table guarded(Table table) {
        if (!(table instanceof FileStoreTable stored) || !stored.primaryKeys().isEmpty()) {
            return table;
        }
        return GuardedTable.of(
                FileStoreTableFactory.create(
                        stored.fileIO(),
                        stored.location(),
                        stored.schema(),
                        GuardedEnvironment.of(stored, catalogLoader())));
    }
}
