package dev.paimoninplace.procedures.spi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.paimoninplace.adapter.CatalogConf;
import dev.paimoninplace.fence.GuardedCatalog;
import java.nio.file.Path;
import java.util.List;
import org.apache.paimon.catalog.CachingCatalog;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.CatalogContext;
import org.apache.paimon.catalog.CatalogFactory;
import org.apache.paimon.catalog.DelegateCatalog;
import org.apache.paimon.catalog.FileSystemCatalog;
import org.apache.paimon.options.Options;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The guarded catalog as Paimon itself opens it. */
final class GuardedCatalogFactoryTest {

    @TempDir Path warehouse;

    private Options options() {
        Options options = new Options();
        options.set("warehouse", warehouse.toUri().toString());
        options.set("metastore", "guarded");
        return options;
    }

    @Test
    void isFoundByItsNameAndCachedLikeAnyCatalog() throws Exception {
        try (Catalog catalog = CatalogFactory.createCatalog(CatalogContext.create(options()))) {
            CachingCatalog caching = assertInstanceOf(CachingCatalog.class, catalog);
            GuardedCatalog guarded = assertInstanceOf(GuardedCatalog.class, caching.wrapped());
            assertInstanceOf(FileSystemCatalog.class, guarded.wrapped());
        }
    }

    @Test
    void givesOptionsThatOpenItAgain() throws Exception {
        Options options = options();
        options.set("guarded.metastore", "filesystem");
        options.set("cache-enabled", "false");
        options.set("table-default.commit.max-retries", "3");
        try (Catalog first = CatalogFactory.createCatalog(CatalogContext.create(options));
                Catalog again =
                        CatalogFactory.createCatalog(
                                CatalogContext.create(Options.fromMap(first.options())))) {
            assertEquals(options.toMap(), first.options());
            assertEquals(options.toMap(), again.options());
            assertInstanceOf(GuardedCatalog.class, again);
            assertEquals(
                    "3",
                    DelegateCatalog.rootCatalog(again)
                            .options()
                            .get("table-default.commit.max-retries"));
        }
    }

    @Test
    void namesTheMetastoreThatItCannotGuard() {
        Options itself = options();
        itself.set("guarded.metastore", "guarded");

        IllegalArgumentException refused =
                assertThrows(
                        IllegalArgumentException.class,
                        () -> CatalogFactory.createCatalog(CatalogContext.create(itself)));

        assertEquals(
                "Cannot open a guarded catalog: guarded.metastore is guarded, which names the"
                        + " guarded catalog itself. Name a filesystem, jdbc or hive metastore.",
                refused.getMessage());
    }

    @Test
    void namesAnUnknownMetastore() {
        Options unknown = options();
        unknown.set("guarded.metastore", "nowhere");

        RuntimeException refused =
                assertThrows(
                        RuntimeException.class,
                        () -> CatalogFactory.createCatalog(CatalogContext.create(unknown)));

        assertTrue(String.valueOf(refused.getMessage()).contains("nowhere"), refused.toString());
    }

    @Test
    void isOpenedFromTheOptionsOfACommandLine() throws Exception {
        CatalogConf conf =
                CatalogConf.parse(warehouse.toUri().toString(), List.of("metastore=guarded"), null);

        try (Catalog catalog = conf.open(null)) {
            assertInstanceOf(GuardedCatalog.class, catalog);
        }
    }

    @Test
    void asksForTheWarehouseOfTheRealMetastore() {
        RuntimeException missing =
                assertThrows(
                        RuntimeException.class,
                        () -> CatalogConf.parse(null, List.of("metastore=guarded"), null));

        assertEquals(
                "Cannot open the catalog: --warehouse is missing. Add it.", missing.getMessage());
    }
}
