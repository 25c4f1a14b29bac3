package dev.paimoninplace.verify;

import dev.paimoninplace.conversion.TableState;
import dev.paimoninplace.plan.Inspection;
import dev.paimoninplace.plan.TableHandle;
import dev.paimoninplace.plan.TableView;
import org.apache.paimon.iceberg.IcebergOptions;
import org.apache.paimon.options.Options;

/** Checks the latest schema and the newest snapshot, without a look at their files. */
final class StateCheck {

    private StateCheck() {}

    static TableState check(TableHandle handle, TableView view, Findings findings) {
        if (!view.isDataEvolution()) {
            findings.add(
                    Finding.ofTable(
                            FindingCode.NOT_ENABLED,
                            "schema "
                                    + view.schema().id()
                                    + " does not have row-tracking.enabled and"
                                    + " data-evolution.enabled both true"));
            return view.nextRowId() > 0 ? TableState.IDS : TableState.PLAIN;
        }
        boolean sealed = Inspection.isSealed(handle, view);
        if (!sealed) {
            findings.add(
                    Finding.ofTable(
                            FindingCode.NOT_SEALED,
                            view.snapshot()
                                    .map(
                                            s ->
                                                    "snapshot "
                                                            + s.id()
                                                            + " names schema "
                                                            + s.schemaId())
                                    .orElse("there is no snapshot")));
        }
        if (view.snapshot().isPresent() && view.nextRowId() < 1) {
            findings.add(
                    Finding.ofTable(
                            FindingCode.NEXT_ROW_ID_MISSING,
                            "snapshot " + view.snapshotId() + " has no next row id"));
        }
        Options options = Options.fromMap(view.schema().options());
        var iceberg = options.get(IcebergOptions.METADATA_ICEBERG_STORAGE);
        if (iceberg != IcebergOptions.StorageType.DISABLED) {
            findings.add(
                    Finding.ofTable(
                            FindingCode.ICEBERG_METADATA,
                            "metadata.iceberg.storage is " + iceberg));
        }
        return sealed ? TableState.SEALED : TableState.FLIPPED;
    }
}
