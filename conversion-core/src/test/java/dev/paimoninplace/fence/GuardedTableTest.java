package dev.paimoninplace.fence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.paimoninplace.conversion.DataEvolutionConversion;
import dev.paimoninplace.testing.TableProof;
import dev.paimoninplace.testing.TestTable;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.paimon.catalog.CachingCatalog;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.CatalogLoader;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.options.Options;
import org.apache.paimon.schema.Schema;
import org.apache.paimon.table.FallbackReadFileStoreTable;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.PrimaryKeyFileStoreTable;
import org.apache.paimon.table.Table;
import org.apache.paimon.types.DataTypes;
import org.apache.paimon.utils.InstantiationUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every way to get a table object from another one or from a catalog keeps the fence. */
final class GuardedTableTest {

    private static final Identifier TABLE = Identifier.create("db", "t");

    @TempDir Path warehouse;
    private Catalog catalog;
    private Catalog guarded;
    private TestTable table;

    @BeforeEach
    void open() {
        catalog = TestTable.catalog(warehouse);
        guarded = TestTable.guardedCatalog(warehouse);
        table = TestTable.unpartitioned(catalog, "t");
        table.append(0, 40);
        table.load().createTag("tag");
        table.load().createBranch("b", "tag");
        table.append(40, 80);
    }

    @AfterEach
    void close() throws Exception {
        guarded.close();
        catalog.close();
    }

    /** What is done to a table object before it commits. */
    enum Copy {
        NONE {
            @Override
            FileStoreTable of(FileStoreTable table) {
                return table;
            }
        },
        WITH_OPTIONS {
            @Override
            FileStoreTable of(FileStoreTable table) {
                return table.copy(Map.of("target-file-size", "1 mb"));
            }
        },
        WITHOUT_TIME_TRAVEL {
            @Override
            FileStoreTable of(FileStoreTable table) {
                return table.copyWithoutTimeTravel(Map.of("target-file-size", "1 mb"));
            }
        },
        WITH_SCHEMA {
            @Override
            FileStoreTable of(FileStoreTable table) {
                return table.copy(table.schema());
            }
        },
        WITH_LATEST_SCHEMA {
            @Override
            FileStoreTable of(FileStoreTable table) {
                return table.copyWithLatestSchema();
            }
        },
        SERIALISED {
            @Override
            FileStoreTable of(FileStoreTable table) {
                try {
                    return InstantiationUtil.clone(table);
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            }
        },
        THERE_AND_BACK {
            @Override
            FileStoreTable of(FileStoreTable table) {
                return table.switchToBranch("b").switchToBranch("main");
            }
        },
        ALL {
            @Override
            FileStoreTable of(FileStoreTable table) {
                FileStoreTable copy = table;
                for (Copy each : values()) {
                    copy = each == ALL ? copy : each.of(copy);
                }
                return copy;
            }
        };

        abstract FileStoreTable of(FileStoreTable table);
    }

    @ParameterizedTest
    @EnumSource(Copy.class)
    void aCopyIsGuarded(Copy copy) throws Exception {
        FileStoreTable stale = copy.of((FileStoreTable) guarded.getTable(TABLE));
        DataEvolutionConversion.of(catalog, TABLE).run();

        assertThrows(
                StaleWriterException.class, () -> TestTable.append(stale, 100, 140, i -> "p0"));
        assertThrows(FenceException.class, () -> stale.rollbackTo(1));
        assertThrows(FenceException.class, () -> stale.fastForward("b"));
        assertEquals(80, table.rows().size());
    }

    @Test
    void anotherBranchIsGuardedByItself() throws Exception {
        FileStoreTable stale = ((FileStoreTable) guarded.getTable(TABLE)).switchToBranch("b");
        FileStoreTable main = (FileStoreTable) guarded.getTable(TABLE);
        DataEvolutionConversion.of(catalog, Identifier.fromString("db.t$branch_b")).run();

        StaleWriterException refused =
                assertThrows(
                        StaleWriterException.class,
                        () -> TestTable.append(stale, 100, 140, i -> "p0"));
        TestTable.append(main, 100, 140, i -> "p0");

        assertEquals("db.t$branch_b", refused.table());
        assertEquals(40, table.branch("b").rows().size());
        assertEquals(120, table.rows().size());
    }

    @Test
    void aTableInTheCacheOfASessionIsGuarded() throws Exception {
        try (Catalog caching = CachingCatalog.tryToCreate(guarded, new Options())) {
            FileStoreTable before = (FileStoreTable) caching.getTable(TABLE);
            DataEvolutionConversion.of(catalog, TABLE).run();
            FileStoreTable cached = (FileStoreTable) caching.getTable(TABLE);

            assertEquals(before, cached);
            assertThrows(
                    StaleWriterException.class,
                    () -> TestTable.append(cached, 100, 140, i -> "p0"));
            caching.invalidateTable(TABLE);
            FileStoreTable fresh = (FileStoreTable) caching.getTable(TABLE);
            assertNotEquals(before, fresh);
            TestTable.append(fresh, 100, 140, i -> "p0");
            assertEquals(120, table.rows().size());
        }
    }

    @Test
    void aConversionThroughACachingCatalogLeavesNoOldTableInIt() throws Exception {
        try (Catalog caching = CachingCatalog.tryToCreate(guarded, new Options())) {
            caching.getTable(TABLE);

            DataEvolutionConversion.of(caching, TABLE).run();

            FileStoreTable now = (FileStoreTable) caching.getTable(TABLE);
            TestTable.append(now, 100, 140, i -> "p0");
            assertEquals(120, table.rows().size());
        }
    }

    @Test
    void aTableThatReadsAnotherBranchTooIsGuarded() throws Exception {
        table.setOption("scan.fallback-branch", "b");
        FileStoreTable stale = (FileStoreTable) guarded.getTable(TABLE);
        assertInstanceOf(FallbackReadFileStoreTable.class, stale);
        table.resetOption("scan.fallback-branch");
        DataEvolutionConversion.of(catalog, TABLE).run();

        assertThrows(
                StaleWriterException.class, () -> TestTable.append(stale, 100, 140, i -> "p0"));
        assertThrows(FenceException.class, () -> stale.rollbackTo(1));
    }

    @Test
    void tablesOfAListingAndOfALoadedCatalogAreGuarded() throws Exception {
        CatalogLoader loader = InstantiationUtil.clone(guarded.catalogLoader());
        try (Catalog loaded = loader.load()) {
            Table byName = loaded.getTable(TABLE);
            Optional<Table> listed =
                    guarded.listTableDetails("db").stream()
                            .filter(one -> one.name().equals("t"))
                            .findFirst();
            Table paged =
                    guarded.listTableDetailsPaged("db", null, null, null, null)
                            .getElements()
                            .get(0);
            DataEvolutionConversion.of(catalog, TABLE).run();

            assertEquals(guarded.options(), loaded.options());
            for (Table stale : List.of(byName, listed.orElseThrow(), paged)) {
                assertThrows(
                        StaleWriterException.class,
                        () -> TestTable.append((FileStoreTable) stale, 100, 140, i -> "p0"));
            }
        }
    }

    @Test
    void whatIsNoAppendTableIsGivenAsItIs() throws Exception {
        catalog.createTable(
                Identifier.create("db", "k"),
                Schema.newBuilder()
                        .column("id", DataTypes.INT().notNull())
                        .primaryKey("id")
                        .option("bucket", "1")
                        .build(),
                false);

        assertInstanceOf(
                PrimaryKeyFileStoreTable.class, guarded.getTable(Identifier.create("db", "k")));
        for (String system : List.of("snapshots", "files", "manifests", "branches")) {
            Identifier identifier = new Identifier("db", "t", null, system);
            assertEquals(
                    catalog.getTable(identifier).getClass(),
                    guarded.getTable(identifier).getClass());
        }
        assertEquals(
                new TreeSet<>(List.of("k", "t")),
                guarded.listTables("db").stream().collect(Collectors.toCollection(TreeSet::new)));
        assertEquals(table.rows(), TestTable.existing(guarded, TABLE).rows());
        DataEvolutionConversion.of(guarded, TABLE).run();
        TableProof.assertConverted(table, table.rows());
    }
}
