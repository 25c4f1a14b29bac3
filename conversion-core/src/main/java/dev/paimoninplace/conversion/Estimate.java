package dev.paimoninplace.conversion;

/**
 * How long a conversion will take, judged by the dry run of it.
 *
 * @param elapsedMillis expected duration in milliseconds, without waiting for other writers
 * @param bytesPerSecond rate that this assumes: bytes of manifests read and written per second, as
 *     in the dry run
 */
public record Estimate(long elapsedMillis, long bytesPerSecond) {

    /**
     * The duration of a piece of work at the rate of another.
     *
     * @param bytesDone bytes of manifests that were read and written
     * @param millis time that this took
     * @param bytesToDo bytes of manifests that are to be read and written
     */
    static Estimate of(long bytesDone, long millis, long bytesToDo) {
        double bytesPerMilli = Math.max(1.0, bytesDone) / Math.max(1.0, millis);
        long elapsed = Math.max(1L, Math.round(bytesToDo / bytesPerMilli));
        return new Estimate(elapsed, Math.round(bytesPerMilli * 1_000.0));
    }

    @Override
    public String toString() {
        return String.format(
                "about %,d ms at %,d bytes of manifests per second, as in this dry run",
                elapsedMillis, bytesPerSecond);
    }
}
