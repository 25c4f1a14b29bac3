package dev.paimoninplace.plan;

import dev.paimoninplace.conversion.Check;
import dev.paimoninplace.conversion.ConversionOptions;
import dev.paimoninplace.conversion.ConversionOptions.OldWriters;
import dev.paimoninplace.plan.FileFindings.Kind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.paimon.Snapshot;

/** Checks of the newest snapshot and of its live files: pure. */
public final class ManifestChecks {

    private static final String ROLL_BACK =
            "Run repair_data_evolution with --roll_back (argument roll_back => true) and --dry_run"
                    + " first: it says what would be lost";

    private ManifestChecks() {}

    /** All of them, in a fixed order. */
    public static List<Check> of(ManifestPlan plan, ConversionOptions options) {
        List<Check> checks = new ArrayList<>();
        checks.add(oldWriters(plan, options));
        checks.add(idsInside(plan));
        checks.add(idMissing(plan));
        checks.add(partialWithoutId(plan));
        checks.add(updatesAsRows(plan));
        checks.add(dedicatedWithoutId(plan));
        checks.add(fullRows(plan));
        checks.add(repeated(plan));
        checks.add(addedTwice(plan));
        checks.add(rowIdSpace(plan));
        checks.add(recordCount(plan));
        return checks;
    }

    private static Check oldWriters(ManifestPlan plan, ConversionOptions options) {
        Snapshot snapshot = plan.view().snapshot().orElse(null);
        if (snapshot == null || snapshot.nextRowId() != null) {
            return Check.passed("OLD_WRITER", "the newest snapshot keeps a next row id");
        }
        String fact =
                String.format(
                        "snapshot %d has no next row id: commit user %s wrote it at %s with Paimon"
                                + " 1.2 or older, whose next commit would destroy row ids and"
                                + " written columns",
                        snapshot.id(),
                        snapshot.commitUser(),
                        Instant.ofEpochMilli(snapshot.timeMillis()));
        if (options.oldWriters() == OldWriters.STOPPED) {
            return Check.warning(
                    "OLD_WRITER", fact, "You said that all such writers are stopped: keep them so");
        }
        return Check.failed(
                "OLD_WRITER",
                fact,
                "Stop or upgrade that writer, then run again with --old_writers_stopped (argument"
                        + " old_writers_stopped => true)");
    }

    private static Check idsInside(ManifestPlan plan) {
        return noFile(
                plan,
                Kind.IDS_INSIDE,
                "IDS_INSIDE_FILES",
                "no data file holds its row ids inside",
                "hold their row ids in a column inside the file, as a compaction of a row-tracking"
                        + " table writes them",
                plan.view().isDataEvolution()
                        ? "Run repair_data_evolution: it gives the ids back where that can be done"
                        : "Copy the table into a new one with data evolution instead");
    }

    private static Check idMissing(ManifestPlan plan) {
        return noFile(
                plan,
                Kind.ID_MISSING,
                "ROW_ID_MISSING",
                "no file of a row-tracking table lacks its row id",
                "have no row id although the table tracks rows",
                "Find the writer that does not know of row tracking and rewrite these files first");
    }

    private static Check partialWithoutId(ManifestPlan plan) {
        return noFile(
                plan,
                Kind.PARTIAL_WITHOUT_ID,
                "PARTIAL_WITHOUT_ROW_ID",
                "no file with some of the columns lacks its row id",
                "hold some of the columns only and have no row id, so the rows that they update are"
                        + " lost",
                ROLL_BACK);
    }

    private static Check updatesAsRows(ManifestPlan plan) {
        return noFile(
                plan,
                Kind.UPDATES_AS_ROWS,
                "UPDATES_AS_ROWS",
                "no compaction took updates for whole rows",
                "were compacted from files with some of the columns, which a plain compaction takes"
                        + " for whole rows",
                ROLL_BACK);
    }

    private static Check dedicatedWithoutId(ManifestPlan plan) {
        return noFile(
                plan,
                Kind.DEDICATED_WITHOUT_ID,
                "BLOB_WITHOUT_ROW_ID",
                "no blob or vector file lacks its row id",
                "are blob or vector files without row id, so the rows that they belong to are lost",
                ROLL_BACK);
    }

    private static Check noFile(
            ManifestPlan plan, Kind kind, String name, String good, String bad, String remedy) {
        Long count = plan.findings().counts().get(kind);
        if (count == null) {
            return Check.passed(name, good);
        }
        return Check.failed(
                name,
                count
                        + " data file(s) "
                        + bad
                        + ", for example "
                        + plan.findings().examples().get(kind),
                remedy);
    }

    /** A warning where no id is to be given any more: the run then makes nothing worse. */
    private static Check fullRows(ManifestPlan plan) {
        boolean isDone = plan.view().isDataEvolution() && plan.idsAreComplete();
        return plan.rowIdWithoutFullRow()
                .map(
                        id ->
                                new Check(
                                        "NO_FULL_ROW_FILE",
                                        isDone ? Check.Outcome.WARNING : Check.Outcome.FAILED,
                                        "row id "
                                                + id
                                                + " has files with some of the columns only; a"
                                                + " stale compaction or overwrite removed the file"
                                                + " with all of them",
                                        ROLL_BACK))
                .orElse(
                        Check.passed(
                                "NO_FULL_ROW_FILE", "every row id has a file with all columns"));
    }

    private static Check repeated(ManifestPlan plan) {
        return plan.repeatedRowId()
                .map(
                        id ->
                                Check.failed(
                                        "ROW_ID_REPEATED",
                                        "row id " + id + " belongs to two files",
                                        "Copy the table into a new one instead"))
                .orElse(Check.passed("ROW_ID_REPEATED", "no row id belongs to two files"));
    }

    private static Check addedTwice(ManifestPlan plan) {
        if (plan.addedTwice() == 0) {
            return Check.passed("FILE_ADDED_TWICE", "no data file was added twice");
        }
        return Check.failed(
                "FILE_ADDED_TWICE",
                plan.addedTwice()
                        + " data file(s) were added again after they were deleted, so the manifests"
                        + " do not say whether they are live",
                "Run sys.compact_manifest and try again");
    }

    private static Check rowIdSpace(ManifestPlan plan) {
        try {
            long ids = Math.addExact(plan.liveRows(), plan.liveFiles());
            Math.addExact(plan.firstFreeRowId(), ids);
            return Check.passed("ROW_ID_SPACE", "row ids fit into a long");
        } catch (ArithmeticException e) {
            return Check.failed(
                    "ROW_ID_SPACE",
                    plan.liveRows()
                            + " rows from row id "
                            + plan.firstFreeRowId()
                            + " on exceed the largest row id",
                    "Copy the table into a new one instead");
        }
    }

    private static Check recordCount(ManifestPlan plan) {
        Snapshot snapshot = plan.view().snapshot().orElse(null);
        if (snapshot == null
                || plan.view().options().dataEvolutionEnabled()
                || snapshot.totalRecordCount() == plan.liveRows()) {
            return Check.passed(
                    "RECORD_COUNT",
                    "the live files hold " + plan.liveRows() + " rows, updates included");
        }
        return Check.warning(
                "RECORD_COUNT",
                String.format(
                        "snapshot %d counts %d rows, its live files hold %d",
                        snapshot.id(), snapshot.totalRecordCount(), plan.liveRows()),
                "Nothing to do: the count is kept as it is, row ids follow the files");
    }
}
