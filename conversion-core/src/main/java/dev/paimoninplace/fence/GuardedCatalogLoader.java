package dev.paimoninplace.fence;

import java.util.Map;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.CatalogLoader;

/** Loads a guarded catalog over a newly loaded real one. */
final class GuardedCatalogLoader implements CatalogLoader {

    private static final long serialVersionUID = 1L;

    private final CatalogLoader real;

    // The map that a guarded catalog keeps is serialisable.
    @SuppressWarnings("serial")
    private final Map<String, String> options;

    GuardedCatalogLoader(CatalogLoader real, Map<String, String> options) {
        this.real = real;
        this.options = options;
    }

    @Override
    public Catalog load() {
        return new GuardedCatalog(real.load(), options);
    }
}
