package dev.paimoninplace.guard;

import org.apache.paimon.options.ConfigOption;
import org.apache.paimon.options.ConfigOptions;

/** Options of the guarded sink, for a hint of the one statement that needs them. */
final class GuardedOptions {

    /** Operator id of the committer in a savepoint of Paimon's own sink, 32 hexadecimal digits. */
    static final ConfigOption<String> COMMITTER_OPERATOR_ID =
            ConfigOptions.key("guarded.committer-operator-id").stringType().noDefaultValue();

    /** The same for the writer, which has state only when commits run on the JobManager. */
    static final ConfigOption<String> WRITER_OPERATOR_ID =
            ConfigOptions.key("guarded.writer-operator-id").stringType().noDefaultValue();

    /**
     * User of the commits until a savepoint of this sink knows it. Flink gives the state of a
     * JobManager's commits back by the operator's own id only, so that user must be told.
     */
    static final ConfigOption<String> COMMIT_USER =
            ConfigOptions.key("guarded.commit-user").stringType().noDefaultValue();

    private GuardedOptions() {}
}
