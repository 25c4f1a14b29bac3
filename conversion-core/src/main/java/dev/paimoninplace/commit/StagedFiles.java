package dev.paimoninplace.commit;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.paimon.fs.FileIO;
import org.apache.paimon.fs.Path;

/** Files that a run wrote and that no snapshot references yet. Safe for use by many threads. */
final class StagedFiles {

    private final FileIO fileIO;
    private final Queue<Path> written = new ConcurrentLinkedQueue<>();

    StagedFiles(FileIO fileIO) {
        this.fileIO = fileIO;
    }

    void add(Path path) {
        written.add(path);
    }

    /** Deletes everything that was staged; only names that this run wrote. */
    void discardAll() {
        Path path = written.poll();
        while (path != null) {
            fileIO.deleteQuietly(path);
            path = written.poll();
        }
    }

    /** Forgets what was staged without deleting it: a snapshot may reference it. */
    void release() {
        written.clear();
    }
}
