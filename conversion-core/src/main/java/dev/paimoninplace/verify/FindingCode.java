package dev.paimoninplace.verify;

import dev.paimoninplace.verify.Finding.Severity;

/** Every kind of finding, with what repairs it; docs/errors.md explains each. */
public enum FindingCode {
    NOT_ENABLED(Severity.ERROR, "Run enable_data_evolution: the schema does not have both options"),
    NOT_SEALED(Severity.ERROR, "Run repair_data_evolution: it goes on from here"),
    STRAY_FILE(Severity.ERROR, "Stop or restart the writer, then run repair_data_evolution"),
    PARTIAL_WITHOUT_ROW_ID(Severity.ERROR, Text.ROLL_BACK),
    UPDATES_AS_ROWS(Severity.ERROR, Text.ROLL_BACK),
    IDS_INSIDE_FILE(
            Severity.ERROR,
            "Run repair_data_evolution: it gives the ids back where that can be done"),
    NO_FULL_ROW_FILE(Severity.ERROR, Text.ROLL_BACK),
    PARTIAL_RANGE_MISMATCH(Severity.ERROR, Text.ROLL_BACK),
    ROW_ID_OVERLAP(Severity.ERROR, Text.ROLL_BACK),
    ROW_ID_REPEATED(Severity.ERROR, Text.ROLL_BACK),
    ROW_ID_BEYOND_NEXT(Severity.ERROR, "Run repair_data_evolution: it raises the next row id"),
    NEXT_ROW_ID_MISSING(
            Severity.ERROR, "Stop writers of Paimon 1.2 and older, then run repair_data_evolution"),
    NEXT_ROW_ID_FALLEN(
            Severity.WARNING,
            "Run repair_data_evolution: it raises the next row id, so that ids of rows that are gone"
                    + " are not used again"),
    HIDDEN_UPDATE(Severity.ERROR, "Run repair_data_evolution: it says which columns come to light"),
    SEQUENCE_OUT_OF_RANGE(
            Severity.WARNING, "Run repair_data_evolution before its columns are updated"),
    DELETION_VECTOR_WITHOUT_ANCHOR(Severity.ERROR, Text.ROLL_BACK),
    MANIFEST_RANGE_MISSING(
            Severity.WARNING, "Run repair_data_evolution; until then reads by row id take longer"),
    MANIFEST_RANGE_WRONG(Severity.ERROR, "Run repair_data_evolution"),
    OLD_WRITER_COMMIT(Severity.WARNING, "Upgrade or stop that writer: its commits destroy row ids"),
    ICEBERG_METADATA(
            Severity.WARNING, "Reset metadata.iceberg.storage: its callback fails after updates"),
    TAG_NOT_READABLE(
            Severity.WARNING, "Create a branch from the tag for readers of the stock catalog"),
    BRANCH_NOT_ENABLED(Severity.WARNING, "Do not fast-forward it; convert it as table$branch_name"),
    CONSUMER_BEFORE(Severity.WARNING, "Reset the consumer to a snapshot after the conversion"),
    PARQUET_ENCODING(
            Severity.WARNING,
            "Do not read it by _ROW_ID with Paimon 2.0.0; rewrite it by compaction"),
    FILE_MISSING(Severity.ERROR, "Restore the file from a backup or remove_unexisting_files"),
    FILE_SIZE_WRONG(Severity.ERROR, "Restore the file from a backup"),
    FILE_UNREADABLE(
            Severity.ERROR, "Verify again; if it still fails, restore the file from a backup"),
    ROW_COUNT_WRONG(Severity.ERROR, "Restore the file from a backup"),
    ROW_ID_WRONG(Severity.ERROR, "Report it with the file: no known operation does this");

    private static final class Text {

        private static final String ROLL_BACK =
                "Run repair_data_evolution with roll_back and dry_run: it says what would be lost";
    }

    private final Severity severity;
    private final String repair;

    FindingCode(Severity severity, String repair) {
        this.severity = severity;
        this.repair = repair;
    }

    public Severity severity() {
        return severity;
    }

    /** What to do about it, one sentence without a full stop. */
    public String repair() {
        return repair;
    }
}
