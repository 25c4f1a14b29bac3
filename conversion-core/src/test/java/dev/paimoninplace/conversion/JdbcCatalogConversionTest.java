package dev.paimoninplace.conversion;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.paimoninplace.conversion.ConversionReport.Outcome;
import dev.paimoninplace.testing.FolderListing;
import dev.paimoninplace.testing.InterceptedFileIO;
import dev.paimoninplace.testing.InterceptedFileIO.Interceptor;
import dev.paimoninplace.testing.InterceptedFileIO.Kind;
import dev.paimoninplace.testing.InterceptedFileIO.Operation;
import dev.paimoninplace.testing.Moment;
import dev.paimoninplace.testing.TableProof;
import dev.paimoninplace.testing.TestTable;
import dev.paimoninplace.testing.TestTable.Row;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.CatalogContext;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.jdbc.JdbcCatalog;
import org.apache.paimon.jdbc.JdbcCatalogFactory;
import org.apache.paimon.options.Options;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A catalog that keeps tables and a copy of their options in a database. */
final class JdbcCatalogConversionTest {

    private static final Interceptor NOBODY = new Interceptor() {};

    @TempDir Path folder;
    private Path warehouse;
    private Connection database;
    private Map<Integer, Row> rows;

    @BeforeEach
    void prepare() throws Exception {
        database = DriverManager.getConnection(uri());
        warehouse = folder.resolve("warehouse");
        try (Catalog catalog = catalog("true", NOBODY)) {
            TestTable table = TestTable.unpartitioned(catalog, "t");
            table.append(0, 30);
            table.append(30, 60);
            rows = table.rows();
        }
    }

    /** A database in memory, there as long as somebody is connected to it. */
    private String uri() {
        return "jdbc:sqlite:file:" + folder.getFileName() + "?mode=memory&cache=shared";
    }

    @AfterEach
    void dropDatabase() throws SQLException {
        database.close();
    }

    private JdbcCatalog catalog(String lock, Interceptor interceptor) {
        Options options = new Options();
        options.set("uri", uri());
        options.set("warehouse", warehouse.toUri().toString());
        options.set("lock.enabled", lock);
        options.set("lock-acquire-timeout", "500 ms");
        return (JdbcCatalog)
                new JdbcCatalogFactory()
                        .create(
                                new InterceptedFileIO(interceptor, Kind.FILE_SYSTEM),
                                new org.apache.paimon.fs.Path(warehouse.toUri()),
                                CatalogContext.create(options));
    }

    private static DataEvolutionConversion conversion(Catalog catalog) {
        return DataEvolutionConversion.of(catalog, PreparedTable.IDENTIFIER);
    }

    private Map<String, String> query(String sql) {
        Map<String, String> result = new TreeMap<>();
        try (Statement statement = database.createStatement();
                ResultSet found = statement.executeQuery(sql)) {
            while (found.next()) {
                result.put(found.getString(1), found.getString(2));
            }
            return result;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private Map<String, String> optionsInTheDatabase() {
        return query(
                "SELECT property_key, property_value FROM paimon_table_properties"
                        + " WHERE table_name = 't'");
    }

    private Map<String, String> locks() {
        return query("SELECT lock_id, lock_id FROM paimon_distributed_locks");
    }

    private void assertConvertedAndInStep() throws Exception {
        try (Catalog catalog = catalog("true", NOBODY)) {
            TestTable table = TestTable.existing(catalog, PreparedTable.IDENTIFIER);
            TableProof.assertConverted(table, rows);
            Map<String, String> expected =
                    new TreeMap<>(table.load().schemaManager().latest().orElseThrow().options());
            Map<String, String> actual = optionsInTheDatabase();
            // Paimon's repair adds the location.
            actual.remove("path");
            assertEquals(expected, actual);
            assertEquals("true", expected.get("data-evolution.enabled"));
            TableProof.assertUpdatesAreVisible(table);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"true", "false"})
    void theDatabaseHasTheOptionsOfTheNewSchema(String lock) throws Exception {
        try (Catalog catalog = catalog(lock, NOBODY)) {
            assertEquals(Outcome.CONVERTED, conversion(catalog).run().outcome());
        }

        assertConvertedAndInStep();
        assertEquals(Map.of(), locks());
    }

    @Test
    void theMainBranchByItsNameIsTheTableItself() throws Exception {
        Map<String, String> held = new TreeMap<>();
        Interceptor observer = Moment.schemaWrite().before(time -> held.putAll(locks()));

        try (Catalog catalog = catalog("true", observer)) {
            Identifier main = Identifier.create("db", "t$branch_main");
            ConversionReport report = DataEvolutionConversion.of(catalog, main).run();

            assertEquals("db.t", report.table());
        }

        assertEquals(Map.of("jdbc.db.t", "jdbc.db.t"), held);
        assertConvertedAndInStep();
    }

    @Test
    void theLockIsHeldAroundTheSchemaWrite() throws Exception {
        Map<String, String> held = new TreeMap<>();
        Interceptor observer = Moment.schemaWrite().before(time -> held.putAll(locks()));

        try (Catalog catalog = catalog("true", observer)) {
            conversion(catalog).run();
        }

        assertEquals(Map.of("jdbc.db.t", "jdbc.db.t"), held);
        assertEquals(Map.of(), locks());
    }

    @Test
    void aSchemaWriteThatFailsAfterTheRowIdsIsDoneByTheNextRun() throws Exception {
        Interceptor diskFull =
                Moment.schemaWrite()
                        .before(
                                time -> {
                                    throw new IOException("No space left on device");
                                });
        try (Catalog catalog = catalog("true", diskFull)) {
            ConversionException failure =
                    assertThrows(ConversionException.class, () -> conversion(catalog).run());

            assertEquals(ErrorKind.OUTCOME_UNKNOWN, failure.kind());
            assertEquals("SCHEMA_UNKNOWN", failure.code());
            assertEquals(new CommittedSteps(List.of(3L), List.of()), failure.committed());
            assertEquals(
                    "Cannot convert db.t: the write of schema 1 failed and may still land."
                            + " Committed so far: snapshot 3. Run again: it goes on from what it"
                            + " finds.",
                    failure.getMessage());
        }
        assertEquals(Map.of(), locks());

        try (Catalog catalog = catalog("true", NOBODY)) {
            assertEquals(Outcome.CONVERTED, conversion(catalog).run().outcome());
        }
        assertConvertedAndInStep();
    }

    @Test
    void aConversionThatDoesNotGetTheLockForTheSchemaIsResumed() throws Exception {
        try (Catalog catalog = catalog("true", lockAfterTheRowIds())) {
            ConversionException failure =
                    assertThrows(ConversionException.class, () -> conversion(catalog).run());

            assertEquals(ErrorKind.CONFLICT, failure.kind(), failure.getMessage());
            assertEquals("CATALOG_LOCK", failure.code());
            assertEquals(new CommittedSteps(List.of(3L), List.of()), failure.committed());
            assertEquals(
                    "Cannot convert db.t: the catalog's lock was not to be had to write schema 1."
                            + " Committed so far: snapshot 3. Run again: it goes on from what it"
                            + " finds.",
                    failure.getMessage());
        }
        update("DELETE FROM paimon_distributed_locks");

        try (Catalog catalog = catalog("true", NOBODY)) {
            assertEquals(Outcome.CONVERTED, conversion(catalog).run().outcome());
        }
        assertConvertedAndInStep();
    }

    /** Takes the lock for somebody else once the row-id snapshot is written and the lock free. */
    private Interceptor lockAfterTheRowIds() {
        return new Interceptor() {
            private boolean isWritten;
            private boolean isLocked;

            @Override
            public void before(Operation operation, org.apache.paimon.fs.Path path) {
                if (isWritten && !isLocked && path.getName().equals("schema")) {
                    isLocked = true;
                    update(
                            "INSERT INTO paimon_distributed_locks (lock_id, expire_time_seconds)"
                                    + " VALUES ('jdbc.db.t', 1000000)");
                }
            }

            @Override
            public void after(Operation operation, org.apache.paimon.fs.Path path) {
                isWritten |= operation == Operation.RENAME;
            }
        };
    }

    private void update(String sql) {
        try (Statement statement = database.createStatement()) {
            statement.executeUpdate(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aDatabaseThatCannotBeBroughtInStepIsAWarningWithItsRemedy() throws Exception {
        JdbcCatalog[] opened = new JdbcCatalog[1];
        Interceptor outage = Moment.schemaWrite().after(time -> opened[0].getConnections().close());
        opened[0] = catalog("false", outage);

        ConversionReport report = conversion(opened[0]).run();

        assertEquals(Outcome.CONVERTED, report.outcome());
        Check warning = report.checks().get(report.checks().size() - 1);
        assertEquals("CATALOG_COPY", warning.name());
        assertEquals(Check.Outcome.WARNING, warning.outcome());
        assertEquals("Run CALL sys.repair('db.t')", warning.remedy());

        try (Catalog catalog = catalog("false", NOBODY)) {
            catalog.repairTable(PreparedTable.IDENTIFIER);
        }
        assertConvertedAndInStep();
    }

    @Test
    void aBranchIsRefusedBecauseThereAreNone() throws Exception {
        Map<String, String> before = FolderListing.of(warehouse);
        try (Catalog catalog = catalog("true", NOBODY)) {
            DataEvolutionConversion conversion =
                    DataEvolutionConversion.of(catalog, Identifier.fromString("db.t$branch_b"));
            ConversionException predicted =
                    assertThrows(ConversionException.class, conversion::predict);
            ConversionException refused = assertThrows(ConversionException.class, conversion::run);

            assertEquals(ErrorKind.REFUSED, refused.kind());
            assertEquals("JDBC_BRANCH", refused.code());
            assertEquals(
                    "Cannot convert db.t$branch_b: it names the branch b, a JDBC catalog has none."
                            + " Convert the table itself, or open it with a filesystem catalog.",
                    refused.getMessage());
            assertEquals(refused.getMessage(), predicted.getMessage());
        }
        assertEquals(before, FolderListing.of(warehouse));
    }
}
