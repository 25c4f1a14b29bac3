package dev.paimoninplace.commit;

import dev.paimoninplace.plan.TableHandle;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;
import org.apache.paimon.fs.FileIO;
import org.apache.paimon.fs.Path;
import org.apache.paimon.index.DeletionVectorMeta;
import org.apache.paimon.index.IndexFileMeta;
import org.apache.paimon.index.IndexPathFactory;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.io.DataFilePathFactory;
import org.apache.paimon.manifest.FileKind;
import org.apache.paimon.manifest.IndexManifestEntry;
import org.apache.paimon.manifest.ManifestEntry;
import org.jspecify.annotations.Nullable;

/**
 * Copies data files and index files under new names, byte by byte. Safe for use by many threads.
 */
final class FileCopies {

    private static final Pattern UUID_IN_NAME =
            Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

    private final TableHandle handle;
    private final FileIO fileIO;
    private final StagedFiles staged;

    FileCopies(TableHandle handle, StagedFiles staged) {
        this.staged = staged;
        this.handle = handle;
        this.fileIO = handle.table().fileIO();
    }

    /** Copies a data file with the files that belong to it; returns the entry of the copy. */
    ManifestEntry copy(ManifestEntry original) {
        DataFilePathFactory paths =
                handle.table()
                        .store()
                        .pathFactory()
                        .createDataFilePathFactory(original.partition(), original.bucket());
        DataFileMeta file = original.file();
        String id = UUID.randomUUID().toString();
        List<String> extraFiles = new ArrayList<>();
        for (String extra : file.extraFiles()) {
            extraFiles.add(renamed(extra, id));
        }
        DataFileMeta copy = file.rename(renamed(file.fileName(), id)).copy(extraFiles);
        List<Path> from = file.collectFiles(paths);
        List<Path> to = copy.collectFiles(paths);
        for (int i = 0; i < from.size(); i++) {
            copy(from.get(i), to.get(i), i == 0 ? file.fileSize() : null);
        }
        return ManifestEntry.create(
                FileKind.ADD,
                original.partition(),
                original.bucket(),
                original.totalBuckets(),
                copy);
    }

    /** The name with another UUID in it; its ending, which tells the format, stays. */
    static String renamed(String name, String id) {
        var found = UUID_IN_NAME.matcher(name);
        return found.find() ? found.replaceFirst(id) : "data-" + id + "-" + name;
    }

    /** Copies an index file; names of data files in it become those of their copies. */
    IndexManifestEntry copy(IndexManifestEntry original, Map<String, String> newNames) {
        IndexPathFactory paths =
                handle.table()
                        .store()
                        .pathFactory()
                        .indexFileFactory(original.partition(), original.bucket());
        IndexFileMeta file = original.indexFile();
        Path target = paths.newPath();
        copy(paths.toPath(file), target, file.fileSize());
        IndexFileMeta copy =
                new IndexFileMeta(
                        file.indexType(),
                        target.getName(),
                        file.fileSize(),
                        file.rowCount(),
                        renamed(file.dvRanges(), newNames),
                        paths.isExternalPath() ? target.toString() : null,
                        file.globalIndexMeta());
        return new IndexManifestEntry(FileKind.ADD, original.partition(), original.bucket(), copy);
    }

    private static @Nullable LinkedHashMap<String, DeletionVectorMeta> renamed(
            @Nullable LinkedHashMap<String, DeletionVectorMeta> ranges,
            Map<String, String> newNames) {
        if (ranges == null) {
            return null;
        }
        LinkedHashMap<String, DeletionVectorMeta> renamed = new LinkedHashMap<>();
        ranges.forEach(
                (name, vector) -> {
                    String newName = newNames.getOrDefault(name, name);
                    renamed.put(
                            newName,
                            new DeletionVectorMeta(
                                    newName,
                                    vector.offset(),
                                    vector.length(),
                                    vector.cardinality()));
                });
        return renamed;
    }

    private void copy(Path from, Path to, @Nullable Long size) {
        staged.add(to);
        try {
            // Paimon's own copy needs a library that is not there on every class path.
            try (InputStream in = fileIO.newInputStream(from);
                    OutputStream out = fileIO.newOutputStream(to, false)) {
                in.transferTo(out);
            }
            long copied = fileIO.getFileSize(to);
            if (size != null && copied != size) {
                throw new IllegalStateException(
                        String.format(
                                "The copy of %s has %d bytes instead of %d; nothing was"
                                        + " committed.",
                                from, copied, size));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot copy " + from + ".", e);
        }
    }
}
