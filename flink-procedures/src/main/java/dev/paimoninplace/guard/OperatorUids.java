package dev.paimoninplace.guard;

import java.util.Set;
import java.util.stream.Collectors;
import org.apache.flink.api.dag.Transformation;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * Operator uids that depend on the name of the table only, so that a savepoint fits whatever became
 * of the table's options.
 */
final class OperatorUids {

    private final StreamExecutionEnvironment environment;
    private final String tableName;

    OperatorUids(StreamExecutionEnvironment environment, String tableName) {
        this.environment = environment;
        this.tableName = tableName;
    }

    /**
     * Gives an operator its uid unless it has one, numbered where the job writes to the table more
     * than once.
     */
    void name(Transformation<?> operator, String role) {
        if (operator.getUid() != null) {
            return;
        }
        Set<String> taken =
                environment.getTransformations().stream()
                        .map(Transformation::getUid)
                        .filter(uid -> uid != null)
                        .collect(Collectors.toSet());
        String uid = "paimon-guarded-" + role + "-" + tableName;
        String free = uid;
        for (int number = 2; taken.contains(free); number++) {
            free = uid + "-" + number;
        }
        operator.setUid(free);
    }
}
