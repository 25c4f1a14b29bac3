package dev.paimoninplace.conversion;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.paimoninplace.conversion.ConversionReport.Outcome;
import dev.paimoninplace.testing.InterceptedFileIO;
import dev.paimoninplace.testing.InterceptedFileIO.Interceptor;
import dev.paimoninplace.testing.Moment;
import dev.paimoninplace.testing.TableProof;
import dev.paimoninplace.testing.TestTable;
import dev.paimoninplace.testing.TestTable.Row;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.paimon.Snapshot;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.table.FileStoreTable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every other commit at every moment of a conversion: neither loses the other's work. */
final class ConflictTest {

    /** When somebody else commits. */
    enum When {
        BEFORE_THE_FIRST_MANIFEST_IS_READ(Moment.manifestRead(), 1),
        BEFORE_THE_FIRST_MANIFEST_IS_WRITTEN(Moment.manifestWrite(), 1),
        BEFORE_THE_ROW_ID_SNAPSHOT(Moment.snapshotWrite(), 1),
        BEFORE_THE_SCHEMA(Moment.schemaWrite(), 1),
        AFTER_THE_SCHEMA(Moment.schemaWrite(), 1),
        BEFORE_THE_SEAL(Moment.snapshotWrite(), 2);

        private final Moment moment;
        private final int time;

        When(Moment moment, int time) {
            this.moment = moment;
            this.time = time;
        }

        Interceptor interceptor(Runnable action) {
            Moment.Action once =
                    now -> {
                        if (now == time) {
                            action.run();
                        }
                    };
            return this == AFTER_THE_SCHEMA ? moment.after(once) : moment.before(once);
        }
    }

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

    static Stream<Arguments> cases() {
        return Arrays.stream(OtherCommit.values())
                .flatMap(
                        other ->
                                Arrays.stream(When.values())
                                        .map(when -> Arguments.of(other, when)));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void neitherTheConversionNorTheOtherCommitIsLost(OtherCommit other, When when) {
        TestTable table = table();
        Map<Integer, Row> rows = table.rows();
        FileStoreTable stale = table.load();
        Interceptor interceptor = when.interceptor(() -> other.run(table, stale, rows));

        ConversionReport report = convert(interceptor);

        assertEquals(Outcome.CONVERTED, report.outcome());
        TableProof.assertConverted(table, rows);
        // Another run takes the conversion for abandoned there and raises the next row id by one.
        boolean raised = other == OtherCommit.CONVERSION && when == When.BEFORE_THE_SCHEMA;
        assertIdsAreAsDenseAsTheyCanBe(other, table, raised ? 1 : 0);
        int addedSchemas = other == OtherCommit.ADD_COLUMN ? 2 : 1;
        assertEquals(1 + addedSchemas, table.load().schemaManager().listAllIds().size());
        if (when != When.BEFORE_THE_SEAL) {
            // Paimon itself leaves files behind when its commit, the seal, comes second.
            assertEquals(
                    TableProof.referencedManifestFiles(table.load()),
                    TableProof.manifestFiles(table.load()));
        }
        assertEquals(Outcome.SKIPPED, convert(new Interceptor() {}).outcome());

        OtherCommit.compactManifests(table);

        assertEquals(0, TableProof.deleteEntries(table.load()));
        TableProof.assertConverted(table, rows);
        TableProof.assertOrphanCleaningIsSafeAndComplete(table);
        TableProof.assertUpdatesAreVisible(table);
    }

    /** Three partitions, five data manifests, one of them with deletions of another's files. */
    private TestTable table() {
        TestTable table = TestTable.partitioned(catalog, "t", "deletion-vectors.enabled", "true");
        table.append(0, 90, i -> "p" + i % 3);
        table.append(90, 150, i -> "p" + i % 3);
        table.overwrite("p2", 200, 260);
        table.append(300, 340, i -> "p" + i % 2);
        table.analyze();
        return table;
    }

    private ConversionReport convert(Interceptor interceptor) {
        Catalog watched = InterceptedFileIO.catalog(warehouse, interceptor);
        // One thread, so that everything else waits for the other commit.
        return DataEvolutionConversion.of(watched, PreparedTable.IDENTIFIER)
                .withOptions(ConversionOptions.DEFAULTS.withThreads(1))
                .run();
    }

    private static void assertIdsAreAsDenseAsTheyCanBe(
            OtherCommit other, TestTable table, int holes) {
        Snapshot latest = table.latest();
        assertNotNull(latest);
        Long nextRowId = latest.nextRowId();
        assertNotNull(nextRowId);
        long rows = TableProof.rowCount(table.files());
        if (other.effect() == OtherCommit.Effect.KEEPS_FILES) {
            assertEquals(rows + holes, nextRowId);
        }
        TableProof.runsPerPartition(table.files())
                .values()
                .forEach(runs -> assertTrue(runs <= 2, runs + " runs of row ids"));
    }
}
