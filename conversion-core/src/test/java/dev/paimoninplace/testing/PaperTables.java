package dev.paimoninplace.testing;

import dev.paimoninplace.plan.TableView;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.paimon.Snapshot;
import org.apache.paimon.schema.TableSchema;
import org.apache.paimon.types.DataField;
import org.apache.paimon.types.DataTypes;
import org.jspecify.annotations.Nullable;

/** Snapshots and views of tables that exist on paper only. */
public final class PaperTables {

    /** Time of every snapshot, epoch milliseconds. */
    public static final long TIME_MILLIS = 1_700_000_000_000L;

    public static final String COMMIT_USER = "a-job";

    private PaperTables() {}

    /** A snapshot with 1000 rows. */
    public static Snapshot snapshot(long id, @Nullable Long nextRowId) {
        return Snapshot.fromJson(
                """
                {"version": 3, "id": %d, "schemaId": 0, "baseManifestList": "base",
                 "deltaManifestList": "delta", "commitUser": "%s", "commitIdentifier": 1,
                 "commitKind": "APPEND", "timeMillis": %d, "totalRecordCount": 1000,
                 "deltaRecordCount": 0%s}
                """
                        .formatted(
                                id,
                                COMMIT_USER,
                                TIME_MILLIS,
                                nextRowId == null ? "" : ", \"nextRowId\": " + nextRowId));
    }

    /** An append table with two columns and the given options. */
    public static TableView view(@Nullable Snapshot snapshot, String... options) {
        Map<String, String> map = new HashMap<>(Map.of("bucket", "-1"));
        for (int i = 0; i < options.length; i += 2) {
            map.put(options[i], options[i + 1]);
        }
        TableSchema schema =
                new TableSchema(
                        0,
                        List.of(
                                new DataField(0, "id", DataTypes.INT()),
                                new DataField(1, "v", DataTypes.BIGINT())),
                        1,
                        List.of(),
                        List.of(),
                        map,
                        "");
        return new TableView(schema, Optional.ofNullable(snapshot), List.of());
    }
}
