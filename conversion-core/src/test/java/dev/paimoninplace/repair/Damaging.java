package dev.paimoninplace.repair;

import dev.paimoninplace.testing.TestTable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.io.CompactIncrement;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.io.DataIncrement;
import org.apache.paimon.manifest.ManifestEntry;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.sink.CommitMessage;
import org.apache.paimon.table.sink.CommitMessageImpl;

/** Commits that damage a converted table. */
final class Damaging {

    private Damaging() {}

    /** Removes some files and nothing else, in one commit. */
    static void remove(FileStoreTable table, List<ManifestEntry> entries) {
        Map<BinaryRow, List<DataFileMeta>> files = new HashMap<>();
        entries.forEach(
                e -> files.computeIfAbsent(e.partition(), p -> new ArrayList<>()).add(e.file()));
        List<CommitMessage> messages = new ArrayList<>();
        files.forEach(
                (partition, removed) ->
                        messages.add(
                                new CommitMessageImpl(
                                        partition,
                                        0,
                                        -1,
                                        new DataIncrement(List.of(), removed, List.of()),
                                        CompactIncrement.emptyIncrement())));
        TestTable.commit(table, messages);
    }

    /** Adds a file under another name with the row ids that it had, as no writer does. */
    static void addAgain(FileStoreTable table, ManifestEntry entry) {
        DataFileMeta file = entry.file().rename("data-again-" + entry.fileName());
        var paths =
                table.store()
                        .pathFactory()
                        .createDataFilePathFactory(entry.partition(), entry.bucket());
        try {
            table.fileIO().copyFile(paths.toPath(entry.file()), paths.toPath(file), false);
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
        TestTable.commit(
                table,
                List.of(
                        new CommitMessageImpl(
                                entry.partition(),
                                entry.bucket(),
                                -1,
                                new DataIncrement(List.of(file), List.of(), List.of()),
                                CompactIncrement.emptyIncrement())));
    }
}
