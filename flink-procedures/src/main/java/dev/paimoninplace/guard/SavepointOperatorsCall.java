package dev.paimoninplace.guard;

import java.io.IOException;
import org.apache.flink.types.Row;

/** {@code CALL sys.savepoint_operators}, callable from classes for Java 11. */
public final class SavepointOperatorsCall {

    private SavepointOperatorsCall() {}

    /**
     * @param location folder of the savepoint, or its file {@code _metadata}
     * @return a row for each operator: role, operator id, operator name, commit user
     * @throws IllegalArgumentException if there is no savepoint
     */
    public static Row[] call(String location) {
        try {
            return SavepointOperators.read(location).stream()
                    .map(
                            operator ->
                                    Row.of(
                                            operator.role(),
                                            operator.id(),
                                            operator.name(),
                                            operator.commitUser()))
                    .toArray(Row[]::new);
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "Cannot read the savepoint "
                            + location
                            + ": "
                            + e.getMessage()
                            + ". Name its folder, the one with the file _metadata in it.",
                    e);
        }
    }
}
