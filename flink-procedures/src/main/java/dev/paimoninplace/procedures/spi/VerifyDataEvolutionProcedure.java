package dev.paimoninplace.procedures.spi;

import dev.paimoninplace.procedures.VerifyDataEvolution;
import org.apache.flink.table.annotation.ArgumentHint;
import org.apache.flink.table.annotation.DataTypeHint;
import org.apache.flink.table.annotation.ProcedureHint;
import org.apache.flink.table.procedure.ProcedureContext;
import org.apache.flink.types.Row;
import org.apache.paimon.flink.procedure.ProcedureBase;
import org.jspecify.annotations.Nullable;

/**
 * {@code CALL sys.verify_data_evolution('db.t')}, with the optional argument {@code level}. Returns
 * a row for each finding, or one with code {@code CLEAN}.
 */
public final class VerifyDataEvolutionProcedure extends ProcedureBase {

    private static final String IDENTIFIER = "verify_data_evolution";

    @Override
    public String identifier() {
        return IDENTIFIER;
    }

    @ProcedureHint(
            argument = {
                @ArgumentHint(name = "table", type = @DataTypeHint("STRING")),
                @ArgumentHint(name = "level", type = @DataTypeHint("STRING"), isOptional = true)
            },
            output =
                    @DataTypeHint(
                            "ROW<`code` STRING, `severity` STRING, `file` STRING,"
                                    + " `partition` STRING, `snapshot` BIGINT,"
                                    + " `commit_user` STRING, `commit_time` TIMESTAMP_LTZ(3),"
                                    + " `detail` STRING, `repair` STRING>"))
    public Row[] call(ProcedureContext context, String table, @Nullable String level) {
        try {
            return VerifyDataEvolution.call(catalog, table, level);
        } catch (LinkageError e) {
            throw Linkage.failure(IDENTIFIER, e);
        }
    }
}
