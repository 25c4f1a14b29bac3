package dev.paimoninplace.commit;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.paimoninplace.conversion.ConversionOptions;
import dev.paimoninplace.conversion.ProgressListener;
import dev.paimoninplace.plan.ManifestPlan;
import dev.paimoninplace.plan.ManifestPlan.PlannedManifest;
import dev.paimoninplace.plan.ManifestPlanner;
import dev.paimoninplace.plan.Parallel;
import dev.paimoninplace.plan.TableHandle;
import dev.paimoninplace.rowid.RowIdAssignment;
import dev.paimoninplace.testing.DataFiles;
import dev.paimoninplace.testing.TestTable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.manifest.FileKind;
import org.apache.paimon.manifest.ManifestEntry;
import org.apache.paimon.manifest.ManifestFile;
import org.apache.paimon.manifest.ManifestFileMeta;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Wrong successors of a manifest with three partitions, in each of which one file has its row id
 * already and two get one.
 */
final class StagedManifestCheckTest {

    @TempDir Path warehouse;
    private Catalog catalog;
    private ManifestFile manifests;
    private StagedManifestCheck check;
    private StagedManifest right;
    private List<ManifestEntry> entries;

    /** A file of each kind in the manifest. */
    private enum Which {
        /** It had its row id before. */
        KNOWN,
        /** It gets its row id. */
        NEW
    }

    @BeforeEach
    void stage() {
        catalog = TestTable.catalog(warehouse);
        TestTable table = TestTable.partitioned(catalog, "t");
        table.append(0, 60, i -> "p" + i % 3);
        TableHandle handle = TableHandle.load(catalog, table.identifier());
        ManifestPlanner planner =
                new ManifestPlanner(handle, new Parallel(1), ProgressListener.NONE);
        Run run = new Run("t", ConversionOptions.DEFAULTS, ProgressListener.NONE);
        new RowIdPass(handle, planner, run).commit(planner.plan(handle.read()));
        table.append(60, 120, i -> "p" + i % 3);
        table.append(120, 180, i -> "p" + i % 3);
        table.compactManifests();

        ManifestPlan plan = planner.plan(handle.read());
        assertEquals(1, plan.manifests().size());
        RowIdAssignment assignment =
                RowIdAssignment.assign(plan.firstFreeRowId(), plan.summaries());
        ManifestRewriter rewriter = new ManifestRewriter(handle);
        PlannedManifest source = plan.manifests().get(0);
        Map<BinaryRow, Long> firstIds =
                requireNonNull(assignment.firstIds().get(source.meta().fileName()));
        right = rewriter.rewrite(source, plan, firstIds);
        manifests = handle.table().store().manifestFileFactory().create();
        ManifestFileMeta meta = right.meta().orElseThrow();
        entries = new ArrayList<>(manifests.read(meta.fileName(), meta.fileSize()));
        check = new StagedManifestCheck(rewriter);
    }

    @AfterEach
    void close() throws Exception {
        catalog.close();
    }

    private int indexOf(Which which) {
        long firstNew = right.firstIds().values().stream().min(Long::compare).orElseThrow();
        for (int i = 0; i < entries.size(); i++) {
            boolean isNew = entries.get(i).file().nonNullFirstRowId() >= firstNew;
            if (isNew == (which == Which.NEW)) {
                return i;
            }
        }
        throw new AssertionError("No such file.");
    }

    private void change(int index, UnaryOperator<DataFileMeta> change) {
        ManifestEntry entry = entries.get(index);
        entries.set(index, DataFiles.added(entry.partition(), change.apply(entry.file())));
    }

    private IllegalStateException failure() {
        List<ManifestFileMeta> written = manifests.write(entries);
        assertEquals(1, written.size());
        return failure(Optional.of(written.get(0)));
    }

    private IllegalStateException failure(Optional<ManifestFileMeta> meta) {
        StagedManifest wrong =
                new StagedManifest(
                        right.source(), meta, right.firstIds(), right.content(), right.by());
        IllegalStateException failure =
                assertThrows(IllegalStateException.class, () -> check.check(wrong));
        String message = String.valueOf(failure.getMessage());
        String start =
                "The successor of manifest "
                        + right.source().meta().fileName()
                        + " is wrong and was not committed: ";
        assertTrue(message.startsWith(start), message);
        return failure;
    }

    private static void assertSays(IllegalStateException failure, String fact) {
        String message = String.valueOf(failure.getMessage());
        assertTrue(message.endsWith(": " + fact + "."), message);
    }

    @Test
    void theRightSuccessorPassesInAnyOrderOfPartitions() {
        assertDoesNotThrow(() -> check.check(right));
        assertEquals(9, entries.size());

        entries.sort((a, b) -> b.partition().getString(0).compareTo(a.partition().getString(0)));
        Optional<ManifestFileMeta> sorted = Optional.of(manifests.write(entries).get(0));

        assertDoesNotThrow(
                () ->
                        check.check(
                                new StagedManifest(
                                        right.source(),
                                        sorted,
                                        right.firstIds(),
                                        right.content(),
                                        right.by())));
    }

    static Stream<String> attributes() {
        return DataFiles.otherValues().keySet().stream();
    }

    @ParameterizedTest
    @MethodSource("attributes")
    void aChangedAttributeOfAnyFileIsDetected(String attribute) {
        List<ManifestEntry> unchanged = List.copyOf(entries);
        for (Which which : Which.values()) {
            entries = new ArrayList<>(unchanged);
            change(
                    indexOf(which),
                    file ->
                            DataFiles.with(
                                    file, attribute, DataFiles.otherValues().get(attribute)));

            failure();
        }
    }

    @ParameterizedTest
    @EnumSource(Which.class)
    void aMissingFileIsDetected(Which which) {
        entries.remove(indexOf(which));

        failure();
    }

    @Test
    void aSuccessorThatWasNotWrittenIsDetected() {
        failure(Optional.empty());
    }

    @ParameterizedTest
    @EnumSource(Which.class)
    void aFileInAnotherPartitionIsDetected(Which which) {
        ManifestEntry entry = entries.get(indexOf(which));
        BinaryRow other =
                entries.stream()
                        .map(ManifestEntry::partition)
                        .filter(p -> !p.equals(entry.partition()))
                        .findFirst()
                        .orElseThrow();
        entries.set(indexOf(which), DataFiles.added(other, entry.file()));

        failure();
    }

    @Test
    void aFileWrittenTwiceIsDetected() {
        ManifestEntry entry = entries.get(indexOf(Which.NEW));
        entries.add(entry);

        long first = entry.file().nonNullFirstRowId();
        long next = first + 2 * entry.file().rowCount();
        assertSays(
                failure(),
                entry.file().fileName() + " starts at row id " + first + " instead of " + next);
    }

    @Test
    void aRowIdGivenTwiceIsDetected() {
        Map<BinaryRow, ManifestEntry> first = new HashMap<>();
        for (int i = 0; i < entries.size(); i++) {
            ManifestEntry entry = entries.get(i);
            if (entry.file().nonNullFirstRowId() < 60) {
                continue;
            }
            ManifestEntry other = first.putIfAbsent(entry.partition(), entry);
            if (other != null) {
                long repeated = other.file().nonNullFirstRowId();
                change(i, file -> file.newFirstRowId(repeated));
                assertSays(
                        failure(),
                        entry.file().fileName()
                                + " starts at row id "
                                + repeated
                                + " instead of "
                                + (repeated + other.file().rowCount()));
                return;
            }
        }
    }

    @Test
    void aGapIsDetected() {
        int index = indexOf(Which.NEW);
        ManifestEntry entry = entries.get(index);
        long first = entry.file().nonNullFirstRowId();
        change(index, file -> file.newFirstRowId(first + 1));

        assertSays(
                failure(),
                entry.file().fileName()
                        + " starts at row id "
                        + (first + 1)
                        + " instead of "
                        + first);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 59, 1_000_000})
    void aRowIdFromElsewhereIsDetected(long elsewhere) {
        change(indexOf(Which.NEW), file -> file.newFirstRowId(elsewhere));

        failure();
    }

    @Test
    void aFileWithoutRowIdIsDetected() {
        int index = indexOf(Which.NEW);
        change(index, file -> file.newFirstRowId(null));

        assertSays(failure(), entries.get(index).file().fileName() + " has no row id");
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 2})
    void otherSequenceNumbersOfANewFileAreDetected(long sequence) {
        int index = indexOf(Which.NEW);
        String name = entries.get(index).file().fileName();
        List<ManifestEntry> unchanged = List.copyOf(entries);
        change(index, file -> file.assignSequenceNumber(1, sequence));
        assertSays(failure(), name + " has other sequence numbers than 1");

        entries = new ArrayList<>(unchanged);
        change(index, file -> file.assignSequenceNumber(sequence, 1));
        assertSays(failure(), name + " has other sequence numbers than 1");
    }

    @Test
    void aDeletionIsDetected() {
        ManifestEntry entry = entries.get(indexOf(Which.KNOWN));
        entries.add(ManifestEntry.create(FileKind.DELETE, entry.partition(), 0, -1, entry.file()));

        assertSays(failure(), "it deletes " + entry.file().fileName());
    }
}
