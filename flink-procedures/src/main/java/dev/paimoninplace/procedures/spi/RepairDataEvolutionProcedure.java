package dev.paimoninplace.procedures.spi;

import dev.paimoninplace.procedures.RepairDataEvolution;
import org.apache.flink.table.annotation.ArgumentHint;
import org.apache.flink.table.annotation.DataTypeHint;
import org.apache.flink.table.annotation.ProcedureHint;
import org.apache.flink.table.procedure.ProcedureContext;
import org.apache.paimon.flink.procedure.ProcedureBase;
import org.jspecify.annotations.Nullable;

/**
 * {@code CALL sys.repair_data_evolution('db.t')}, with the optional arguments {@code dry_run},
 * {@code roll_back}, {@code renumber}, {@code old_writers_stopped} and {@code level}. Returns the
 * result line, then a row for each commit that is lost, each warning and what is left.
 */
public final class RepairDataEvolutionProcedure extends ProcedureBase {

    private static final String IDENTIFIER = "repair_data_evolution";

    @Override
    public String identifier() {
        return IDENTIFIER;
    }

    @ProcedureHint(
            argument = {
                @ArgumentHint(name = "table", type = @DataTypeHint("STRING")),
                @ArgumentHint(name = "dry_run", type = @DataTypeHint("BOOLEAN"), isOptional = true),
                @ArgumentHint(
                        name = "roll_back",
                        type = @DataTypeHint("BOOLEAN"),
                        isOptional = true),
                @ArgumentHint(
                        name = "renumber",
                        type = @DataTypeHint("BOOLEAN"),
                        isOptional = true),
                @ArgumentHint(
                        name = "old_writers_stopped",
                        type = @DataTypeHint("BOOLEAN"),
                        isOptional = true),
                @ArgumentHint(name = "level", type = @DataTypeHint("STRING"), isOptional = true)
            })
    public String[] call(
            ProcedureContext context,
            String table,
            @Nullable Boolean dryRun,
            @Nullable Boolean rollBack,
            @Nullable Boolean renumber,
            @Nullable Boolean oldWritersStopped,
            @Nullable String level) {
        try {
            return RepairDataEvolution.call(
                    catalog, table, dryRun, rollBack, renumber, oldWritersStopped, level);
        } catch (LinkageError e) {
            throw Linkage.failure(IDENTIFIER, e);
        }
    }
}
