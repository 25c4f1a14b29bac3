package dev.paimoninplace.conversion;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.paimoninplace.conversion.ConversionReport.Outcome;
import dev.paimoninplace.testing.FolderListing;
import dev.paimoninplace.testing.InterceptedFileIO;
import dev.paimoninplace.testing.InterceptedFileIO.Interceptor;
import dev.paimoninplace.testing.Moment;
import dev.paimoninplace.testing.TableProof;
import dev.paimoninplace.testing.TestTable;
import dev.paimoninplace.testing.TestTable.Row;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.sink.BatchTableCommit;
import org.apache.paimon.table.sink.CommitMessage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Writers that opened the table and wrote their files before the conversion, and commit later. */
final class StaleWriterTest {

    /** What the writer wrote before the conversion. */
    enum Written {
        APPEND {
            @Override
            Runnable prepare(FileStoreTable stale) {
                var messages = TestTable.prepareAppend(stale, 1000, 1050, i -> "p1");
                return () -> TestTable.commit(stale, messages);
            }

            @Override
            void apply(Map<Integer, Row> rows) {
                OtherCommit.add(1000, 1050, "p1", rows);
            }
        },
        OVERWRITE {
            @Override
            Runnable prepare(FileStoreTable stale) {
                var messages = TestTable.prepareAppend(stale, 1000, 1050, i -> "p1");
                return () -> overwrite(stale, messages);
            }

            @Override
            void apply(Map<Integer, Row> rows) {
                rows.values().removeIf(row -> "p1".equals(row.pt()));
                OtherCommit.add(1000, 1050, "p1", rows);
            }
        },
        COMPACTION {
            @Override
            Runnable prepare(FileStoreTable stale) {
                FileStoreTable eager = stale.copy(Map.of("compaction.min.file-num", "2"));
                var messages = TestTable.prepareCompact(eager);
                return () -> TestTable.commit(eager, messages);
            }

            @Override
            void apply(Map<Integer, Row> rows) {}
        };

        /** Writes the files; what is returned commits them. */
        abstract Runnable prepare(FileStoreTable stale);

        abstract void apply(Map<Integer, Row> rows);

        private static void overwrite(FileStoreTable stale, List<CommitMessage> messages) {
            try (BatchTableCommit commit =
                    stale.newBatchWriteBuilder().withOverwrite(Map.of("pt", "p1")).newCommit()) {
                commit.commit(messages);
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** When the writer commits. */
    enum Committed {
        BEFORE_THE_ROW_ID_SNAPSHOT(Moment.snapshotWrite(), 1),
        BEFORE_THE_SCHEMA(Moment.schemaWrite(), 1),
        BEFORE_THE_SEAL(Moment.snapshotWrite(), 2),
        AFTER_THE_CONVERSION(Moment.snapshotWrite(), Integer.MAX_VALUE);

        private final Moment moment;
        private final int time;

        Committed(Moment moment, int time) {
            this.moment = moment;
            this.time = time;
        }

        Interceptor interceptor(Runnable commit) {
            return moment.before(
                    now -> {
                        if (now == time) {
                            commit.run();
                        }
                    });
        }
    }

    @TempDir Path warehouse;
    private Catalog catalog;
    private TestTable table;
    private Map<Integer, Row> rows;

    @BeforeEach
    void open() {
        catalog = TestTable.catalog(warehouse);
        table = TestTable.partitioned(catalog, "t");
        table.append(0, 90, i -> "p" + i % 3);
        table.append(90, 180, i -> "p" + i % 3);
        rows = table.rows();
    }

    @AfterEach
    void close() throws Exception {
        catalog.close();
    }

    private ConversionReport convert(Interceptor interceptor) {
        Catalog watched = InterceptedFileIO.catalog(warehouse, interceptor);
        return DataEvolutionConversion.of(watched, PreparedTable.IDENTIFIER).run();
    }

    static Stream<Arguments> cases() {
        return Arrays.stream(Written.values())
                .flatMap(
                        written ->
                                Arrays.stream(Committed.values())
                                        .map(committed -> Arguments.of(written, committed)));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void filesWrittenBeforeTheConversionGetTheirRowIdsWheneverTheyAreCommitted(
            Written written, Committed committed) {
        Runnable commit = written.prepare(table.load());
        written.apply(rows);

        ConversionReport first = convert(committed.interceptor(commit));
        boolean late = committed == Committed.AFTER_THE_CONVERSION;
        if (late) {
            commit.run();
        }
        ConversionReport second = convert(new Interceptor() {});

        assertEquals(Outcome.CONVERTED, first.outcome());
        assertEquals(late ? Outcome.REPAIRED : Outcome.SKIPPED, second.outcome());
        TableProof.assertConverted(table, rows);
        OtherCommit.compactManifests(table);
        TableProof.assertConverted(table, rows);
        TableProof.assertOrphanCleaningIsSafeAndComplete(table);
        TableProof.assertUpdatesAreVisible(table);
    }

    @Test
    void aCompactionThatRemovesTheFilesUnderAnUpdateIsNotMadeWorse() {
        Runnable commit = Written.COMPACTION.prepare(table.load());
        convert(new Interceptor() {});
        table.updateV(id -> -id);
        commit.run();
        Map<String, String> before = FolderListing.of(warehouse);

        ConversionException failure =
                assertThrows(ConversionException.class, () -> convert(new Interceptor() {}));

        assertEquals(ErrorKind.REFUSED, failure.kind());
        assertEquals("NO_FULL_ROW_FILE", failure.code());
        assertEquals(
                "Cannot convert db.t: row id 0 has files with some of the columns only; a stale"
                        + " compaction or overwrite removed the file with all of them. Run"
                        + " repair_data_evolution with --roll_back (argument roll_back => true) and"
                        + " --dry_run first: it says what would be lost.",
                failure.getMessage());
        assertEquals(before, FolderListing.of(warehouse));
    }
}
