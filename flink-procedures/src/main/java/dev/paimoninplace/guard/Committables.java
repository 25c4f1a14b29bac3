package dev.paimoninplace.guard;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.paimon.io.CompactIncrement;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.io.DataIncrement;
import org.apache.paimon.manifest.ManifestCommittable;
import org.apache.paimon.table.SpecialFields;
import org.apache.paimon.table.sink.CommitMessage;
import org.apache.paimon.table.sink.CommitMessageImpl;

/** What a commit to a row-tracking table must look like, whoever wrote its files. */
final class Committables {

    private Committables() {}

    /**
     * The same commit, with the sequence numbers of new files without row id set to 0 to 0, which
     * Paimon's commit replaces by the id of the snapshot ({@code RowTrackingCommitUtils}).
     *
     * <p>A writer that does not know of row tracking counts rows there, on from file to file, and a
     * count above 0 would be kept as if the rows were as new as a later update of them.
     */
    static ManifestCommittable withSequencesToAssign(ManifestCommittable committable) {
        return map(
                committable,
                message ->
                        new CommitMessageImpl(
                                message.partition(),
                                message.bucket(),
                                message.totalBuckets(),
                                withSequencesToAssign(message.newFilesIncrement()),
                                message.compactIncrement()));
    }

    private static DataIncrement withSequencesToAssign(DataIncrement increment) {
        List<DataFileMeta> newFiles =
                increment.newFiles().stream()
                        .map(file -> getsRowIds(file) ? file.assignSequenceNumber(0L, 0L) : file)
                        .toList();
        return new DataIncrement(
                newFiles,
                increment.deletedFiles(),
                increment.changelogFiles(),
                increment.newIndexFiles(),
                increment.deletedIndexFiles());
    }

    private static boolean getsRowIds(DataFileMeta file) {
        List<String> writeCols = file.writeCols();
        return file.firstRowId() == null
                && (writeCols == null || !writeCols.contains(SpecialFields.ROW_ID.name()));
    }

    /** Whether a compaction is part of the commit. */
    static boolean compacts(ManifestCommittable committable) {
        return committable.fileCommittables().stream()
                .anyMatch(message -> !((CommitMessageImpl) message).compactIncrement().isEmpty());
    }

    /** The same commit without its compactions: what they were to replace stays. */
    static ManifestCommittable withoutCompactions(ManifestCommittable committable) {
        return map(
                committable,
                message ->
                        new CommitMessageImpl(
                                message.partition(),
                                message.bucket(),
                                message.totalBuckets(),
                                message.newFilesIncrement(),
                                CompactIncrement.emptyIncrement()));
    }

    private static ManifestCommittable map(
            ManifestCommittable committable, UnaryOperator<CommitMessageImpl> change) {
        List<CommitMessage> messages =
                committable.fileCommittables().stream()
                        .<CommitMessage>map(message -> change.apply((CommitMessageImpl) message))
                        .toList();
        // Paimon adds to this list.
        return new ManifestCommittable(
                committable.identifier(),
                committable.watermark(),
                new ArrayList<>(messages),
                committable.properties());
    }
}
