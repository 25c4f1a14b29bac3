package dev.paimoninplace.testing;

import dev.paimoninplace.testing.InterceptedFileIO.Interceptor;
import dev.paimoninplace.testing.InterceptedFileIO.Kind;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntConsumer;
import org.apache.paimon.catalog.CatalogLock;
import org.apache.paimon.catalog.CatalogLockContext;
import org.apache.paimon.catalog.CatalogLockFactory;
import org.apache.paimon.catalog.FileSystemCatalog;

/**
 * A filesystem catalog over an object store, where a rename replaces what is there, with a lock
 * that is shared by all catalogs made from one lock and that is not re-entrant.
 */
public final class LockedObjectStore extends FileSystemCatalog {

    private final transient Optional<CatalogLockFactory> lockFactory;

    private LockedObjectStore(
            Path warehouse, Interceptor interceptor, Optional<CatalogLockFactory> lockFactory) {
        super(
                new InterceptedFileIO(interceptor, Kind.OBJECT_STORE),
                new org.apache.paimon.fs.Path(warehouse.toUri()));
        this.lockFactory = lockFactory;
    }

    public static LockedObjectStore withoutLock(Path warehouse) {
        return new LockedObjectStore(warehouse, new Interceptor() {}, Optional.empty());
    }

    /**
     * @param lock the lock of every table
     * @param beforeLocking is told how often this catalog asks for the lock, from 1, before it does
     */
    public static LockedObjectStore withLock(
            Path warehouse, ReentrantLock lock, IntConsumer beforeLocking) {
        return new LockedObjectStore(
                warehouse, new Interceptor() {}, Optional.of(new Factory(lock, beforeLocking)));
    }

    @Override
    public Optional<CatalogLockFactory> lockFactory() {
        return lockFactory;
    }

    private record Factory(ReentrantLock lock, IntConsumer beforeLocking, AtomicInteger times)
            implements CatalogLockFactory {

        Factory(ReentrantLock lock, IntConsumer beforeLocking) {
            this(lock, beforeLocking, new AtomicInteger());
        }

        @Override
        public String identifier() {
            return "test";
        }

        @Override
        public CatalogLock createLock(CatalogLockContext context) {
            return new CatalogLock() {
                @Override
                public <T> T runWithLock(String database, String table, Callable<T> callable)
                        throws Exception {
                    beforeLocking.accept(times.incrementAndGet());
                    if (lock.isHeldByCurrentThread()) {
                        throw new IllegalStateException("The lock is not re-entrant.");
                    }
                    lock.lock();
                    try {
                        return callable.call();
                    } finally {
                        lock.unlock();
                    }
                }

                @Override
                public void close() {}
            };
        }
    }
}
