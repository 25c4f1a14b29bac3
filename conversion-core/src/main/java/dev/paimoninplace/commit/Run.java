package dev.paimoninplace.commit;

import dev.paimoninplace.conversion.Check;
import dev.paimoninplace.conversion.CommittedSteps;
import dev.paimoninplace.conversion.ConversionException;
import dev.paimoninplace.conversion.ConversionOptions;
import dev.paimoninplace.conversion.ErrorKind;
import dev.paimoninplace.conversion.Goal;
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

    private final Goal goal;
    private final String table;
    private final String id = UUID.randomUUID().toString();
    private final ConversionOptions options;
    private final ProgressListener progress;
    private final List<Long> snapshotIds = new ArrayList<>();
    private final List<Long> schemaIds = new ArrayList<>();

    /**
     * A conversion.
     *
     * @param table name of the table, for messages
     */
    public Run(String table, ConversionOptions options, ProgressListener progress) {
        this(Goal.CONVERT, table, options, progress);
    }

    /**
     * @param table name of the table, for messages
     */
    public Run(Goal goal, String table, ConversionOptions options, ProgressListener progress) {
        this.goal = goal;
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
        return goal.commitUserPrefix() + id;
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
     * @throws ConversionException refused, with every failed check
     */
    public void requirePassed(List<Check> checks) {
        List<Check> failed =
                checks.stream().filter(c -> c.outcome() == Check.Outcome.FAILED).toList();
        if (!failed.isEmpty()) {
            throw ConversionException.refused(goal, table, failed, committed());
        }
    }

    /** The write of a snapshot neither surely landed nor surely failed. */
    ConversionException snapshotUnknown(long snapshotId, Throwable cause) {
        return failure(
                ErrorKind.OUTCOME_UNKNOWN,
                "SNAPSHOT_UNKNOWN",
                "the write of snapshot " + snapshotId + " failed and may still land",
                "Run again: it goes on from what it finds",
                cause);
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
                String.format(
                        "Cannot %s %s: %s. %s %s.",
                        goal.verb(), table, fact, committed.text(), next);
        return new ConversionException(kind, code, message, committed, cause);
    }
}
