package dev.paimoninplace.conversion;

import java.io.Serializable;
import java.util.List;

/**
 * What a run had committed to the table by a given moment, in commit order.
 *
 * @param snapshotIds snapshots that this run committed, ascending
 * @param schemaIds schemas that this run committed, ascending; at most one
 */
public record CommittedSteps(List<Long> snapshotIds, List<Long> schemaIds) implements Serializable {

    public static final CommittedSteps NONE = new CommittedSteps(List.of(), List.of());

    public CommittedSteps {
        snapshotIds = List.copyOf(snapshotIds);
        schemaIds = List.copyOf(schemaIds);
    }

    public boolean isEmpty() {
        return snapshotIds.isEmpty() && schemaIds.isEmpty();
    }

    /** One sentence for people, for example {@code Committed so far: snapshot 3, schema 1.} */
    public String text() {
        if (isEmpty()) {
            return "Nothing was committed.";
        }
        StringBuilder text = new StringBuilder("Committed so far:");
        String separator = " ";
        for (long id : snapshotIds) {
            text.append(separator).append("snapshot ").append(id);
            separator = ", ";
        }
        for (long id : schemaIds) {
            text.append(separator).append("schema ").append(id);
            separator = ", ";
        }
        return text.append('.').toString();
    }
}
