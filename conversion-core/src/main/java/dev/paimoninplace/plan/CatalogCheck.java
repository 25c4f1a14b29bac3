package dev.paimoninplace.plan;

import dev.paimoninplace.conversion.Check;
import dev.paimoninplace.plan.TableFacts.CatalogKind;
import java.util.function.Consumer;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.DelegateCatalog;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.jdbc.JdbcCatalog;
import org.apache.paimon.privilege.NoPrivilegeException;
import org.apache.paimon.privilege.PrivilegeChecker;
import org.apache.paimon.privilege.PrivilegedCatalog;
import org.apache.paimon.rest.RESTCatalog;

/**
 * Checks of the catalog alone. They come before anything of the table is read: where one fails,
 * there may be no schema file to read, or loading the table fails in another way.
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

    /** Whether the user of the catalog may read a table. */
    static Check mayRead(Catalog catalog, Identifier identifier) {
        return privileges(catalog, checker -> checker.assertCanSelect(identifier));
    }

    /** Whether the user of the catalog may commit to a table and change its schema. */
    static Check mayConvert(Catalog catalog, Identifier identifier) {
        return privileges(
                catalog,
                checker -> {
                    checker.assertCanInsert(identifier);
                    checker.assertCanAlterTable(identifier);
                });
    }

    /** Paimon asks in its own tables of such a catalog; a handle opens the table without it. */
    private static Check privileges(Catalog catalog, Consumer<PrivilegeChecker> question) {
        Catalog one = catalog;
        while (one instanceof DelegateCatalog delegate) {
            if (delegate instanceof PrivilegedCatalog privileged) {
                try {
                    question.accept(privileged.privilegeManager().getPrivilegeChecker());
                } catch (NoPrivilegeException e) {
                    return Check.failed(
                            "PRIVILEGES", String.valueOf(e.getMessage()), "Ask for that privilege");
                }
            }
            one = delegate.wrapped();
        }
        return Check.passed("PRIVILEGES", "the catalog does not restrict its user here");
    }

    static CatalogKind kindOf(Catalog catalog) {
        Catalog root = DelegateCatalog.rootCatalog(catalog);
        if (root instanceof RESTCatalog || catalog.supportsVersionManagement()) {
            return CatalogKind.REST;
        }
        return root instanceof JdbcCatalog ? CatalogKind.JDBC : CatalogKind.FILE_SYSTEM;
    }
}
