package dev.paimoninplace.plan;

import dev.paimoninplace.conversion.Check;
import dev.paimoninplace.plan.TableFacts.CatalogKind;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.DelegateCatalog;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.jdbc.JdbcCatalog;
import org.apache.paimon.rest.RESTCatalog;

/**
 * Check of the catalog alone. It comes before anything of the table is read: where it fails, there
 * may be no schema file to read, or loading the table fails in another way.
 */
final class CatalogCheck {

    private CatalogCheck() {}

    static Check of(CatalogKind kind, String branch) {
        if (kind == CatalogKind.REST) {
            return Check.failed(
                    "REST_CATALOG",
                    "it belongs to a REST catalog, which does not let a client replace manifests",
                    "Wait for the server to offer the conversion");
        }
        if (kind == CatalogKind.JDBC && !branch.equals(Identifier.DEFAULT_MAIN_BRANCH)) {
            return Check.failed(
                    "JDBC_BRANCH",
                    "it names the branch " + branch + ", a JDBC catalog has none",
                    "Convert the table itself, or open it with a filesystem catalog");
        }
        return Check.passed("CATALOG", "the catalog lets a client commit");
    }

    static CatalogKind kindOf(Catalog catalog) {
        Catalog root = DelegateCatalog.rootCatalog(catalog);
        if (root instanceof RESTCatalog || catalog.supportsVersionManagement()) {
            return CatalogKind.REST;
        }
        return root instanceof JdbcCatalog ? CatalogKind.JDBC : CatalogKind.FILE_SYSTEM;
    }
}
