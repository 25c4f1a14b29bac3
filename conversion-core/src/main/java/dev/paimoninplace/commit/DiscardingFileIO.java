package dev.paimoninplace.commit;

import java.io.IOException;
import org.apache.paimon.catalog.CatalogContext;
import org.apache.paimon.fs.FileIO;
import org.apache.paimon.fs.FileStatus;
import org.apache.paimon.fs.Path;
import org.apache.paimon.fs.PositionOutputStream;
import org.apache.paimon.fs.SeekableInputStream;

/**
 * Reads from a file system and writes nowhere: new files are counted byte by byte and thrown away,
 * everything else that would change the file system fails.
 */
final class DiscardingFileIO implements FileIO {

    private static final long serialVersionUID = 1L;

    private final FileIO delegate;

    DiscardingFileIO(FileIO delegate) {
        this.delegate = delegate;
    }

    @Override
    public boolean isObjectStore() {
        return delegate.isObjectStore();
    }

    @Override
    public void configure(CatalogContext context) {
        throw new UnsupportedOperationException("Already configured.");
    }

    @Override
    public SeekableInputStream newInputStream(Path path) throws IOException {
        return delegate.newInputStream(path);
    }

    @Override
    public PositionOutputStream newOutputStream(Path path, boolean overwrite) {
        return new CountingStream();
    }

    @Override
    public FileStatus getFileStatus(Path path) throws IOException {
        return delegate.getFileStatus(path);
    }

    @Override
    public FileStatus[] listStatus(Path path) throws IOException {
        return delegate.listStatus(path);
    }

    @Override
    public boolean exists(Path path) throws IOException {
        return delegate.exists(path);
    }

    /** A discarded file is already gone. */
    @Override
    public boolean delete(Path path, boolean recursive) {
        return true;
    }

    @Override
    public boolean mkdirs(Path path) {
        throw readOnly("create " + path);
    }

    @Override
    public boolean rename(Path source, Path target) {
        throw readOnly("rename " + source);
    }

    private static UnsupportedOperationException readOnly(String what) {
        return new UnsupportedOperationException("A dry run must not " + what + ".");
    }

    private static final class CountingStream extends PositionOutputStream {

        private long position;

        @Override
        public long getPos() {
            return position;
        }

        @Override
        public void write(int b) {
            position++;
        }

        @Override
        public void write(byte[] b) {
            position += b.length;
        }

        @Override
        public void write(byte[] b, int off, int len) {
            position += len;
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }
}
