package dev.paimoninplace.guard;

import java.io.Serializable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.flink.FlinkConnectorOptions;
import org.apache.paimon.options.Options;
import org.apache.paimon.schema.SchemaValidation;
import org.apache.paimon.schema.TableSchema;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.types.DataField;

/**
 * The table of a sink as it was when the job was planned, which is what Flink restarts a job with,
 * however long ago that was.
 */
final class PlannedTable implements Serializable {

    private static final long serialVersionUID = 1L;

    private final FileStoreTable planned;

    PlannedTable(FileStoreTable planned) {
        this.planned = planned;
    }

    /** The name of the table with its database, for people and for operator ids. */
    String name() {
        return planned.fullName();
    }

    /**
     * The table that a writer or committer must open now: as planned, unless the table was
     * converted since. Reads the latest schema.
     *
     * @throws SuppressRestartsException if a converted table cannot be written to by this plan
     */
    FileStoreTable current() {
        Optional<TableSchema> conversion = conversion(planned);
        if (conversion.isEmpty()) {
            return planned;
        }
        TableSchema latest = conversion.get();
        checkPlanFits(latest);
        // What the job was planned with wins, since it may come from a hint, but for the options
        // of the conversion: a table can say 'row-tracking.enabled' = 'false' in so many words.
        Map<String, String> options = new HashMap<>(latest.options());
        options.putAll(planned.schema().options());
        options.put(CoreOptions.ROW_TRACKING_ENABLED.key(), "true");
        options.put(CoreOptions.DATA_EVOLUTION_ENABLED.key(), "true");
        TableSchema schema = latest.copy(options);
        SchemaValidation.validateTableSchema(schema);
        return planned.copy(schema);
    }

    /** Whether the table is one with data evolution now. */
    boolean evolves() {
        return planned.coreOptions().dataEvolutionEnabled() || wasConverted();
    }

    /** Whether the table was converted after the job was planned. */
    boolean wasConverted() {
        return conversion(planned).isPresent();
    }

    /**
     * The latest schema of a table if that is a Data Evolution table and the given view of it is
     * not; empty otherwise.
     */
    static Optional<TableSchema> conversion(FileStoreTable view) {
        if (view.coreOptions().dataEvolutionEnabled()) {
            return Optional.empty();
        }
        return view.schemaManager()
                .latest()
                .filter(latest -> new CoreOptions(latest.options()).dataEvolutionEnabled());
    }

    private void checkPlanFits(TableSchema latest) {
        if (!sameColumns(planned.schema().fields(), latest.fields())) {
            throw unfit(
                    "its columns are "
                            + latest.fieldNames()
                            + " with the types of schema "
                            + latest.id()
                            + ", and the job was planned with "
                            + planned.schema().fieldNames()
                            + " of schema "
                            + planned.schema().id());
        }
        if (Options.fromMap(planned.options()).get(FlinkConnectorOptions.PRECOMMIT_COMPACT)) {
            throw unfit(
                    "the job compacts before it commits ("
                            + FlinkConnectorOptions.PRECOMMIT_COMPACT.key()
                            + "), which a table with data evolution does not allow");
        }
    }

    private SuppressRestartsException unfit(String fact) {
        return new SuppressRestartsException(
                new IllegalStateException(
                        "Cannot go on writing to "
                                + name()
                                + ": the table was converted to data evolution, and "
                                + fact
                                + ". Submit the job again from its last checkpoint or savepoint;"
                                + " nothing is lost."));
    }

    private static boolean sameColumns(List<DataField> planned, List<DataField> latest) {
        if (planned.size() != latest.size()) {
            return false;
        }
        for (int i = 0; i < planned.size(); i++) {
            DataField before = planned.get(i);
            DataField now = latest.get(i);
            if (before.id() != now.id()
                    || !before.name().equals(now.name())
                    || !before.type().equals(now.type())) {
                return false;
            }
        }
        return true;
    }
}
