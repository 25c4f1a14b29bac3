package dev.paimoninplace.guard;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.paimon.fs.Path;
import org.apache.paimon.index.IndexFileMeta;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.io.DataFilePathFactory;
import org.apache.paimon.manifest.ManifestCommittable;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.sink.CommitMessage;
import org.apache.paimon.table.sink.CommitMessageImpl;
import org.apache.paimon.utils.FileStorePathFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Results of compactions from before a conversion that no commit takes any more. Only their own
 * output is deleted, never what they read.
 */
final class DroppedCompactions {

    private static final Logger LOG = LoggerFactory.getLogger(DroppedCompactions.class);

    private final FileStoreTable table;
    private final FileStorePathFactory paths;
    private final Set<Path> files = new HashSet<>();

    DroppedCompactions(FileStoreTable table) {
        this.table = table;
        this.paths = table.store().pathFactory();
    }

    void add(ManifestCommittable committable) {
        for (CommitMessage message : committable.fileCommittables()) {
            add((CommitMessageImpl) message);
        }
    }

    private void add(CommitMessageImpl message) {
        DataFilePathFactory data =
                paths.createDataFilePathFactory(message.partition(), message.bucket());
        Set<String> kept = new HashSet<>();
        message.newFilesIncrement().newFiles().forEach(file -> kept.add(file.fileName()));
        message.compactIncrement().compactBefore().forEach(file -> kept.add(file.fileName()));
        List<DataFileMeta> output = message.compactIncrement().compactAfter();
        output.stream()
                .filter(file -> !kept.contains(file.fileName()))
                .forEach(file -> files.addAll(file.collectFiles(data)));
        for (IndexFileMeta index : message.compactIncrement().newIndexFiles()) {
            files.add(paths.indexFileFactory(message.partition(), message.bucket()).toPath(index));
        }
    }

    /** Deletes the files; one that cannot be deleted is left to the cleaning of orphan files. */
    void delete() {
        files.forEach(table.fileIO()::deleteQuietly);
        if (!files.isEmpty()) {
            LOG.info(
                    "Dropped {} file(s) of compactions of {} from before its conversion.",
                    files.size(),
                    table.fullName());
        }
        files.clear();
    }
}
