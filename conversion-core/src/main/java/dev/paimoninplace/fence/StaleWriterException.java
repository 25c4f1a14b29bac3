package dev.paimoninplace.fence;

import java.util.Optional;
import java.util.OptionalLong;

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
        String conversion =
                convertingSnapshotId
                        .map(id -> "snapshot " + id + " made the table track rows")
                        .orElse("the table tracks rows");
        return new StaleWriterException(
                table,
                convertingSnapshotId.orElse(0L),
                file,
                conversion + ", and file " + file + " " + flaw);
    }

    /** The first retained snapshot of the conversion; empty when it is not known. */
    public OptionalLong convertingSnapshotId() {
        return convertingSnapshotId == 0
                ? OptionalLong.empty()
                : OptionalLong.of(convertingSnapshotId);
    }

    /** Name of one of the files that were refused. */
    public String file() {
        return file;
    }
}
