package dev.paimoninplace.fence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.paimoninplace.conversion.ConversionException;
import dev.paimoninplace.conversion.ConversionReport;
import dev.paimoninplace.conversion.ConversionReport.Outcome;
import dev.paimoninplace.conversion.DataEvolutionConversion;
import dev.paimoninplace.testing.TableProof;
import dev.paimoninplace.testing.TestTable;
import dev.paimoninplace.testing.TestTable.Row;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.Map;
import java.util.TreeMap;
import org.apache.paimon.catalog.AbstractCatalog;
import org.apache.paimon.catalog.CachingCatalog;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.CatalogContext;
import org.apache.paimon.catalog.DelegateCatalog;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.options.Options;
import org.apache.paimon.privilege.FileBasedPrivilegeManager;
import org.apache.paimon.privilege.PrivilegeType;
import org.apache.paimon.privilege.PrivilegedCatalog;
import org.apache.paimon.table.FileStoreTable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real catalogs below a guarded one: what a conversion has to know of them is seen through it. */
final class GuardedCatalogsTest {

    private static final Identifier TABLE = Identifier.create("db", "t");

    @TempDir Path folder;

    private Options options(String metastore) {
        Options options = new Options();
        options.set("warehouse", folder.resolve("warehouse").toUri().toString());
        options.set("metastore", "guarded");
        options.set("guarded.metastore", metastore);
        return options;
    }

    @Test
    void aTableOfAJdbcCatalogIsConvertedUnderItsLockAndFenced() throws Exception {
        String uri = "jdbc:sqlite:file:" + folder.getFileName() + "?mode=memory&cache=shared";
        Options options = options("jdbc");
        options.set("uri", uri);
        options.set("lock.enabled", "true");
        try (Connection database = DriverManager.getConnection(uri);
                Catalog guarded = GuardedCatalog.open(CatalogContext.create(options))) {
            TestTable table = TestTable.unpartitioned(guarded, "t");
            table.append(0, 40);
            Map<Integer, Row> rows = table.rows();
            FileStoreTable stale = table.load();

            ConversionReport report = DataEvolutionConversion.of(guarded, TABLE).run();
            ConversionException branch =
                    assertThrows(
                            ConversionException.class,
                            DataEvolutionConversion.of(
                                            guarded, Identifier.fromString("db.t$branch_b"))
                                    ::run);

            assertEquals(Outcome.CONVERTED, report.outcome());
            assertEquals("JDBC_BRANCH", branch.code());
            assertThrows(
                    StaleWriterException.class, () -> TestTable.append(stale, 40, 80, i -> "p0"));
            TableProof.assertConverted(table, rows);
            assertEquals("true", storedOptions(database).get("data-evolution.enabled"));
        }
    }

    private static Map<String, String> storedOptions(Connection database) throws Exception {
        Map<String, String> stored = new TreeMap<>();
        try (var statement = database.createStatement();
                var found =
                        statement.executeQuery(
                                "SELECT property_key, property_value FROM paimon_table_properties"
                                        + " WHERE table_name = 't'")) {
            while (found.next()) {
                stored.put(found.getString(1), found.getString(2));
            }
        }
        return stored;
    }

    @Test
    void theUserOfAPrivilegedCatalogIsAskedForHisPrivileges() throws Exception {
        Options options = options("filesystem");
        Catalog guarded = GuardedCatalog.open(CatalogContext.create(options));
        AbstractCatalog real = (AbstractCatalog) DelegateCatalog.rootCatalog(guarded);
        new FileBasedPrivilegeManager(real.warehouse(), real.fileIO(), "root", "secret")
                .initializePrivilege("secret");
        try (PrivilegedCatalog root = privileged(options, "root")) {
            TestTable.unpartitioned(root, "t").append(0, 40);
            root.createPrivilegedUser("somebody", "secret");
            root.grantPrivilegeOnTable("somebody", TABLE, PrivilegeType.SELECT);
        }
        try (PrivilegedCatalog somebody = privileged(options, "somebody")) {
            ConversionException refused =
                    assertThrows(
                            ConversionException.class,
                            () -> DataEvolutionConversion.of(somebody, TABLE).run());

            assertEquals("PRIVILEGES", refused.code());
        }
        try (PrivilegedCatalog root = privileged(options, "root")) {
            FileStoreTable stale = (FileStoreTable) root.getTable(TABLE);
            DataEvolutionConversion.of(root, TABLE).run();

            assertThrows(
                    StaleWriterException.class, () -> TestTable.append(stale, 40, 80, i -> "p0"));
        }
    }

    private static PrivilegedCatalog privileged(Options guarded, String user) {
        Options options = new Options(guarded.toMap());
        options.set("user", user);
        options.set("password", "secret");
        Catalog catalog = GuardedCatalog.open(CatalogContext.create(options));
        return (PrivilegedCatalog)
                PrivilegedCatalog.tryToCreate(
                        CachingCatalog.tryToCreate(catalog, options), options);
    }

    @Test
    void aRestCatalogIsNotGuarded() {
        Options options = options("rest");
        options.set("uri", "http://127.0.0.1:1");
        options.set("token.provider", "bear");
        options.set("token", "secret");

        IllegalArgumentException refused =
                assertThrows(
                        IllegalArgumentException.class,
                        () -> GuardedCatalog.open(CatalogContext.create(options)));

        assertEquals(
                "Cannot open a guarded catalog: guarded.metastore is rest, which commits on its"
                        + " server, where nothing can be guarded. Name a filesystem, jdbc or hive"
                        + " metastore.",
                refused.getMessage());
    }
}
