package dev.paimoninplace.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.paimoninplace.conversion.DataEvolutionConversion;
import dev.paimoninplace.fence.StaleWriterException;
import dev.paimoninplace.testing.TableProof;
import dev.paimoninplace.testing.TestTable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.flink.sink.Committable;
import org.apache.paimon.flink.sink.Committer;
import org.apache.paimon.flink.sink.state.MemoryBackendStateStore;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.manifest.ManifestCommittable;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.sink.CommitMessage;
import org.apache.paimon.table.sink.CommitMessageImpl;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the committer makes of commits that a checkpoint from before the conversion holds. */
final class GuardedCommitterTest {

    private static final int ROWS = 1_000;
    private static final long IDENTIFIER = 7;

    @TempDir Path warehouse;
    private Catalog catalog;
    private TestTable table;
    private FileStoreTable planned;
    private List<CommitMessage> compaction;

    @BeforeEach
    void compactWithoutCommit() {
        catalog = TestTable.catalog(warehouse);
        table = TestTable.unpartitioned(catalog, "t", "compaction.min.file-num", "2");
        for (int file = 0; file < 5; file++) {
            table.append(file * ROWS, (file + 1) * ROWS);
        }
        planned = table.load();
        compaction = TestTable.prepareCompact(planned);
        assertFalse(output().isEmpty());
    }

    @AfterEach
    void close() throws Exception {
        catalog.close();
    }

    private List<Path> output() {
        List<Path> files = new ArrayList<>();
        for (CommitMessage message : compaction) {
            for (DataFileMeta file :
                    ((CommitMessageImpl) message).compactIncrement().compactAfter()) {
                files.add(warehouse.resolve("db.db/t/bucket-0").resolve(file.fileName()));
            }
        }
        return files;
    }

    private Committer<Committable, ManifestCommittable> open() {
        return new GuardedCommitterFactory(new PlannedTable(planned), null)
                .create(
                        Committer.createContext(
                                "job", null, true, true, new MemoryBackendStateStore(), 1, 0));
    }

    /** The rows that follow those of the table, and the compaction. */
    private ManifestCommittable committable() {
        ManifestCommittable committable = new ManifestCommittable(IDENTIFIER);
        TestTable.prepareAppend(planned, 5 * ROWS, 6 * ROWS, i -> "p0")
                .forEach(committable::addFileCommittable);
        compaction.forEach(committable::addFileCommittable);
        return committable;
    }

    @Test
    void dropsACompactionThatIsStillOpenAndDeletesWhatItWrote() throws Exception {
        ManifestCommittable committable = committable();
        DataEvolutionConversion.of(catalog, table.identifier()).run();

        try (var committer = open()) {
            assertEquals(1, committer.filterAndCommit(List.of(committable), true, true));
        }

        for (Path file : output()) {
            assertFalse(Files.exists(file), file.toString());
        }
        TableProof.assertConverted(table, GuardedSession.rows(0, 6 * ROWS));
        TableProof.assertUpdatesAreVisible(table);
    }

    @Test
    void dropsTheDeletionVectorsOfACompactionWithIt() throws Exception {
        table = TestTable.unpartitioned(catalog, "dv", "deletion-vectors.enabled", "true");
        table.append(0, ROWS);
        table.delete(id -> id % 2 == 0);
        table.append(ROWS, 2 * ROWS);
        planned = table.load();
        compaction = TestTable.prepareCompact(planned);
        assertFalse(
                compaction.stream()
                        .allMatch(
                                message ->
                                        ((CommitMessageImpl) message)
                                                .compactIncrement()
                                                .deletedIndexFiles()
                                                .isEmpty()));
        ManifestCommittable committable = new ManifestCommittable(IDENTIFIER);
        compaction.forEach(committable::addFileCommittable);
        DataEvolutionConversion.of(catalog, table.identifier()).run();

        try (var committer = open()) {
            assertEquals(1, committer.filterAndCommit(List.of(committable), true, true));
        }

        var expected = GuardedSession.rows(0, 2 * ROWS);
        expected.keySet().removeIf(id -> id < ROWS && id % 2 == 0);
        TableProof.assertConverted(table, expected);
        TableProof.assertOrphanCleaningIsSafeAndComplete(table);
    }

    @Test
    void keepsTheFilesOfACompactionThatWasCommitted() throws Exception {
        ManifestCommittable committable = committable();
        try (var committer = open()) {
            committer.commit(List.of(committable));
        }
        DataEvolutionConversion.of(catalog, table.identifier()).run();

        try (var committer = open()) {
            assertEquals(0, committer.filterAndCommit(List.of(committable), true, true));
        }

        for (Path file : output()) {
            assertTrue(Files.exists(file), file.toString());
        }
        TableProof.assertConverted(table, GuardedSession.rows(0, 6 * ROWS));
    }

    @Test
    void refusesACompactionOfARunningJob() throws Exception {
        ManifestCommittable committable = committable();
        DataEvolutionConversion.of(catalog, table.identifier()).run();

        try (var committer = open()) {
            StaleWriterException refused =
                    assertThrows(
                            StaleWriterException.class,
                            () -> committer.commit(List.of(committable)));

            assertTrue(
                    String.valueOf(refused.getMessage())
                            .contains("a compaction in this job began before the conversion"),
                    refused.getMessage());
        }
        TableProof.assertConverted(table, GuardedSession.rows(0, 5 * ROWS));
    }

    @Test
    void refusesToCommitOnceTheTableIsConverted() throws Exception {
        ManifestCommittable committable = committable();
        try (var committer = open()) {
            DataEvolutionConversion.of(catalog, table.identifier()).run();

            StaleWriterException refused =
                    assertThrows(
                            StaleWriterException.class,
                            () -> committer.commit(List.of(committable)));

            assertTrue(
                    String.valueOf(refused.getMessage())
                            .startsWith("Cannot commit to db.t: snapshot "),
                    refused.getMessage());
            assertEquals(
                    OptionalLong.of(
                            TableProof.snapshots(table.load()).stream()
                                    .filter(s -> s.schemaId() == 1)
                                    .mapToLong(s -> s.id())
                                    .min()
                                    .orElseThrow()),
                    refused.convertingSnapshotId());
        }
    }
}
