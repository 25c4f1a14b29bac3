package dev.paimoninplace.commit;

import dev.paimoninplace.commit.LiveRows.Group;
import dev.paimoninplace.conversion.Check;
import dev.paimoninplace.plan.Parallel;
import dev.paimoninplace.plan.TableHandle;
import dev.paimoninplace.plan.TableView;
import dev.paimoninplace.repair.RollBackPlan;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.paimon.Snapshot;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.data.serializer.InternalRowSerializer;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.manifest.FileEntry;
import org.apache.paimon.manifest.FileKind;
import org.apache.paimon.manifest.IndexManifestEntry;
import org.apache.paimon.manifest.ManifestEntry;
import org.apache.paimon.manifest.ManifestFile;
import org.apache.paimon.manifest.ManifestFileMeta;
import org.apache.paimon.reader.RecordReader;
import org.apache.paimon.reader.RecordReaderIterator;
import org.apache.paimon.types.RowType;

/**
 * Reads every row before and after what is staged, and compares them by a digest. Where sequence
 * numbers change over an update, the rows are compared one by one instead, and those that change
 * are counted by column.
 */
public final class StagedRowCheck {

    private final TableHandle handle;
    private final Parallel parallel;
    private final Map<String, Long> changedRows = new ConcurrentHashMap<>();
    private long rows;

    public StagedRowCheck(TableHandle handle, Parallel parallel) {
        this.handle = handle;
        this.parallel = parallel;
    }

    /** What was compared, for the report. */
    public List<Check> checks() {
        List<Check> checks = new ArrayList<>();
        checks.add(Check.passed("ROWS", rows + " row(s) are the same before and after"));
        if (!changedRows.isEmpty()) {
            checks.add(
                    Check.warning(
                            "ROWS_CHANGED",
                            "row(s) with another value than readers saw before, by column: "
                                    + new TreeMap<>(changedRows),
                            "They are the updates that come to light"));
        }
        return checks;
    }

    /**
     * @param view the table, with a snapshot
     * @param after staged manifests for the same files
     * @throws IllegalStateException when a row differs; nothing was committed then
     */
    void check(TableView view, List<ManifestFileMeta> after) {
        LiveRows rowsOf = new LiveRows(handle, index(view.snapshot().orElseThrow()));
        List<ManifestEntry> old = live(view.manifests());
        List<ManifestEntry> staged = live(after);
        Set<String> resequenced = resequenced(old, staged);
        List<Group> oldGroups = LiveRows.groups(old);
        List<Group> newGroups = LiveRows.groups(staged);
        compare(
                sum(rowsOf, without(oldGroups, resequenced)),
                sum(rowsOf, without(newGroups, resequenced)));
        Map<Long, Group> byStart = new HashMap<>();
        with(oldGroups, resequenced).forEach(group -> byStart.put(start(group), group));
        parallel.map(
                with(newGroups, resequenced),
                group -> {
                    countChanges(rowsOf, Objects.requireNonNull(byStart.get(start(group))), group);
                    return group;
                });
    }

    /**
     * @param plan what is taken up again
     * @param after manifests of the staged snapshot
     * @param index its index files
     * @throws IllegalStateException when a row differs; nothing was committed then
     */
    void check(RollBackPlan plan, List<ManifestFileMeta> after, List<IndexManifestEntry> index) {
        List<ManifestEntry> expected =
                new ArrayList<>(live(handle.readAt(plan.target()).manifests()));
        expected.addAll(plan.appended());
        compare(
                sum(new LiveRows(handle, plan.index()), LiveRows.groups(expected)),
                sum(new LiveRows(handle, index), LiveRows.groups(live(after))));
    }

    private void compare(ContentDigest.Value before, ContentDigest.Value after) {
        if (!before.equals(after)) {
            throw new IllegalStateException(
                    "The rows before and after differ, nothing was committed: "
                            + before
                            + " and "
                            + after
                            + ".");
        }
        rows = before.rows();
    }

    private List<IndexManifestEntry> index(Snapshot snapshot) {
        String name = snapshot.indexManifest();
        return name == null
                ? List.of()
                : handle.table().store().newIndexFileHandler().readManifest(name);
    }

    private List<ManifestEntry> live(List<ManifestFileMeta> manifests) {
        ManifestFile manifestFile = handle.table().store().manifestFileFactory().create();
        List<ManifestEntry> entries = new ArrayList<>();
        manifests.forEach(m -> entries.addAll(manifestFile.read(m.fileName(), m.fileSize())));
        return FileEntry.mergeEntries(entries).stream()
                .filter(entry -> entry.kind() == FileKind.ADD)
                .toList();
    }

    /** Files whose row ids stay and whose sequence numbers change. */
    private static Set<String> resequenced(List<ManifestEntry> before, List<ManifestEntry> after) {
        Map<String, Long> sequences = new HashMap<>();
        for (ManifestEntry entry : before) {
            if (entry.file().firstRowId() != null) {
                sequences.put(entry.fileName(), entry.file().maxSequenceNumber());
            }
        }
        Set<String> changed = new HashSet<>();
        for (ManifestEntry entry : after) {
            Long old = sequences.get(entry.fileName());
            if (old != null && old != entry.file().maxSequenceNumber()) {
                changed.add(entry.fileName());
            }
        }
        return changed;
    }

    private static List<Group> with(List<Group> groups, Set<String> resequenced) {
        return groups.stream().filter(group -> isShown(group, resequenced)).toList();
    }

    private static List<Group> without(List<Group> groups, Set<String> resequenced) {
        return groups.stream().filter(group -> !isShown(group, resequenced)).toList();
    }

    private static boolean isShown(Group group, Set<String> resequenced) {
        return group.files().size() > 1
                && group.files().stream()
                        .map(DataFileMeta::fileName)
                        .anyMatch(resequenced::contains);
    }

    private static long start(Group group) {
        return group.files().get(0).nonNullFirstRowId();
    }

    private ContentDigest.Value sum(LiveRows rowsOf, List<Group> groups) {
        long sumRows = 0;
        long high = 0;
        long low = 0;
        for (ContentDigest.Value one : parallel.map(groups, rowsOf::digest)) {
            sumRows += one.rows();
            high += one.high();
            low += one.low();
        }
        return new ContentDigest.Value(sumRows, sumRows, high, low);
    }

    private void countChanges(LiveRows rowsOf, Group before, Group after) {
        RowType type = handle.table().rowType();
        try (RecordReader<InternalRow> oldRows = rowsOf.open(before);
                RecordReader<InternalRow> newRows = rowsOf.open(after);
                RecordReaderIterator<InternalRow> old = new RecordReaderIterator<>(oldRows);
                RecordReaderIterator<InternalRow> staged = new RecordReaderIterator<>(newRows)) {
            while (old.hasNext() && staged.hasNext()) {
                countChanges(type, old.next(), staged.next());
            }
            if (old.hasNext() || staged.hasNext()) {
                throw new IllegalStateException(
                        LiveRows.names(after)
                                + " hold other rows than before; nothing was committed.");
            }
        } catch (IOException e) {
            throw new IllegalStateException("Cannot read " + LiveRows.names(after) + ".", e);
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("Cannot close " + LiveRows.names(after) + ".", e);
        }
    }

    private void countChanges(RowType type, InternalRow before, InternalRow after) {
        for (int i = 0; i < type.getFieldCount(); i++) {
            if (!Arrays.equals(bytes(type, i, before), bytes(type, i, after))) {
                changedRows.merge(type.getFieldNames().get(i), 1L, Long::sum);
            }
        }
    }

    /** A single value; those of nested types have no equality of their own. */
    private static byte[] bytes(RowType type, int field, InternalRow row) {
        Object value =
                InternalRow.createFieldGetter(type.getTypeAt(field), field).getFieldOrNull(row);
        return new InternalRowSerializer(type.getTypeAt(field))
                .toBinaryRow(GenericRow.of(value))
                .toBytes();
    }
}
