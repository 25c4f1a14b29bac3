package dev.paimoninplace.procedures.spi;

import dev.paimoninplace.guard.GuardedFlinkCatalog;
import java.util.Collections;
import java.util.Set;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.table.catalog.Catalog;
import org.apache.flink.table.factories.CatalogFactory;

/** {@code CREATE CATALOG ... WITH ('type'='paimon-guarded', ...)}. */
public final class GuardedFlinkCatalogFactory implements CatalogFactory {

    private static final String IDENTIFIER = "paimon-guarded";

    @Override
    public String factoryIdentifier() {
        return IDENTIFIER;
    }

    @Override
    public Set<ConfigOption<?>> requiredOptions() {
        return Collections.emptySet();
    }

    @Override
    public Set<ConfigOption<?>> optionalOptions() {
        return Collections.emptySet();
    }

    @Override
    public Catalog createCatalog(Context context) {
        try {
            return GuardedFlinkCatalog.create(context);
        } catch (LinkageError e) {
            throw Linkage.failure("the catalog " + IDENTIFIER, e);
        }
    }
}
