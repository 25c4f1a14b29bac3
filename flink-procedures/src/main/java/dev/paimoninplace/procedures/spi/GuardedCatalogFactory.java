package dev.paimoninplace.procedures.spi;

import dev.paimoninplace.fence.GuardedCatalog;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.CatalogContext;
import org.apache.paimon.catalog.CatalogFactory;

/**
 * Opens Paimon's catalog {@code metastore=guarded}, whose append tables refuse commits of writers
 * from before a conversion. {@code guarded.metastore} names the metastore that holds the tables.
 */
public final class GuardedCatalogFactory implements CatalogFactory {

    private static final String IDENTIFIER = "guarded";

    @Override
    public String identifier() {
        return IDENTIFIER;
    }

    @Override
    public Catalog create(CatalogContext context) {
        try {
            return GuardedCatalog.open(context);
        } catch (LinkageError e) {
            throw Linkage.failure("a guarded catalog", e);
        }
    }
}
