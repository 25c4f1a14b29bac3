package dev.paimoninplace.verify;

import dev.paimoninplace.plan.Parallel;
import dev.paimoninplace.plan.TableHandle;
import java.util.List;
import java.util.Optional;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.reader.RecordReader;
import org.apache.paimon.table.SpecialFields;
import org.apache.paimon.table.source.DataSplit;
import org.apache.paimon.table.source.ReadBuilder;
import org.apache.paimon.table.source.Split;
import org.apache.paimon.types.RowType;
import org.apache.paimon.utils.FileStorePathFactory;

/**
 * Reads every row with all its columns through Paimon's own reader, and checks that each row id
 * lies in the range of a file of its split and that ids ascend.
 */
final class RowCheck {

    private final TableHandle handle;
    private final Parallel parallel;
    private final Findings findings;
    private final FileStorePathFactory paths;

    RowCheck(TableHandle handle, Parallel parallel, Findings findings) {
        this.handle = handle;
        this.parallel = parallel;
        this.findings = findings;
        this.paths = handle.table().store().pathFactory();
    }

    void check() {
        RowType type = SpecialFields.rowTypeWithRowTracking(handle.table().rowType());
        int idPosition = type.getFieldNames().indexOf(SpecialFields.ROW_ID.name());
        ReadBuilder builder = handle.table().newReadBuilder().withReadType(type);
        List<Split> splits = builder.newScan().plan().splits();
        parallel.map(
                splits,
                split -> {
                    check(builder, split, idPosition);
                    return split;
                });
    }

    private void check(ReadBuilder builder, Split split, int idPosition) {
        Ids ids = new Ids((DataSplit) split);
        try (RecordReader<InternalRow> reader = builder.newRead().createReader(split)) {
            reader.forEachRemaining(row -> ids.accept(row, idPosition));
        } catch (Exception e) {
            ids.unreadable(e);
        }
    }

    private final class Ids {

        private final DataSplit split;
        private final long lowest;
        private final long highest;
        private boolean reported;
        private long previous = -1;

        Ids(DataSplit split) {
            this.split = split;
            this.lowest =
                    split.dataFiles().stream()
                            .mapToLong(DataFileMeta::nonNullFirstRowId)
                            .min()
                            .orElse(0);
            this.highest =
                    split.dataFiles().stream()
                            .mapToLong(f -> f.nonNullFirstRowId() + f.rowCount() - 1)
                            .max()
                            .orElse(-1);
        }

        void accept(InternalRow row, int position) {
            if (row.isNullAt(position)) {
                report("a row of it has no row id");
                return;
            }
            long id = row.getLong(position);
            if (id <= previous || id < lowest || id > highest) {
                report("row id " + id + " follows " + previous + " in it");
            }
            previous = id;
        }

        private void report(String detail) {
            if (reported) {
                return;
            }
            reported = true;
            add(FindingCode.ROW_ID_WRONG, onlyFile(), detail);
        }

        /** The error may be of any file of the split; it mostly quotes the path. */
        void unreadable(Exception e) {
            Optional<String> quoted =
                    split.dataFiles().stream()
                            .map(DataFileMeta::fileName)
                            .filter(e.toString()::contains)
                            .findFirst();
            add(FindingCode.FILE_UNREADABLE, quoted.or(this::onlyFile), "reading it gives " + e);
        }

        private Optional<String> onlyFile() {
            return split.dataFiles().size() == 1
                    ? Optional.of(split.dataFiles().get(0).fileName())
                    : Optional.empty();
        }

        private void add(FindingCode code, Optional<String> file, String detail) {
            String text =
                    file.isPresent()
                            ? detail
                            : "one of "
                                    + split.dataFiles().size()
                                    + " files from "
                                    + split.dataFiles().get(0).fileName()
                                    + " on: "
                                    + detail;
            findings.add(
                    Finding.of(
                            code,
                            file,
                            Optional.of(paths.getPartitionString(split.partition())),
                            Optional.empty(),
                            text));
        }
    }
}
