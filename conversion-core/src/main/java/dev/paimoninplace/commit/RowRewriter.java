package dev.paimoninplace.commit;

import dev.paimoninplace.plan.TableHandle;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.io.DataFilePathFactory;
import org.apache.paimon.manifest.FileKind;
import org.apache.paimon.manifest.ManifestEntry;
import org.apache.paimon.reader.RecordReader;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.sink.BatchTableWrite;
import org.apache.paimon.table.sink.CommitMessage;
import org.apache.paimon.table.sink.CommitMessageImpl;
import org.apache.paimon.table.source.DataSplit;

/** Writes the rows of a data file into new ones, as a plain append table would. */
final class RowRewriter {

    private static final Set<String> NOT_PLAIN =
            Set.of(
                    CoreOptions.ROW_TRACKING_ENABLED.key(),
                    CoreOptions.DATA_EVOLUTION_ENABLED.key(),
                    CoreOptions.DELETION_VECTORS_ENABLED.key());

    private final FileStoreTable table;
    private final StagedFiles staged;

    RowRewriter(TableHandle handle, StagedFiles staged) {
        Map<String, String> options = new HashMap<>(handle.table().schema().options());
        options.keySet().removeAll(NOT_PLAIN);
        options.put(CoreOptions.WRITE_ONLY.key(), "true");
        this.table = handle.table().copy(handle.table().schema().copy(options));
        this.staged = staged;
    }

    /**
     * Entries of the new files; they have no row ids.
     *
     * @throws IllegalStateException when not all rows were written
     */
    List<ManifestEntry> rewrite(ManifestEntry original) {
        try (BatchTableWrite write = table.newBatchWriteBuilder().newWrite();
                RecordReader<?> reader = table.store().newRead().createReader(split(original))) {
            reader.forEachRemaining(
                    row -> {
                        try {
                            write.write((InternalRow) row);
                        } catch (Exception e) {
                            throw new IllegalStateException(
                                    "Cannot write a row of " + original.fileName() + ".", e);
                        }
                    });
            return entries(original, write.prepareCommit());
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("Cannot rewrite " + original.fileName() + ".", e);
        }
    }

    private DataSplit split(ManifestEntry entry) {
        return DataSplit.builder()
                .withSnapshot(1)
                .withPartition(entry.partition())
                .withBucket(entry.bucket())
                .withBucketPath(
                        table.store()
                                .pathFactory()
                                .bucketPath(entry.partition(), entry.bucket())
                                .toString())
                .withDataFiles(List.of(entry.file()))
                .rawConvertible(true)
                .build();
    }

    private List<ManifestEntry> entries(ManifestEntry original, List<CommitMessage> messages) {
        DataFilePathFactory paths =
                table.store()
                        .pathFactory()
                        .createDataFilePathFactory(original.partition(), original.bucket());
        List<ManifestEntry> entries = new ArrayList<>();
        long rows = 0;
        for (CommitMessage message : messages) {
            CommitMessageImpl written = (CommitMessageImpl) message;
            for (DataFileMeta file : written.newFilesIncrement().newFiles()) {
                file.collectFiles(paths).forEach(staged::add);
                rows += file.rowCount();
                entries.add(
                        ManifestEntry.create(
                                FileKind.ADD,
                                written.partition(),
                                written.bucket(),
                                original.totalBuckets(),
                                file));
            }
        }
        if (rows != original.file().rowCount()) {
            throw new IllegalStateException(
                    String.format(
                            "%d of %d rows of %s were written; nothing was committed.",
                            rows, original.file().rowCount(), original.fileName()));
        }
        return entries;
    }
}
