package dev.paimoninplace.repair;

import dev.paimoninplace.plan.FileShapes;
import dev.paimoninplace.plan.FileShapes.Shape;
import dev.paimoninplace.plan.Parallel;
import dev.paimoninplace.plan.TableHandle;
import dev.paimoninplace.plan.TableView;
import dev.paimoninplace.repair.InsideIdReader.File;
import dev.paimoninplace.repair.InsideIdReader.Run;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.paimon.deletionvectors.DeletionVectorsIndexFile;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.manifest.BinaryManifestEntry;
import org.apache.paimon.table.SpecialFields;

/**
 * The files whose row ids are a column inside the file, and which of them can have their ids back:
 * those whose ids are one ascending run that no other file with all columns has.
 *
 * <p>A stock reader takes the id of a row from inside the file where it is there, but finds the
 * file of an id by the metadata. The two must agree, so such a file can have no other ids than
 * those that it holds.
 *
 * @param firstRowIds name of a file to the id of its first row; those that can have them back
 * @param lost name of a file to the reason why it cannot
 * @param renumberable those of the latter whose rows are whole and there once, so that they can
 *     have new ids in a new file
 */
public record InsideIds(
        Map<String, Long> firstRowIds, Map<String, String> lost, Set<String> renumberable) {

    public static final InsideIds NONE = new InsideIds(Map.of(), Map.of(), Set.of());

    public InsideIds {
        firstRowIds = Map.copyOf(firstRowIds);
        lost = Map.copyOf(lost);
        renumberable = Set.copyOf(renumberable);
    }

    /** Reads the manifests of a view, and the files in question. */
    public static InsideIds read(TableHandle handle, TableView view, Parallel parallel) {
        return new Reading(handle, view).read(parallel);
    }

    /** A run of ids and the file that holds it. */
    private record Owned(long end, String name) {}

    private static final class Reading {

        private final TableHandle handle;
        private final TableView view;
        private final LiveEntries live;
        private final FileShapes shapes;
        private final Map<String, String> lost = new HashMap<>();
        private final Set<String> renumberable = new HashSet<>();
        private final NavigableMap<Long, Owned> byStart = new TreeMap<>();

        Reading(TableHandle handle, TableView view) {
            this.handle = handle;
            this.view = view;
            this.live = LiveEntries.of(handle, view.manifests());
            this.shapes = new FileShapes(handle);
        }

        InsideIds read(Parallel parallel) {
            List<File> files = files();
            if (files.isEmpty()) {
                return NONE;
            }
            InsideIdReader reader = new InsideIdReader(handle);
            List<List<Run>> runs = parallel.map(files, reader::runs);
            for (int i = 0; i < files.size(); i++) {
                place(files.get(i), runs.get(i));
            }
            loseWhatIsTaken();
            loseWhatWasMadeOfUpdates(files);
            // A deletion vector goes by the name of the file, which renumbering changes.
            renumberable.removeAll(withDeletions());
            Map<String, Long> firstRowIds = new HashMap<>();
            for (int i = 0; i < files.size(); i++) {
                String name = files.get(i).name();
                if (!lost.containsKey(name)) {
                    firstRowIds.put(name, runs.get(i).get(0).start());
                }
            }
            return new InsideIds(firstRowIds, lost, renumberable);
        }

        private Set<String> withDeletions() {
            Set<String> names = new HashSet<>();
            handle.table()
                    .store()
                    .newIndexFileHandler()
                    .scan(
                            view.snapshot().orElseThrow(),
                            DeletionVectorsIndexFile.DELETION_VECTORS_INDEX)
                    .forEach(
                            entry ->
                                    Optional.ofNullable(entry.indexFile().dvRanges())
                                            .ifPresent(ranges -> names.addAll(ranges.keySet())));
            return names;
        }

        private List<File> files() {
            List<File> files = new ArrayList<>();
            live.forEach(
                    entry -> {
                        DataFileMeta file = entry.file();
                        if (file.firstRowId() == null && FileShapes.idsInside(file)) {
                            files.add(file(entry));
                        }
                    });
            return files;
        }

        private File file(BinaryManifestEntry entry) {
            DataFileMeta file = entry.file();
            return new File(
                    file.fileName(),
                    handle.table()
                            .store()
                            .pathFactory()
                            .createDataFilePathFactory(entry.partition(), entry.bucket())
                            .toPath(file),
                    file.fileFormat(),
                    file.fileSize(),
                    file.rowCount(),
                    file.schemaId(),
                    Objects.requireNonNull(file.writeCols()));
        }

        private void place(File file, List<Run> runs) {
            if (!holdsAllColumns(file)) {
                lost.put(file.name(), "it does not hold all columns");
                return;
            }
            if (runs.isEmpty()) {
                lost.put(file.name(), "some of its rows have no id");
                return;
            }
            if (runs.size() > 1) {
                lost.put(file.name(), "its ids are not one ascending run without a gap");
                renumberable.add(file.name());
            }
            runs.forEach(run -> place(file, run));
        }

        private void place(File file, Run run) {
            Optional<Owned> other = overlapping(run.start(), run.end());
            if (other.isPresent()) {
                String reason = "ids in it are there twice";
                lose(file.name(), reason);
                lose(other.get().name(), reason);
                return;
            }
            byStart.put(run.start(), new Owned(run.end(), file.name()));
            if (run.end() > view.nextRowId() && !lost.containsKey(file.name())) {
                lost.put(
                        file.name(),
                        "its ids end at "
                                + run.end()
                                + ", above the next row id "
                                + view.nextRowId());
                renumberable.add(file.name());
            }
        }

        private boolean holdsAllColumns(File file) {
            List<String> columns = new ArrayList<>(file.columns());
            columns.removeIf(SpecialFields::isSystemField);
            return columns.equals(handle.schemas().schema(file.schemaId()).fieldNames());
        }

        private Optional<Owned> overlapping(long start, long end) {
            return Optional.ofNullable(byStart.lowerEntry(end))
                    .map(Map.Entry::getValue)
                    .filter(found -> found.end() > start);
        }

        private void loseWhatIsTaken() {
            live.forEach(
                    entry -> {
                        DataFileMeta file = entry.file();
                        Long first = file.firstRowId();
                        if (first != null && shapes.of(file) == Shape.FULL) {
                            loseOverlapping(first, first + file.rowCount());
                        }
                    });
        }

        /** All of them: the ids of a live file can lie in several. */
        private void loseOverlapping(long start, long end) {
            long before = end;
            Optional<Owned> found = overlapping(start, before);
            while (found.isPresent()) {
                lose(found.get().name(), "another file with all columns has ids that are in it");
                before = byStart.lowerKey(before);
                found = overlapping(start, before);
            }
        }

        private void loseWhatWasMadeOfUpdates(List<File> files) {
            Set<String> names = new HashSet<>();
            files.forEach(file -> names.add(file.name()));
            for (String name :
                    new CompactionInputs(handle, shapes).withUpdates(names, view.snapshotId())) {
                lose(
                        name,
                        "the compaction that wrote it took files with some of the columns for"
                                + " whole rows");
            }
        }

        /** For good: its rows are not whole, or are there twice. */
        private void lose(String name, String reason) {
            lost.put(name, reason);
            renumberable.remove(name);
        }
    }
}
