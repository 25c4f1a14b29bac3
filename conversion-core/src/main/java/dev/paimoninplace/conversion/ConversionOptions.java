package dev.paimoninplace.conversion;

/**
 * How a conversion is to be run.
 *
 * @param oldWriters whether writers of Paimon 1.2 and older are known to be stopped
 * @param threads manifests worked on at a time, at least 1; row ids do not depend on it
 * @param maxAttempts how often the row-id commit is tried against other writers, at least 1
 */
public record ConversionOptions(OldWriters oldWriters, int threads, int maxAttempts) {

    /** What the caller knows of writers whose commits drop row ids (Paimon 1.2 and older). */
    public enum OldWriters {
        /** Unknown: a table that such a writer wrote last is refused. */
        UNKNOWN,
        /** The caller vouches that none is left. */
        STOPPED
    }

    public static final ConversionOptions DEFAULTS =
            new ConversionOptions(
                    OldWriters.UNKNOWN, Runtime.getRuntime().availableProcessors(), 50);

    public ConversionOptions {
        if (threads < 1) {
            throw new IllegalArgumentException("threads is " + threads + ", must be at least 1.");
        }
        if (maxAttempts < 1) {
            throw new IllegalArgumentException(
                    "maxAttempts is " + maxAttempts + ", must be at least 1.");
        }
    }

    public ConversionOptions withOldWriters(OldWriters newOldWriters) {
        return new ConversionOptions(newOldWriters, threads, maxAttempts);
    }

    public ConversionOptions withThreads(int newThreads) {
        return new ConversionOptions(oldWriters, newThreads, maxAttempts);
    }

    public ConversionOptions withMaxAttempts(int newMaxAttempts) {
        return new ConversionOptions(oldWriters, threads, newMaxAttempts);
    }
}
