package dev.paimoninplace.procedures.spi;

/** Words for a class path on which this project cannot run. */
final class Linkage {

    private Linkage() {}

    static IllegalStateException failure(String action, LinkageError error) {
        String fact =
                error instanceof UnsupportedClassVersionError
                        ? "it needs Java 17, and Flink runs on Java "
                                + System.getProperty("java.specification.version")
                                + ". Run Flink on Java 17, or use the command line on a Java 17"
                                + " of its own."
                        : "the class path does not hold what it needs ("
                                + error
                                + "). Use Flink 2.0 with the jar of Paimon 2.0 for it, once, and"
                                + " this bundle beside it in lib.";
        // Flink's SQL client prints the innermost cause only, so the error is not the cause.
        IllegalStateException failure =
                new IllegalStateException("Cannot run " + action + ": " + fact);
        failure.addSuppressed(error);
        return failure;
    }
}
