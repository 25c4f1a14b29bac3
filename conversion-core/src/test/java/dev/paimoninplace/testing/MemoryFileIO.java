package dev.paimoninplace.testing;

import dev.paimoninplace.testing.InterceptedFileIO.Interceptor;
import dev.paimoninplace.testing.InterceptedFileIO.Operation;
import java.io.ByteArrayOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import org.apache.paimon.catalog.CatalogContext;
import org.apache.paimon.fs.ByteArraySeekableStream;
import org.apache.paimon.fs.FileIO;
import org.apache.paimon.fs.FileStatus;
import org.apache.paimon.fs.Path;
import org.apache.paimon.fs.PositionOutputStream;
import org.apache.paimon.fs.SeekableInputStream;

/**
 * A file system in memory with somebody looking on. It is copied and thrown away at no cost. Each
 * operation is atomic; a file is there when its stream is closed.
 */
public final class MemoryFileIO implements FileIO {

    private static final long serialVersionUID = 1L;

    /** All files by path, and all folders with a slash behind. */
    public static final class Store {

        private final NavigableMap<String, byte[]> files = new TreeMap<>();
        private final Set<String> lost;

        public Store() {
            this(Set.of());
        }

        private Store(Set<String> lost) {
            this.lost = lost;
        }

        /** One that loses Paimon's hints at the newest and the oldest snapshot. */
        public static Store withoutHints() {
            return new Store(Set.of("LATEST", "EARLIEST"));
        }

        public synchronized Store copy() {
            Store copy = new Store(lost);
            copy.files.putAll(files);
            return copy;
        }

        private synchronized boolean contains(String path) {
            return files.containsKey(path) || files.containsKey(path + "/");
        }

        /** Paths right below a folder, in order; folders with a slash behind. */
        private synchronized List<String> children(String folder) {
            String prefix = folder + "/";
            List<String> children = new ArrayList<>();
            for (String path : files.tailMap(prefix, false).keySet()) {
                if (!path.startsWith(prefix)) {
                    break;
                }
                int slash = path.indexOf('/', prefix.length());
                if (slash < 0 || slash == path.length() - 1) {
                    children.add(path);
                }
            }
            return children;
        }

        private synchronized void put(String path, byte[] content) {
            makeFolder(parent(path));
            if (!lost.contains(path.substring(path.lastIndexOf('/') + 1))) {
                files.put(path, content);
            }
        }

        private synchronized void makeFolder(String path) {
            for (String folder = path; !folder.isEmpty(); folder = parent(folder)) {
                files.put(folder + "/", new byte[0]);
            }
        }

        private synchronized boolean rename(String source, String target) {
            byte[] content = files.get(source);
            if (content == null || contains(target)) {
                return false;
            }
            files.remove(source);
            put(target, content);
            return true;
        }

        private synchronized boolean remove(String path) {
            boolean found = contains(path);
            files.keySet().removeIf(p -> p.equals(path) || p.startsWith(path + "/"));
            return found;
        }

        private synchronized byte[] read(String path) throws FileNotFoundException {
            byte[] content = files.get(path);
            if (content == null) {
                throw new FileNotFoundException(path);
            }
            return content;
        }

        private static String parent(String path) {
            return path.substring(0, Math.max(0, path.lastIndexOf('/')));
        }
    }

    private final transient Store store;
    private final transient Interceptor interceptor;

    public MemoryFileIO(Store store, Interceptor interceptor) {
        this.store = store;
        this.interceptor = interceptor;
    }

    private static String key(Path path) {
        return path.toUri().getPath();
    }

    @Override
    public boolean isObjectStore() {
        return false;
    }

    @Override
    public void configure(CatalogContext context) {}

    @Override
    public SeekableInputStream newInputStream(Path path) throws IOException {
        interceptor.before(Operation.OPEN, path);
        return new ByteArraySeekableStream(store.read(key(path)));
    }

    @Override
    public PositionOutputStream newOutputStream(Path path, boolean overwrite) throws IOException {
        interceptor.before(Operation.CREATE, path);
        if (!overwrite && store.contains(key(path))) {
            throw new IOException(path + " exists.");
        }
        return new MemoryStream(key(path));
    }

    @Override
    public FileStatus getFileStatus(Path path) throws IOException {
        interceptor.before(Operation.STATUS, path);
        return status(key(path));
    }

    private FileStatus status(String path) throws FileNotFoundException {
        if (path.endsWith("/") || store.contains(path + "/")) {
            return new Status(new Path(path), 0, true);
        }
        return new Status(new Path(path), store.read(path).length, false);
    }

    @Override
    public FileStatus[] listStatus(Path path) throws IOException {
        interceptor.before(Operation.LIST, path);
        List<FileStatus> statuses = new ArrayList<>();
        for (String child : store.children(key(path))) {
            statuses.add(status(child));
        }
        return statuses.toArray(new FileStatus[0]);
    }

    @Override
    public boolean exists(Path path) throws IOException {
        interceptor.before(Operation.EXISTS, path);
        return store.contains(key(path));
    }

    @Override
    public boolean delete(Path path, boolean recursive) throws IOException {
        interceptor.before(Operation.DELETE, path);
        return store.remove(key(path));
    }

    @Override
    public boolean mkdirs(Path path) throws IOException {
        interceptor.before(Operation.MKDIRS, path);
        store.makeFolder(key(path));
        return true;
    }

    @Override
    public boolean rename(Path source, Path target) throws IOException {
        interceptor.before(Operation.RENAME, target);
        return store.rename(key(source), key(target));
    }

    private record Status(Path getPath, long getLen, boolean isDir) implements FileStatus {

        @Override
        public long getModificationTime() {
            return 0;
        }
    }

    private final class MemoryStream extends PositionOutputStream {

        private final String path;
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        MemoryStream(String path) {
            this.path = path;
        }

        @Override
        public long getPos() {
            return bytes.size();
        }

        @Override
        public void write(int b) {
            bytes.write(b);
        }

        @Override
        public void write(byte[] buffer) {
            bytes.writeBytes(buffer);
        }

        @Override
        public void write(byte[] buffer, int offset, int length) {
            bytes.write(buffer, offset, length);
        }

        @Override
        public void flush() {}

        @Override
        public void close() {
            store.put(path, bytes.toByteArray());
        }
    }
}
