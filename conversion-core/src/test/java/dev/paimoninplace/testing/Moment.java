package dev.paimoninplace.testing;

import dev.paimoninplace.testing.InterceptedFileIO.Interceptor;
import dev.paimoninplace.testing.InterceptedFileIO.Operation;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiPredicate;
import org.apache.paimon.fs.Path;

/** A kind of file system operation at which a test does something else. */
public final class Moment {

    /** What a test does; may fail the operation. */
    public interface Action {

        /**
         * @param time how often the moment came, from 1
         */
        void at(int time) throws IOException;
    }

    private final BiPredicate<Operation, Path> operation;

    private Moment(BiPredicate<Operation, Path> operation) {
        this.operation = operation;
    }

    /** A snapshot becomes the newest one. */
    public static Moment snapshotWrite() {
        return new Moment(
                (operation, path) ->
                        operation == Operation.RENAME && path.getName().startsWith("snapshot-"));
    }

    /** A schema becomes the latest one. */
    public static Moment schemaWrite() {
        return new Moment(
                (operation, path) ->
                        operation == Operation.RENAME && path.getName().startsWith("schema-"));
    }

    /** A manifest, not a manifest list, is opened. */
    public static Moment manifestRead() {
        return new Moment((operation, path) -> operation == Operation.OPEN && isDataManifest(path));
    }

    /** A manifest, not a manifest list, is created. */
    public static Moment manifestWrite() {
        return new Moment(
                (operation, path) -> operation == Operation.CREATE && isDataManifest(path));
    }

    private static boolean isDataManifest(Path path) {
        return path.getName().startsWith("manifest-")
                && !path.getName().startsWith("manifest-list-");
    }

    /** Acts before each operation of this kind. */
    public Interceptor before(Action action) {
        AtomicInteger times = new AtomicInteger();
        return new Interceptor() {
            @Override
            public void before(Operation done, Path path) throws IOException {
                if (operation.test(done, path)) {
                    action.at(times.incrementAndGet());
                }
            }
        };
    }

    /** Acts after each operation of this kind. */
    public Interceptor after(Action action) {
        AtomicInteger times = new AtomicInteger();
        return new Interceptor() {
            @Override
            public void after(Operation done, Path path) throws IOException {
                if (operation.test(done, path)) {
                    action.at(times.incrementAndGet());
                }
            }
        };
    }
}
