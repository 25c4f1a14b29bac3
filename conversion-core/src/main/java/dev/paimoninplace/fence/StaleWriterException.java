package dev.paimoninplace.fence;

import java.util.Optional;
import java.util.OptionalLong;
import org.apache.paimon.table.FileStoreTable;

/**
 * A commit whose files do not fit the table as it is now, mostly because the writer opened it
 * before its conversion. The table is unchanged; a writer that opens the table anew is accepted.
 */
public final class StaleWriterException extends FenceException {

    private static final long serialVersionUID = 1L;

    private static final String CODE = "STALE_WRITER";

    private static final String NEXT =
            "Nothing of it was committed. Restart the job: it then opens the table as it is now, and"
                    + " a job of the guarded catalog does so by itself. Compact such a table with"
                    + " sys.compact, not with sys.compact_database.";

    private final long convertingSnapshotId;
    private final String file;

    /** Where no retained snapshot tells, 0 stands for the conversion. */
    private StaleWriterException(
            String table, long convertingSnapshotId, String file, String fact) {
        super(CODE, table, "Cannot commit to " + table + ": " + fact + ". " + NEXT);
        this.convertingSnapshotId = convertingSnapshotId;
        this.file = file;
    }

    static StaleWriterException of(
            String table, Optional<Long> convertingSnapshotId, String file, String flaw) {
        return new StaleWriterException(
                table,
                convertingSnapshotId.orElse(0L),
                file,
                conversion(convertingSnapshotId) + ", and file " + file + " " + flaw);
    }

    /**
     * The refusal of a whole commit to a table that was converted, before it is tried.
     *
     * @param table as the writer opened it
     * @param fact what does not fit, as a clause
     */
    public static StaleWriterException converted(FileStoreTable table, String fact) {
        Optional<Long> snapshotId =
                ConversionSearch.evolution(
                        new GuardedBranch(table.fullName(), table.snapshotManager()));
        return new StaleWriterException(
                table.fullName(),
                snapshotId.orElse(0L),
                "",
                conversion(snapshotId) + ", and " + fact);
    }

    private static String conversion(Optional<Long> snapshotId) {
        return snapshotId
                .map(id -> "snapshot " + id + " made the table track rows")
                .orElse("the table tracks rows");
    }

    /** The first retained snapshot of the conversion; empty when it is not known. */
    public OptionalLong convertingSnapshotId() {
        return convertingSnapshotId == 0
                ? OptionalLong.empty()
                : OptionalLong.of(convertingSnapshotId);
    }

    /** Name of one of the files that were refused; empty when the commit was not even tried. */
    public String file() {
        return file;
    }
}
