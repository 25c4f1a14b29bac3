package dev.paimoninplace.repair;

import dev.paimoninplace.plan.FileShapes;
import dev.paimoninplace.plan.FileShapes.Shape;
import dev.paimoninplace.plan.TableHandle;
import dev.paimoninplace.plan.TableView;
import dev.paimoninplace.rowid.FileChange;
import dev.paimoninplace.rowid.FileRule;
import dev.paimoninplace.rowid.FileRule.KnownSequences;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.apache.paimon.io.DataFileMeta;

/**
 * Updates that readers see only when the sequence numbers of the files below them are mended.
 *
 * <p>A file with all columns and no list of them is what the rows of its range began with, so every
 * file with such a list over the same range was written after it, whatever their numbers say. Two
 * of the former over one range have no such order.
 *
 * @param files files with some of the columns that readers do not see today
 * @param rows rows in these files, each counted once for each file
 * @param columns columns in these files, sorted
 * @param ambiguous a file whose numbers are to be mended, beside another one over the same rows
 */
public record ShownUpdates(
        long files, long rows, List<String> columns, Optional<String> ambiguous) {

    public static final ShownUpdates NONE = new ShownUpdates(0, 0, List.of(), Optional.empty());

    public ShownUpdates {
        columns = List.copyOf(columns);
    }

    /** Reads the manifests of a view twice. */
    public static ShownUpdates read(TableHandle handle, TableView view) {
        LiveEntries live = LiveEntries.of(handle, view.manifests());
        FileRule rule = new FileRule(KnownSequences.MEND, view.snapshotId());
        Map<Long, Mended> mended = new HashMap<>();
        live.forEach(
                entry -> {
                    DataFileMeta file = entry.file();
                    Long first = file.firstRowId();
                    FileChange change = rule.changeOf(file);
                    if (first != null && change.sequences()) {
                        mended.put(first, new Mended(file.fileName(), file.maxSequenceNumber()));
                    }
                });
        return mended.isEmpty() ? NONE : new Reading(handle, mended).read(live);
    }

    private record Mended(String name, long sequence) {}

    private static final class Reading {

        private final FileShapes shapes;
        private final Map<Long, Mended> mended;
        private final SortedSet<String> columns = new TreeSet<>();
        private long files;
        private long rows;
        private Optional<String> ambiguous = Optional.empty();

        Reading(TableHandle handle, Map<Long, Mended> mended) {
            this.shapes = new FileShapes(handle);
            this.mended = mended;
        }

        ShownUpdates read(LiveEntries live) {
            live.forEach(entry -> see(entry.file()));
            return new ShownUpdates(files, rows, List.copyOf(columns), ambiguous);
        }

        private void see(DataFileMeta file) {
            Long first = file.firstRowId();
            Mended below = first == null ? null : mended.get(first);
            if (below == null || below.name.equals(file.fileName())) {
                return;
            }
            List<String> written = file.writeCols();
            if (written == null) {
                if (shapes.of(file) == Shape.FULL) {
                    ambiguous = Optional.of(below.name);
                }
            } else if (file.maxSequenceNumber() <= below.sequence) {
                files++;
                rows += file.rowCount();
                columns.addAll(written);
            }
        }
    }
}
