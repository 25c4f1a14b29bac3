package dev.paimoninplace.procedures.spi;

import dev.paimoninplace.guard.SavepointOperatorsCall;
import org.apache.flink.table.annotation.ArgumentHint;
import org.apache.flink.table.annotation.DataTypeHint;
import org.apache.flink.table.annotation.ProcedureHint;
import org.apache.flink.table.procedure.ProcedureContext;
import org.apache.flink.types.Row;
import org.apache.paimon.flink.procedure.ProcedureBase;

/**
 * {@code CALL sys.savepoint_operators('path')}: the operators of Paimon sinks in a savepoint. Needs
 * no table.
 */
public final class SavepointOperatorsProcedure extends ProcedureBase {

    private static final String IDENTIFIER = "savepoint_operators";

    @Override
    public String identifier() {
        return IDENTIFIER;
    }

    @ProcedureHint(
            argument = @ArgumentHint(name = "savepoint", type = @DataTypeHint("STRING")),
            output =
                    @DataTypeHint(
                            "ROW<role STRING, operator_id STRING, operator_name STRING,"
                                    + " commit_user STRING>"))
    public Row[] call(ProcedureContext context, String savepoint) {
        try {
            return SavepointOperatorsCall.call(savepoint);
        } catch (LinkageError e) {
            throw Linkage.failure(IDENTIFIER, e);
        }
    }
}
