package dev.paimoninplace.fence;

import org.apache.paimon.CoreOptions;
import org.apache.paimon.schema.TableSchema;

/** What a schema promises of the rows of its table, weakest first. */
enum Tracking {
    /** Rows have no ids. */
    NONE,
    /** Rows have ids; a compaction may keep them inside its file. */
    ROWS,
    /** Every file must have its range of row ids in the metadata. */
    EVOLUTION;

    static Tracking of(TableSchema schema) {
        CoreOptions options = new CoreOptions(schema.options());
        if (!options.rowTrackingEnabled()) {
            return NONE;
        }
        return options.dataEvolutionEnabled() ? EVOLUTION : ROWS;
    }
}
