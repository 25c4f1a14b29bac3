package dev.paimoninplace.repair;

import dev.paimoninplace.plan.TableHandle;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.format.FileFormatDiscover;
import org.apache.paimon.format.FormatReaderContext;
import org.apache.paimon.fs.Path;
import org.apache.paimon.reader.RecordReader;
import org.apache.paimon.table.SpecialFields;
import org.apache.paimon.types.RowType;

/**
 * Reads the row ids that a plain compaction wrote into a data file as a column. Safe for use by
 * many threads.
 */
final class InsideIdReader {

    /**
     * A data file with row ids inside.
     *
     * @param name its name
     * @param path where it is
     * @param format identifier of its format
     * @param fileSize bytes
     * @param rowCount rows
     * @param schemaId schema that it was written with
     * @param columns columns in it, those of row tracking included
     */
    record File(
            String name,
            Path path,
            String format,
            long fileSize,
            long rowCount,
            long schemaId,
            List<String> columns) {

        File {
            columns = List.copyOf(columns);
        }
    }

    /**
     * Ids that follow each other without a gap.
     *
     * @param start first id, inclusive
     * @param end last id, exclusive
     */
    record Run(long start, long end) {}

    private final TableHandle handle;
    private final FileFormatDiscover formats;

    InsideIdReader(TableHandle handle) {
        this.handle = handle;
        this.formats = FileFormatDiscover.of(handle.table().coreOptions());
    }

    /**
     * The row ids in a file, in the order of its rows.
     *
     * @return runs; adjacent ones do not continue each other. Empty when a row has no id or the
     *     file holds other rows than its metadata says
     * @throws IllegalStateException when the file cannot be read
     */
    List<Run> runs(File file) {
        RowType stored =
                SpecialFields.rowTypeWithRowTracking(
                        handle.schemas().schema(file.schemaId()).logicalRowType(), true, true);
        RowType wanted = stored.project(List.of(SpecialFields.ROW_ID.name()));
        Runs runs = new Runs();
        try (RecordReader<InternalRow> reader =
                formats.discover(file.format())
                        .createReaderFactory(stored, wanted, List.of())
                        .createReader(
                                new FormatReaderContext(
                                        handle.table().fileIO(), file.path(), file.fileSize()))) {
            reader.forEachRemaining(runs::accept);
        } catch (IOException e) {
            throw new IllegalStateException("Cannot read the row ids in " + file.path() + ".", e);
        }
        return runs.finish(file.rowCount());
    }

    private static final class Runs {

        private final List<Run> runs = new ArrayList<>();
        private boolean isWhole = true;
        private long start;
        private long next;
        private long rows;

        void accept(InternalRow row) {
            if (row.isNullAt(0) || row.getLong(0) < 0) {
                isWhole = false;
                return;
            }
            long id = row.getLong(0);
            if (rows > 0 && id != next) {
                runs.add(new Run(start, next));
            }
            if (rows == 0 || id != next) {
                start = id;
            }
            next = id + 1;
            rows++;
        }

        List<Run> finish(long rowCount) {
            if (rows > 0) {
                runs.add(new Run(start, next));
            }
            return isWhole && rows == rowCount ? List.copyOf(runs) : List.of();
        }
    }
}
