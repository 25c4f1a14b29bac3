package dev.paimoninplace.testing;

import java.io.IOException;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.CatalogContext;
import org.apache.paimon.catalog.FileSystemCatalog;
import org.apache.paimon.fs.FileIO;
import org.apache.paimon.fs.FileStatus;
import org.apache.paimon.fs.Path;
import org.apache.paimon.fs.PositionOutputStream;
import org.apache.paimon.fs.SeekableInputStream;
import org.apache.paimon.fs.local.LocalFileIO;

/**
 * The local file system with somebody looking on: every operation on it is shown to an interceptor
 * before it is done and after. Only primitive operations are delegated, so that an atomic write is
 * seen as the create, write, close and rename that it consists of.
 */
public final class InterceptedFileIO implements FileIO {

    private static final long serialVersionUID = 1L;

    /** What the file system claims to be. */
    public enum Kind {
        FILE_SYSTEM,
        OBJECT_STORE
    }

    /** Kinds of operations. */
    public enum Operation {
        OPEN,
        CREATE,
        WRITE,
        CLOSE,
        RENAME,
        EXISTS,
        LIST,
        DELETE,
        STATUS,
        MKDIRS
    }

    /** Looks on; may act, and may fail an operation by throwing. */
    public interface Interceptor {

        /**
         * @param path what is worked on; the target of a rename
         * @throws IOException instead of doing the operation
         */
        default void before(Operation operation, Path path) throws IOException {}

        /**
         * @throws IOException although the operation was done
         */
        default void after(Operation operation, Path path) throws IOException {}
    }

    private final FileIO local = LocalFileIO.create();
    private final transient Interceptor interceptor;
    private final Kind kind;

    public InterceptedFileIO(Interceptor interceptor, Kind kind) {
        this.interceptor = interceptor;
        this.kind = kind;
    }

    /** A filesystem catalog whose metadata and tables all go through this. */
    public static Catalog catalog(java.nio.file.Path warehouse, Interceptor interceptor) {
        return new FileSystemCatalog(
                new InterceptedFileIO(interceptor, Kind.FILE_SYSTEM), new Path(warehouse.toUri()));
    }

    private interface Action<T> {
        T run() throws IOException;
    }

    private <T> T intercepted(Operation operation, Path path, Action<T> action) throws IOException {
        interceptor.before(operation, path);
        T result = action.run();
        interceptor.after(operation, path);
        return result;
    }

    @Override
    public boolean isObjectStore() {
        return kind == Kind.OBJECT_STORE;
    }

    @Override
    public void configure(CatalogContext context) {}

    @Override
    public SeekableInputStream newInputStream(Path path) throws IOException {
        return intercepted(Operation.OPEN, path, () -> local.newInputStream(path));
    }

    @Override
    public PositionOutputStream newOutputStream(Path path, boolean overwrite) throws IOException {
        return intercepted(
                Operation.CREATE,
                path,
                () -> new InterceptedStream(path, local.newOutputStream(path, overwrite)));
    }

    @Override
    public FileStatus getFileStatus(Path path) throws IOException {
        return intercepted(Operation.STATUS, path, () -> local.getFileStatus(path));
    }

    @Override
    public FileStatus[] listStatus(Path path) throws IOException {
        return intercepted(Operation.LIST, path, () -> local.listStatus(path));
    }

    @Override
    public boolean exists(Path path) throws IOException {
        return intercepted(Operation.EXISTS, path, () -> local.exists(path));
    }

    @Override
    public boolean delete(Path path, boolean recursive) throws IOException {
        return intercepted(Operation.DELETE, path, () -> local.delete(path, recursive));
    }

    @Override
    public boolean mkdirs(Path path) throws IOException {
        return intercepted(Operation.MKDIRS, path, () -> local.mkdirs(path));
    }

    @Override
    public boolean rename(Path source, Path target) throws IOException {
        return intercepted(
                Operation.RENAME,
                target,
                () -> {
                    if (kind == Kind.OBJECT_STORE) {
                        // A copy and a deletion: what is there already is replaced.
                        local.delete(target, false);
                    }
                    return local.rename(source, target);
                });
    }

    private final class InterceptedStream extends PositionOutputStream {

        private final Path path;
        private final PositionOutputStream stream;
        private boolean closed;

        InterceptedStream(Path path, PositionOutputStream stream) {
            this.path = path;
            this.stream = stream;
        }

        @Override
        public long getPos() throws IOException {
            return stream.getPos();
        }

        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes) throws IOException {
            write(bytes, 0, bytes.length);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            interceptor.before(Operation.WRITE, path);
            stream.write(bytes, offset, length);
            interceptor.after(Operation.WRITE, path);
        }

        @Override
        public void flush() throws IOException {
            stream.flush();
        }

        @Override
        public void close() throws IOException {
            if (closed) {
                return;
            }
            closed = true;
            try {
                interceptor.before(Operation.CLOSE, path);
            } finally {
                stream.close();
            }
            interceptor.after(Operation.CLOSE, path);
        }
    }
}
