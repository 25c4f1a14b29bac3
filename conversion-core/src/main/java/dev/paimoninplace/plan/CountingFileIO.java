package dev.paimoninplace.plan;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.paimon.catalog.CatalogContext;
import org.apache.paimon.data.BlobDescriptor;
import org.apache.paimon.fs.FileIO;
import org.apache.paimon.fs.FileStatus;
import org.apache.paimon.fs.Path;
import org.apache.paimon.fs.PositionOutputStream;
import org.apache.paimon.fs.RemoteIterator;
import org.apache.paimon.fs.SeekableInputStream;
import org.apache.paimon.fs.StorageType;
import org.apache.paimon.fs.TwoPhaseOutputStream;

/**
 * A file system whose requests are counted. Every operation goes to the file system below as it is,
 * also those that Paimon composes of others where a file system has no better way: a file system
 * that writes atomically keeps doing so.
 */
final class CountingFileIO implements FileIO {

    private static final long serialVersionUID = 1L;

    private final FileIO delegate;
    private final RequestCounter counter;

    CountingFileIO(FileIO delegate, RequestCounter counter) {
        this.delegate = delegate;
        this.counter = counter;
    }

    @Override
    public boolean isObjectStore() {
        return delegate.isObjectStore();
    }

    @Override
    public void configure(CatalogContext context) {
        delegate.configure(context);
    }

    @Override
    public void setRuntimeContext(Map<String, String> options) {
        delegate.setRuntimeContext(options);
    }

    @Override
    public SeekableInputStream newInputStream(Path path) throws IOException {
        counter.gets.increment();
        if (isManifest(path.getName())) {
            counter.manifestReads.increment();
        }
        return delegate.newInputStream(path);
    }

    private static boolean isManifest(String name) {
        return name.startsWith("manifest-") && !name.startsWith("manifest-list-");
    }

    @Override
    public PositionOutputStream newOutputStream(Path path, boolean overwrite) throws IOException {
        counter.puts.increment();
        return delegate.newOutputStream(path, overwrite);
    }

    @Override
    public TwoPhaseOutputStream newTwoPhaseOutputStream(Path path, boolean overwrite)
            throws IOException {
        counter.puts.increment();
        return delegate.newTwoPhaseOutputStream(path, overwrite);
    }

    @Override
    public FileStatus getFileStatus(Path path) throws IOException {
        counter.heads.increment();
        return delegate.getFileStatus(path);
    }

    @Override
    public FileStatus[] listStatus(Path path) throws IOException {
        counter.lists.increment();
        return delegate.listStatus(path);
    }

    @Override
    public FileStatus[] listFiles(Path path, boolean recursive) throws IOException {
        counter.lists.increment();
        return delegate.listFiles(path, recursive);
    }

    @Override
    public RemoteIterator<FileStatus> listFilesIterative(Path path, boolean recursive)
            throws IOException {
        counter.lists.increment();
        return delegate.listFilesIterative(path, recursive);
    }

    @Override
    public FileStatus[] listDirectories(Path path) throws IOException {
        counter.lists.increment();
        return delegate.listDirectories(path);
    }

    @Override
    public boolean exists(Path path) throws IOException {
        counter.heads.increment();
        return delegate.exists(path);
    }

    @Override
    public boolean delete(Path path, boolean recursive) throws IOException {
        counter.deletes.increment();
        return delegate.delete(path, recursive);
    }

    @Override
    public boolean mkdirs(Path path) throws IOException {
        counter.puts.increment();
        return delegate.mkdirs(path);
    }

    @Override
    public boolean rename(Path source, Path target) throws IOException {
        counter.puts.increment();
        counter.deletes.increment();
        return delegate.rename(source, target);
    }

    @Override
    public Optional<Path> archive(Path path, StorageType type) throws IOException {
        return delegate.archive(path, type);
    }

    @Override
    public void restoreArchive(Path path, Duration duration) throws IOException {
        delegate.restoreArchive(path, duration);
    }

    @Override
    public Optional<Path> unarchive(Path path, StorageType type) throws IOException {
        return delegate.unarchive(path, type);
    }

    @Override
    public String createBlobPresignedUrl(
            Path tableRoot, BlobDescriptor descriptor, Duration validity) throws IOException {
        return delegate.createBlobPresignedUrl(tableRoot, descriptor, validity);
    }

    @Override
    public void deleteQuietly(Path file) {
        counter.deletes.increment();
        delegate.deleteQuietly(file);
    }

    @Override
    public void deleteFilesQuietly(List<Path> files) {
        counter.deletes.add(files.size());
        delegate.deleteFilesQuietly(files);
    }

    @Override
    public void deleteDirectoryQuietly(Path directory) {
        counter.deletes.increment();
        delegate.deleteDirectoryQuietly(directory);
    }

    @Override
    public long getFileSize(Path path) throws IOException {
        counter.heads.increment();
        return delegate.getFileSize(path);
    }

    @Override
    public boolean isDir(Path path) throws IOException {
        counter.heads.increment();
        return delegate.isDir(path);
    }

    @Override
    public void checkOrMkdirs(Path path) throws IOException {
        counter.heads.increment();
        delegate.checkOrMkdirs(path);
    }

    @Override
    public String readFileUtf8(Path path) throws IOException {
        counter.gets.increment();
        return delegate.readFileUtf8(path);
    }

    /** A temporary file and its rename, unless the store writes objects atomically. */
    @Override
    public boolean tryToWriteAtomic(Path path, String content) throws IOException {
        counter.puts.add(2);
        counter.deletes.increment();
        return delegate.tryToWriteAtomic(path, content);
    }

    @Override
    public void writeFile(Path path, String content, boolean overwrite) throws IOException {
        counter.puts.increment();
        delegate.writeFile(path, content, overwrite);
    }

    @Override
    public void overwriteFileUtf8(Path path, String content) throws IOException {
        counter.puts.increment();
        delegate.overwriteFileUtf8(path, content);
    }

    @Override
    public void overwriteHintFile(Path path, String content) throws IOException {
        counter.puts.increment();
        delegate.overwriteHintFile(path, content);
    }

    @Override
    public void copyFile(Path source, Path target, boolean overwrite) throws IOException {
        counter.gets.increment();
        counter.puts.increment();
        delegate.copyFile(source, target, overwrite);
    }

    @Override
    public void copyFiles(Path source, Path target, boolean overwrite) throws IOException {
        counter.lists.increment();
        delegate.copyFiles(source, target, overwrite);
    }

    @Override
    public Optional<String> readOverwrittenFileUtf8(Path path) throws IOException {
        counter.gets.increment();
        return delegate.readOverwrittenFileUtf8(path);
    }

    /** The file systems below belong to the catalog. */
    @Override
    public void close() {}
}
