package dev.paimoninplace.verify;

import dev.paimoninplace.verify.Finding.Severity;

/** Every kind of finding, with what repairs it; docs/errors.md explains each. */
public enum FindingCode {
    NOT_ENABLED(Severity.ERROR, "Run enable_data_evolution: the schema does not have both options"),
    NOT_SEALED(Severity.ERROR, "Run enable_data_evolution: it goes on from here"),
    STRAY_FILE(Severity.ERROR, "Stop or restart the writer, then run enable_data_evolution"),
    PARTIAL_WITHOUT_ROW_ID(
            Severity.ERROR, "Roll back to the snapshot before it came, replay the later appends"),
    IDS_INSIDE_FILE(
            Severity.ERROR, "Roll back to the snapshot before it came, replay the later appends"),
    NO_FULL_ROW_FILE(
            Severity.ERROR, "Roll back to the snapshot before it went, replay the later appends"),
    PARTIAL_RANGE_MISMATCH(
            Severity.ERROR, "Roll back to the snapshot before it came, replay the later appends"),
    ROW_ID_OVERLAP(
            Severity.ERROR, "Roll back to the snapshot before they came, replay the later appends"),
    ROW_ID_REPEATED(
            Severity.ERROR, "Roll back to the snapshot before they came, replay the later appends"),
    ROW_ID_BEYOND_NEXT(Severity.ERROR, "Run enable_data_evolution: it raises the next row id"),
    NEXT_ROW_ID_MISSING(
            Severity.ERROR, "Stop writers of Paimon 1.2 and older, then run enable_data_evolution"),
    NEXT_ROW_ID_FALLEN(
            Severity.WARNING,
            "Nothing while no older snapshot is rolled back to; ids of rows that are gone are used"
                    + " again"),
    HIDDEN_UPDATE(Severity.ERROR, "Write the columns again: readers take them from the older file"),
    SEQUENCE_OUT_OF_RANGE(
            Severity.WARNING, "Do not update its columns: the update may stay invisible"),
    DELETION_VECTOR_WITHOUT_ANCHOR(
            Severity.ERROR, "Roll back to the snapshot before its file went, delete again"),
    MANIFEST_RANGE_MISSING(
            Severity.WARNING, "Nothing: readers look into the manifest, which takes longer"),
    MANIFEST_RANGE_WRONG(Severity.ERROR, "Run sys.compact_manifest"),
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
