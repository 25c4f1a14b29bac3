package dev.paimoninplace.procedures.spi;

import dev.paimoninplace.procedures.EnableDataEvolution;
import org.apache.flink.table.annotation.ArgumentHint;
import org.apache.flink.table.annotation.DataTypeHint;
import org.apache.flink.table.annotation.ProcedureHint;
import org.apache.flink.table.procedure.ProcedureContext;
import org.apache.paimon.flink.procedure.ProcedureBase;
import org.jspecify.annotations.Nullable;

/**
 * {@code CALL sys.enable_data_evolution('db.t')}, with the optional arguments {@code dry_run} and
 * {@code old_writers_stopped}. Returns the result line, then a row for each warning.
 */
public final class EnableDataEvolutionProcedure extends ProcedureBase {

    private static final String IDENTIFIER = "enable_data_evolution";

    @Override
    public String identifier() {
        return IDENTIFIER;
    }

    @ProcedureHint(
            argument = {
                @ArgumentHint(name = "table", type = @DataTypeHint("STRING")),
                @ArgumentHint(name = "dry_run", type = @DataTypeHint("BOOLEAN"), isOptional = true),
                @ArgumentHint(
                        name = "old_writers_stopped",
                        type = @DataTypeHint("BOOLEAN"),
                        isOptional = true)
            })
    public String[] call(
            ProcedureContext context,
            String table,
            @Nullable Boolean dryRun,
            @Nullable Boolean oldWritersStopped) {
        try {
            return EnableDataEvolution.call(catalog, table, dryRun, oldWritersStopped);
        } catch (LinkageError e) {
            throw Linkage.failure(IDENTIFIER, e);
        }
    }
}
