package dev.paimoninplace.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.paimoninplace.conversion.Check;
import dev.paimoninplace.conversion.Check.Outcome;
import dev.paimoninplace.conversion.ConversionOptions;
import dev.paimoninplace.conversion.ConversionOptions.OldWriters;
import dev.paimoninplace.plan.FileFindings.Kind;
import dev.paimoninplace.plan.ManifestPlan.PlannedManifest;
import dev.paimoninplace.rowid.FileRule;
import dev.paimoninplace.rowid.FileRule.KnownSequences;
import dev.paimoninplace.rowid.ManifestSummary;
import dev.paimoninplace.testing.PaperTables;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.paimon.manifest.ManifestFileMeta;
import org.apache.paimon.stats.SimpleStats;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ManifestChecksTest {

    private static final TableView VIEW = PaperTables.view(PaperTables.snapshot(9, 0L));
    private static final Optional<Long> NONE = Optional.empty();

    private static ManifestPlan plan(
            TableView view,
            ManifestSummary summary,
            FileFindings findings,
            long addedTwice,
            Optional<Long> repeated,
            Optional<Long> withoutFullRow) {
        ManifestFileMeta meta =
                new ManifestFileMeta(
                        "m", 1, 1, 0, SimpleStats.EMPTY_STATS, 0, 0, 0, 0, 0, null, null);
        return new ManifestPlan(
                view,
                new FileRule(KnownSequences.MEND, view.snapshotId()),
                Set.of(),
                List.of(new PlannedManifest(meta, summary)),
                findings,
                addedTwice,
                repeated,
                withoutFullRow);
    }

    private static ManifestSummary rows(long files, long rows, long idsEnd) {
        return new ManifestSummary(
                "m", List.of(), files, rows, files, 0, idsEnd, Long.MAX_VALUE, Long.MIN_VALUE);
    }

    private static ManifestPlan with(TableView view) {
        return plan(view, rows(10, 1000, 0), FileFindings.NONE, 0, NONE, NONE);
    }

    private static List<Check> notPassed(ManifestPlan plan, OldWriters oldWriters) {
        return ManifestChecks.of(plan, ConversionOptions.DEFAULTS.withOldWriters(oldWriters))
                .stream()
                .filter(c -> c.outcome() != Outcome.PASSED)
                .toList();
    }

    private static Check only(ManifestPlan plan) {
        List<Check> checks = notPassed(plan, OldWriters.UNKNOWN);
        assertEquals(1, checks.size(), checks::toString);
        return checks.get(0);
    }

    private static void assertFailed(Check check, String name, String text) {
        assertEquals(Outcome.FAILED, check.outcome());
        assertEquals(name, check.name());
        assertEquals(text, check.text());
    }

    @Test
    void aTableWithoutRemarksPassesEveryCheck() {
        assertEquals(List.of(), notPassed(with(VIEW), OldWriters.UNKNOWN));
        assertEquals(
                List.of(),
                notPassed(
                        plan(
                                PaperTables.view(null),
                                rows(0, 0, 0),
                                FileFindings.NONE,
                                0,
                                NONE,
                                NONE),
                        OldWriters.UNKNOWN));
    }

    @Test
    void aSnapshotWithoutNextRowIdIsRefusedWithWhoAndWhen() {
        ManifestPlan plan = with(PaperTables.view(PaperTables.snapshot(9, null)));

        assertFailed(
                only(plan),
                "OLD_WRITER",
                "snapshot 9 has no next row id: commit user "
                        + PaperTables.COMMIT_USER
                        + " wrote it at "
                        + Instant.ofEpochMilli(PaperTables.TIME_MILLIS)
                        + " with Paimon 1.2 or older, whose next commit would destroy row ids and"
                        + " written columns. Stop or upgrade that writer, then run again with"
                        + " --old_writers_stopped (argument old_writers_stopped => true).");
    }

    @Test
    void aSnapshotWithoutNextRowIdIsAWarningWhenOldWritersAreStopped() {
        ManifestPlan plan = with(PaperTables.view(PaperTables.snapshot(9, null)));

        List<Check> checks = notPassed(plan, OldWriters.STOPPED);

        assertEquals(1, checks.size());
        assertEquals(Outcome.WARNING, checks.get(0).outcome());
        assertEquals("OLD_WRITER", checks.get(0).name());
        assertEquals(
                "You said that all such writers are stopped: keep them so", checks.get(0).remedy());
    }

    @ParameterizedTest
    @CsvSource({
        "IDS_INSIDE,IDS_INSIDE_FILES",
        "ID_MISSING,ROW_ID_MISSING",
        "PARTIAL_WITHOUT_ID,PARTIAL_WITHOUT_ROW_ID",
        "DEDICATED_WITHOUT_ID,BLOB_WITHOUT_ROW_ID"
    })
    void filesThatStandInTheWayAreCountedWithAnExample(Kind kind, String name) {
        FileFindings findings = new FileFindings(Map.of(kind, 17L), Map.of(kind, "data-7.orc"));

        Check check = only(plan(VIEW, rows(10, 1000, 0), findings, 0, NONE, NONE));

        assertEquals(Outcome.FAILED, check.outcome());
        assertEquals(name, check.name());
        assertTrue(check.detail().startsWith("17 data file(s) "), check.detail());
        assertTrue(check.detail().endsWith(", for example data-7.orc"), check.detail());
    }

    @Test
    void rowsWithoutAFileThatHoldsAllColumnsAreRefused() {
        ManifestPlan plan =
                plan(VIEW, rows(10, 1000, 0), FileFindings.NONE, 0, NONE, Optional.of(77L));

        assertFailed(
                only(plan),
                "NO_FULL_ROW_FILE",
                "row id 77 has files with some of the columns only; a stale compaction or overwrite"
                        + " removed the file with all of them. Run repair_data_evolution with"
                        + " --roll_back (argument roll_back => true) and --dry_run first: it says"
                        + " what would be lost.");
    }

    @Test
    void rowsWithoutAFileThatHoldsAllColumnsAreAWarningWhereNoIdIsToBeGivenAnyMore() {
        ManifestSummary clean = new ManifestSummary("m", List.of(), 10, 1000, 0, 0, 1000, 0, 999);
        TableView view =
                PaperTables.view(
                        PaperTables.snapshot(9, 1000L),
                        "row-tracking.enabled",
                        "true",
                        "data-evolution.enabled",
                        "true");

        Check check = only(plan(view, clean, FileFindings.NONE, 0, NONE, Optional.of(77L)));

        assertEquals("NO_FULL_ROW_FILE", check.name());
        assertEquals(Outcome.WARNING, check.outcome());
    }

    @Test
    void rangesAreKnownWhereTheManifestListSaysThemAndTheyHoldEveryLiveFile() {
        ManifestSummary summary =
                new ManifestSummary("m", List.of(), 10, 1000, 0, 0, 2000, 1000, 1999);

        assertTrue(range(1000L, 1999L, summary).rangeIsKnown());
        assertTrue(range(0L, 5000L, summary).rangeIsKnown());
        assertFalse(range(null, null, summary).rangeIsKnown());
        assertFalse(range(1001L, 1999L, summary).rangeIsKnown());
        assertFalse(range(1000L, 1998L, summary).rangeIsKnown());
    }

    private static PlannedManifest range(
            @Nullable Long minRowId, @Nullable Long maxRowId, ManifestSummary summary) {
        ManifestFileMeta meta =
                new ManifestFileMeta(
                        "m", 1, 10, 0, SimpleStats.EMPTY_STATS, 0, 0, 0, 0, 0, minRowId, maxRowId);
        return new PlannedManifest(meta, summary);
    }

    @Test
    void aRowIdOfTwoFilesIsRefused() {
        ManifestPlan plan =
                plan(VIEW, rows(10, 1000, 0), FileFindings.NONE, 0, Optional.of(5L), NONE);

        assertFailed(
                only(plan),
                "ROW_ID_REPEATED",
                "row id 5 belongs to two files. Copy the table into a new one instead.");
    }

    @Test
    void aFileAddedAgainAfterItsDeletionIsRefused() {
        ManifestPlan plan = plan(VIEW, rows(10, 1000, 0), FileFindings.NONE, 2, NONE, NONE);

        assertFailed(
                only(plan),
                "FILE_ADDED_TWICE",
                "2 data file(s) were added again after they were deleted, so the manifests do not"
                        + " say whether they are live. Run sys.compact_manifest and try again.");
    }

    @Test
    void idsThatExceedALongAreRefused() {
        long free = Long.MAX_VALUE - 1009;

        assertEquals(
                List.of(),
                notPassed(
                        plan(VIEW, rows(10, 1000, free - 1), FileFindings.NONE, 0, NONE, NONE),
                        OldWriters.UNKNOWN));
        assertFailed(
                only(plan(VIEW, rows(10, 1000, free), FileFindings.NONE, 0, NONE, NONE)),
                "ROW_ID_SPACE",
                "1000 rows from row id "
                        + free
                        + " on exceed the largest row id. Copy the table into a new one instead.");
    }

    @Test
    void aRecordCountThatDiffersIsAWarning() {
        Check check = only(plan(VIEW, rows(10, 999, 0), FileFindings.NONE, 0, NONE, NONE));

        assertEquals(Outcome.WARNING, check.outcome());
        assertEquals("snapshot 9 counts 1000 rows, its live files hold 999", check.detail());
    }

    @Test
    void idsAreCompleteWhenNothingChangesAndTheNextIdIsAboveAll() {
        ManifestSummary clean = new ManifestSummary("m", List.of(), 10, 1000, 0, 0, 1000, 0, 999);

        assertEquals(false, plan(VIEW, clean, FileFindings.NONE, 0, NONE, NONE).idsAreComplete());
        for (long next : new long[] {0, 1, 999, 1000, 1001}) {
            TableView view = PaperTables.view(PaperTables.snapshot(9, next));
            ManifestPlan plan = plan(view, clean, FileFindings.NONE, 0, NONE, NONE);

            assertEquals(next >= 1000, plan.idsAreComplete(), "next row id " + next);
            assertEquals(Math.max(1000, next), plan.firstFreeRowId());
        }
    }
}
