package dev.paimoninplace.plan;

import java.util.HashMap;
import java.util.Map;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.schema.TableSchema;

/** The schema that makes a table Data Evolution: the latest one with exactly two options more. */
public final class CandidateSchema {

    private CandidateSchema() {}

    /**
     * The next schema.
     *
     * @param latest latest schema as stored; its fields, keys, comment and other options are kept
     */
    public static TableSchema of(TableSchema latest) {
        Map<String, String> options = new HashMap<>(latest.options());
        options.put(CoreOptions.ROW_TRACKING_ENABLED.key(), "true");
        options.put(CoreOptions.DATA_EVOLUTION_ENABLED.key(), "true");
        return new TableSchema(
                latest.id() + 1,
                latest.fields(),
                latest.highestFieldId(),
                latest.partitionKeys(),
                latest.primaryKeys(),
                options,
                latest.comment());
    }
}
