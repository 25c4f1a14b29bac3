package dev.paimoninplace.guard;

import dev.paimoninplace.fence.GuardedCatalog;
import java.util.Optional;
import org.apache.flink.table.factories.CatalogFactory.Context;
import org.apache.flink.table.factories.Factory;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.CatalogContext;
import org.apache.paimon.catalog.CatalogFactory;
import org.apache.paimon.flink.FlinkCatalog;
import org.apache.paimon.flink.FlinkCatalogOptions;
import org.apache.paimon.flink.FlinkFileIOLoader;
import org.apache.paimon.options.CatalogOptions;
import org.apache.paimon.options.Options;

/**
 * Paimon's Flink catalog over the guarded Paimon catalog, with the guarded sink for append tables.
 *
 * <p>Its options say {@code metastore=guarded}, so that procedures, which open a catalog of their
 * own from them, are behind the fence too.
 */
public final class GuardedFlinkCatalog extends FlinkCatalog {

    private GuardedFlinkCatalog(Catalog catalog, String name, Options options) {
        super(catalog, name, options.get(FlinkCatalogOptions.DEFAULT_DATABASE), options);
    }

    /** Opens the catalog that a {@code CREATE CATALOG} statement describes. */
    public static FlinkCatalog create(Context context) {
        Options options = guarded(Options.fromMap(context.getOptions()));
        Catalog catalog =
                CatalogFactory.createCatalog(
                        CatalogContext.create(options, new FlinkFileIOLoader()),
                        context.getClassLoader());
        return new GuardedFlinkCatalog(catalog, context.getName(), options);
    }

    private static Options guarded(Options given) {
        Options options = new Options(given.toMap());
        String metastore = given.get(CatalogOptions.METASTORE);
        if (!metastore.equals(GuardedCatalog.METASTORE)) {
            options.set(GuardedCatalog.REAL_METASTORE_KEY, metastore);
            options.set(CatalogOptions.METASTORE, GuardedCatalog.METASTORE);
        }
        return options;
    }

    @Override
    public Optional<Factory> getFactory() {
        return Optional.of(new GuardedTableFactory(this));
    }
}
