package dev.paimoninplace.commit;

import dev.paimoninplace.conversion.CommittedSteps;
import dev.paimoninplace.conversion.ConversionException;
import dev.paimoninplace.conversion.ConversionOptions;
import dev.paimoninplace.conversion.ErrorKind;
import dev.paimoninplace.conversion.ProgressListener;
import dev.paimoninplace.plan.Parallel;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One run of the command: its identity and what it has committed so far, so that a failure at any
 * moment can say so.
 */
public final class Run {

    private static final String COMMIT_USER_PREFIX = "enable-data-evolution-";

    private final String table;
    private final String id = UUID.randomUUID().toString();
    private final ConversionOptions options;
    private final ProgressListener progress;
    private final List<Long> snapshotIds = new ArrayList<>();
    private final List<Long> schemaIds = new ArrayList<>();

    /**
     * @param table name of the table, for messages
     */
    public Run(String table, ConversionOptions options, ProgressListener progress) {
        this.table = table;
        this.options = options;
        this.progress = progress;
    }

    public String id() {
        return id;
    }

    public String table() {
        return table;
    }

    public ConversionOptions options() {
        return options;
    }

    public ProgressListener progress() {
        return progress;
    }

    public Parallel parallel() {
        return new Parallel(options.threads());
    }

    /** User of every snapshot of this run. */
    public String commitUser() {
        return COMMIT_USER_PREFIX + id;
    }

    public CommittedSteps committed() {
        return new CommittedSteps(snapshotIds, schemaIds);
    }

    void committedSnapshot(long snapshotId) {
        snapshotIds.add(snapshotId);
    }

    void committedSchema(long schemaId) {
        schemaIds.add(schemaId);
    }

    /**
     * A failure of this run.
     *
     * @param fact what happened, with values
     * @param next what to do next
     */
    public ConversionException failure(
            ErrorKind kind, String code, String fact, String next, @Nullable Throwable cause) {
        CommittedSteps committed = committed();
        String message =
                String.format("Cannot convert %s: %s. %s %s.", table, fact, committed.text(), next);
        return new ConversionException(kind, code, message, committed, cause);
    }
}
