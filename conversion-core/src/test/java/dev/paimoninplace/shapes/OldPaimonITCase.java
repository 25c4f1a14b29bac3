package dev.paimoninplace.shapes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.paimoninplace.conversion.ConversionException;
import dev.paimoninplace.conversion.ConversionOptions;
import dev.paimoninplace.conversion.ConversionOptions.OldWriters;
import dev.paimoninplace.conversion.ConversionReport;
import dev.paimoninplace.conversion.ConversionReport.Outcome;
import dev.paimoninplace.conversion.DataEvolutionConversion;
import dev.paimoninplace.conversion.ErrorKind;
import dev.paimoninplace.testing.FolderListing;
import dev.paimoninplace.testing.OldPaimon;
import dev.paimoninplace.testing.RowGroups;
import dev.paimoninplace.testing.TableProof;
import dev.paimoninplace.testing.TestTable;
import dev.paimoninplace.testing.TextRows;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.paimon.Snapshot;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.manifest.FileSource;
import org.apache.paimon.manifest.ManifestEntry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tables written by older versions of Paimon, in processes of their own. */
final class OldPaimonITCase {

    private static final List<String> SOME_VERSIONS = List.of("0.8.0", "1.3.1");
    private static final List<String> OTHER_VERSIONS =
            List.of("0.8.2", "0.9.0", "1.0.1", "1.1.1", "1.2.0", "1.4.2");

    @TempDir Path warehouse;
    private Catalog catalog;

    @BeforeEach
    void open() {
        catalog = TestTable.catalog(warehouse);
    }

    @AfterEach
    void close() throws Exception {
        catalog.close();
    }

    private static Stream<Arguments> with(List<String> versions) {
        return versions.stream().flatMap(v -> Stream.of("-", "pt").map(k -> Arguments.of(v, k)));
    }

    static Stream<Arguments> someVersions() {
        return with(SOME_VERSIONS);
    }

    static Stream<Arguments> otherVersions() {
        return with(OTHER_VERSIONS);
    }

    @ParameterizedTest(name = "Paimon {0}, partition keys {1}")
    @MethodSource("someVersions")
    void aTableOfAnOlderPaimonIsConverted(String version, String partitionKeys) throws Exception {
        convertTableOf(version, partitionKeys);
    }

    @ParameterizedTest(name = "Paimon {0}, partition keys {1}")
    @MethodSource("otherVersions")
    @Tag("long")
    void aTableOfAnyOtherOlderPaimonIsConverted(String version, String partitionKeys)
            throws Exception {
        convertTableOf(version, partitionKeys);
    }

    private void convertTableOf(String version, String partitionKeys) throws Exception {
        Optional<OldPaimon> found = OldPaimon.of(version);
        assumeTrue(found.isPresent(), "paimon-bundle " + version + " cannot be resolved");
        OldPaimon old = found.orElseThrow();
        boolean partitioned = !partitionKeys.equals("-");
        List<String> commands = new ArrayList<>();
        commands.addAll(List.of("create", partitionKeys));
        commands.addAll(List.of("append", "0", "300", "3", "append", "300", "600", "4"));
        if (partitioned) {
            commands.addAll(List.of("overwrite", "p1", "1000", "1100"));
        }
        old.write(warehouse, commands);
        TestTable table = TestTable.existing(catalog, Identifier.create("db", "t"));
        Map<Integer, Map<String, String>> expected = expectedRows(partitioned);
        assertEquals(expected, TextRows.read(table.load()));
        assertEquals(partitioned, TableProof.deleteEntries(table.load()) > 0);
        boolean tracksNothing = isBefore13(version);

        if (tracksNothing) {
            assertRefused(table);
        }
        boolean sourceMissing =
                table.files().stream().anyMatch(e -> e.file().fileSource().isEmpty());
        assertEquals(version.startsWith("0.8."), sourceMissing);
        ConversionReport report =
                conversion(table, tracksNothing ? OldWriters.STOPPED : OldWriters.UNKNOWN).run();

        assertEquals(Outcome.CONVERTED, report.outcome());
        assertEquals(expected.size(), report.rows());
        assertEquals(expected.size(), report.nextRowId());
        for (ManifestEntry entry : table.files()) {
            assertEquals(Optional.of(FileSource.APPEND), entry.file().fileSource());
        }
        TableProof.assertConverted(table, table.rows());
        assertEquals(expected, TextRows.read(table.load()));
        update(table, expected);
        table.compact();
        assertEquals(expected, TextRows.read(table.load()));

        appendAfterwards(old, version, table, expected);
    }

    /** The old writer opens the converted table and appends to it. */
    private void appendAfterwards(
            OldPaimon old,
            String version,
            TestTable table,
            Map<Integer, Map<String, String>> expected)
            throws Exception {
        List<String> append = List.of("append", "2000", "2100", "1");
        if (version.equals("0.8.0")) {
            // It cannot commit after a snapshot of Paimon 2.0.0, converted or not.
            IllegalStateException failure =
                    assertThrows(IllegalStateException.class, () -> old.write(warehouse, append));
            assertTrue(String.valueOf(failure.getMessage()).contains("logOffsets"));
        } else if (isBefore13(version)) {
            old.write(warehouse, append);
            assertRefused(table);
            return;
        } else {
            old.write(warehouse, append);
            for (int id = 2000; id < 2100; id++) {
                expected.put(id, row(id, "p0"));
            }
        }
        assertEquals(expected, TextRows.read(table.load()));
        assertEquals(Outcome.SKIPPED, conversion(table, OldWriters.UNKNOWN).run().outcome());
        update(table, expected);
    }

    private static boolean isBefore13(String version) {
        return version.startsWith("0.") || version.compareTo("1.3") < 0;
    }

    private static DataEvolutionConversion conversion(TestTable table, OldWriters oldWriters) {
        return DataEvolutionConversion.of(table.catalog(), table.identifier())
                .withOptions(ConversionOptions.DEFAULTS.withOldWriters(oldWriters));
    }

    private static Map<Integer, Map<String, String>> expectedRows(boolean partitioned) {
        Map<Integer, Map<String, String>> rows = new TreeMap<>();
        for (int id = 0; id < 600; id++) {
            String partition = "p" + id % (id < 300 ? 3 : 4);
            if (!partitioned || !partition.equals("p1")) {
                rows.put(id, row(id, partition));
            }
        }
        for (int id = 1000; partitioned && id < 1100; id++) {
            rows.put(id, row(id, "p1"));
        }
        return rows;
    }

    private static Map<String, String> row(int id, String partition) {
        return new TreeMap<>(
                Map.of("id", "" + id, "name", "n" + id, "v", "" + 10 * id, "pt", partition));
    }

    /** Updates column v of every row; the update must be seen. */
    private static void update(TestTable table, Map<Integer, Map<String, String>> expected) {
        RowGroups.of(table).update("v", id -> String.valueOf(-id));
        expected.forEach((id, row) -> row.put("v", String.valueOf(-id)));
        assertEquals(expected, TextRows.read(table.load()));
    }

    /** The refusal names who wrote last and when, and nothing is written. */
    private void assertRefused(TestTable table) {
        Map<String, String> listing = FolderListing.of(warehouse);
        Snapshot latest = table.load().latestSnapshot().orElseThrow();

        ConversionException refusal =
                assertThrows(
                        ConversionException.class,
                        () -> conversion(table, OldWriters.UNKNOWN).run());

        assertEquals(ErrorKind.REFUSED, refusal.kind());
        assertEquals("OLD_WRITER", refusal.code());
        String message = String.valueOf(refusal.getMessage());
        assertTrue(message.contains("commit user " + latest.commitUser()), message);
        Instant time = Instant.ofEpochMilli(latest.timeMillis());
        assertTrue(message.contains(time.toString()), message);
        assertEquals(listing, FolderListing.of(warehouse));
    }
}
