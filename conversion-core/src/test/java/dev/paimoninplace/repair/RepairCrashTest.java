package dev.paimoninplace.repair;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.paimoninplace.conversion.ConversionException;
import dev.paimoninplace.conversion.ConversionOptions;
import dev.paimoninplace.conversion.DataEvolutionConversion;
import dev.paimoninplace.conversion.DataEvolutionRepair;
import dev.paimoninplace.conversion.ErrorKind;
import dev.paimoninplace.conversion.RepairOptions;
import dev.paimoninplace.conversion.RepairOptions.Renumber;
import dev.paimoninplace.conversion.RepairOptions.RollBack;
import dev.paimoninplace.conversion.RepairReport.Outcome;
import dev.paimoninplace.testing.CrashFault;
import dev.paimoninplace.testing.CrashFault.Mode;
import dev.paimoninplace.testing.FolderListing;
import dev.paimoninplace.testing.Folders;
import dev.paimoninplace.testing.InterceptedFileIO;
import dev.paimoninplace.testing.TableProof;
import dev.paimoninplace.testing.TestTable;
import dev.paimoninplace.testing.TestTable.Row;
import dev.paimoninplace.verify.DataEvolutionVerification;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.sink.CommitMessage;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A repair that stops at any operation on the file system leaves nothing to mend by hand. */
final class RepairCrashTest {

    private static final Identifier IDENTIFIER = Identifier.create("db", "t");

    private static final RepairOptions OPTIONS =
            RepairOptions.DEFAULTS
                    // One thread, so that the n-th operation is always the same one.
                    .withConversion(ConversionOptions.DEFAULTS.withThreads(1))
                    .withRollBack(RollBack.ALLOWED)
                    .withRenumber(Renumber.ALLOWED);

    /** Damaged tables. */
    enum Damaged {
        ROLLED_BACK {
            @Override
            Map<Integer, Row> create(Catalog catalog) {
                TestTable table = TestTable.unpartitioned(catalog, "t");
                table.append(0, 100);
                table.append(100, 200);
                FileStoreTable stale = table.load().copy(Map.of("compaction.min.file-num", "2"));
                List<CommitMessage> compaction = TestTable.prepareCompact(stale);
                DataEvolutionConversion.of(catalog, IDENTIFIER).run();
                table.updateV(id -> -id);
                Map<Integer, Row> rows = table.rows();
                TestTable.commit(stale, compaction);
                return rows;
            }
        },
        RENUMBERED {
            @Override
            Map<Integer, Row> create(Catalog catalog) {
                TestTable table = TestTable.unpartitioned(catalog, "t");
                table.append(0, 500);
                DataEvolutionConversion.of(catalog, IDENTIFIER).run();
                table.append(500, 600);
                Map<Integer, Row> rows = table.rows();
                FileStoreTable eager = table.load().copy(Map.of("compaction.min.file-num", "2"));
                TestTable.commit(eager, TestTable.prepareCompact(eager));
                return rows;
            }
        },
        RESTORED {
            @Override
            Map<Integer, Row> create(Catalog catalog) {
                TestTable table = TestTable.unpartitioned(catalog, "t");
                table.append(0, 500);
                FileStoreTable stale = table.load();
                DataEvolutionConversion.of(catalog, IDENTIFIER).run();
                table.append(500, 1100);
                FileStoreTable eager = table.load().copy(Map.of("compaction.min.file-num", "2"));
                TestTable.commit(eager, TestTable.prepareCompact(eager));
                TestTable.append(stale, 1100, 1200, i -> "p0");
                Map<Integer, Row> rows = new TreeMap<>();
                for (int i = 0; i < 1200; i++) {
                    rows.put(i, new Row(i, "n" + i, 10L * i, "p0"));
                }
                return rows;
            }
        };

        /** Returns the rows that a repair must give. */
        abstract Map<Integer, Row> create(Catalog catalog);
    }

    @TempDir Path folder;
    private Map<Integer, Row> rows = Map.of();
    private int stopped;

    static Stream<Arguments> cases() {
        return Arrays.stream(Damaged.values())
                .flatMap(
                        damaged ->
                                Arrays.stream(Mode.values())
                                        .map(mode -> Arguments.of(damaged, mode)));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void aRepairThatStopsAtSomeOperationsIsResumed(Damaged damaged, Mode mode) throws Exception {
        enumerate(damaged, mode, 1 + 17L * mode.ordinal(), 97);
    }

    @Tag("long")
    @ParameterizedTest
    @MethodSource("cases")
    void aRepairThatStopsAtAnyOperationIsResumed(Damaged damaged, Mode mode) throws Exception {
        enumerate(damaged, mode, 1, 1);
    }

    private void enumerate(Damaged damaged, Mode mode, long first, long stride) throws Exception {
        Path template = folder.resolve("template");
        try (Catalog catalog = TestTable.catalog(template)) {
            rows = damaged.create(catalog);
        }
        long at = first;
        while (reaches(template, mode, at)) {
            at += stride;
        }
        System.out.printf("repair crash points: %d (%s, %s)%n", stopped, damaged, mode);
        assertTrue(stopped > 0);
    }

    private boolean reaches(Path template, Mode mode, long at) throws Exception {
        Path warehouse = folder.resolve("at-" + at);
        Folders.copy(template, warehouse);
        Set<String> before = new TreeSet<>(FolderListing.of(warehouse).keySet());
        CrashFault fault = new CrashFault(mode, at);
        String where = mode + " at operation " + at;
        try (Catalog catalog = TestTable.catalog(warehouse)) {
            try {
                DataEvolutionRepair.of(InterceptedFileIO.catalog(warehouse, fault), IDENTIFIER)
                        .withOptions(OPTIONS)
                        .run();
            } catch (ConversionException e) {
                boolean mayClean = !mode.isDeath() && e.kind() != ErrorKind.OUTCOME_UNKNOWN;
                if (mayClean && e.committed().isEmpty()) {
                    assertEquals(
                            before, new TreeSet<>(FolderListing.of(warehouse).keySet()), where);
                }
            } catch (RuntimeException e) {
                // Nothing was begun yet.
                assertEquals(before, new TreeSet<>(FolderListing.of(warehouse).keySet()), where);
            }
            where += ", " + fault.stoppedAt().orElse("never");
            if (fault.stoppedAt().isPresent()) {
                stopped++;
                assertCompletes(catalog, where);
            }
        }
        Folders.delete(warehouse);
        return fault.isReached();
    }

    private void assertCompletes(Catalog catalog, String where) {
        TestTable table = TestTable.existing(catalog, IDENTIFIER);
        DataEvolutionRepair repair =
                DataEvolutionRepair.of(catalog, IDENTIFIER).withOptions(OPTIONS);

        repair.run();

        assertEquals(Outcome.SKIPPED, repair.run().outcome(), where);
        assertEquals(rows, table.rows(), where);
        assertEquals(List.of(), DataEvolutionVerification.of(catalog, IDENTIFIER).run().findings());
        TableProof.assertOrphanCleaningIsSafeAndComplete(table);
        TableProof.assertUpdatesAreVisible(table);
    }
}
