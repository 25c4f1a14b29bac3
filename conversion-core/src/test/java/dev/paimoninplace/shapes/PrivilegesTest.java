package dev.paimoninplace.shapes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.paimoninplace.conversion.ConversionException;
import dev.paimoninplace.conversion.ConversionReport.Outcome;
import dev.paimoninplace.conversion.DataEvolutionConversion;
import dev.paimoninplace.conversion.ErrorKind;
import dev.paimoninplace.testing.FolderListing;
import dev.paimoninplace.testing.TestTable;
import dev.paimoninplace.verify.DataEvolutionVerification;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.paimon.catalog.AbstractCatalog;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.CatalogContext;
import org.apache.paimon.catalog.CatalogFactory;
import org.apache.paimon.catalog.DelegateCatalog;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.options.Options;
import org.apache.paimon.privilege.FileBasedPrivilegeManager;
import org.apache.paimon.privilege.PrivilegeType;
import org.apache.paimon.privilege.PrivilegedCatalog;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A catalog that knows what each user may do. */
final class PrivilegesTest {

    private static final Identifier TABLE = Identifier.create("db", "t");

    @TempDir Path warehouse;
    private PrivilegedCatalog root;

    @BeforeEach
    void createTable() throws Exception {
        try (Catalog open = TestTable.catalog(warehouse)) {
            AbstractCatalog catalog = (AbstractCatalog) DelegateCatalog.rootCatalog(open);
            new FileBasedPrivilegeManager(catalog.warehouse(), catalog.fileIO(), "root", "secret")
                    .initializePrivilege("secret");
        }
        root = catalogOf("root");
        TestTable.unpartitioned(root, "t").append(0, 20);
        root.createPrivilegedUser("somebody", "secret");
    }

    @AfterEach
    void close() throws Exception {
        root.close();
    }

    private PrivilegedCatalog catalogOf(String user) {
        Options options = new Options();
        options.set("warehouse", warehouse.toUri().toString());
        options.set("user", user);
        options.set("password", "secret");
        return (PrivilegedCatalog) CatalogFactory.createCatalog(CatalogContext.create(options));
    }

    private void grant(PrivilegeType... privileges) {
        for (PrivilegeType privilege : privileges) {
            root.grantPrivilegeOnTable("somebody", TABLE, privilege);
        }
    }

    private void assertMissing(PrivilegeType privilege) throws Exception {
        Map<String, String> before = FolderListing.of(warehouse);
        try (Catalog catalog = catalogOf("somebody")) {
            DataEvolutionConversion conversion = DataEvolutionConversion.of(catalog, TABLE);
            for (Runnable refused : List.<Runnable>of(conversion::predict, conversion::run)) {
                ConversionException refusal = assertThrows(ConversionException.class, refused::run);

                assertEquals(ErrorKind.REFUSED, refusal.kind());
                assertEquals("PRIVILEGES", refusal.code());
                assertEquals(
                        "Cannot convert db.t: User somebody doesn't have privilege "
                                + privilege
                                + " on table db.t. Ask for that privilege.",
                        refusal.getMessage());
            }
        }
        assertEquals(before, FolderListing.of(warehouse));
    }

    @Test
    void aUserWhoMayNotReadLearnsNothingAboutTheTable() throws Exception {
        grant(PrivilegeType.INSERT, PrivilegeType.ALTER_TABLE);

        assertMissing(PrivilegeType.SELECT);
    }

    @Test
    void aUserWhoMayReadOnlyVerifiesOnly() throws Exception {
        grant(PrivilegeType.SELECT);

        assertMissing(PrivilegeType.INSERT);

        try (Catalog catalog = catalogOf("somebody")) {
            DataEvolutionVerification.of(catalog, TABLE).run();
        }
    }

    @Test
    void aUserWhoMayNotAlterTheTable() throws Exception {
        grant(PrivilegeType.SELECT, PrivilegeType.INSERT);

        assertMissing(PrivilegeType.ALTER_TABLE);
    }

    @Test
    void aUserWithAllThree() throws Exception {
        grant(PrivilegeType.SELECT, PrivilegeType.INSERT, PrivilegeType.ALTER_TABLE);

        try (Catalog catalog = catalogOf("somebody")) {
            assertEquals(
                    Outcome.CONVERTED, DataEvolutionConversion.of(catalog, TABLE).run().outcome());
        }
    }
}
