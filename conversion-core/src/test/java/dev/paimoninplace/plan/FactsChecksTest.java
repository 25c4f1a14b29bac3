package dev.paimoninplace.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.paimoninplace.conversion.Check;
import dev.paimoninplace.conversion.Check.Outcome;
import dev.paimoninplace.conversion.CommitUser;
import dev.paimoninplace.plan.TableFacts.CatalogKind;
import dev.paimoninplace.testing.PaperTables;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class FactsChecksTest {

    /** Nothing around the table that deserves a word. */
    private static final TableFacts QUIET =
            new TableFacts(
                    Optional.of("2.0.0"),
                    CatalogKind.FILE_SYSTEM,
                    true,
                    "main",
                    List.of(),
                    Map.of(),
                    Map.of(),
                    List.of());

    private static TableView view(String... options) {
        return PaperTables.view(PaperTables.snapshot(9, 100L), options);
    }

    private static Check check(String name, TableFacts facts, TableView view) {
        return FactsChecks.of(facts, view).stream()
                .filter(c -> c.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static void assertWarning(Check check, String detail) {
        assertEquals(Outcome.WARNING, check.outcome());
        assertEquals(detail, check.detail());
        assertTrue(check.remedy().length() > 20, check.remedy());
    }

    @Test
    void aQuietTablePassesEveryCheck() {
        List<Check> checks = FactsChecks.of(QUIET, view("write-only", "true"));

        assertEquals(
                List.of(), checks.stream().filter(c -> c.outcome() != Outcome.PASSED).toList());
        assertEquals(10, checks.size());
    }

    @Test
    void aTableThatIsDataEvolutionIsNotWarnedOfTheConversion() {
        List<Check> checks =
                FactsChecks.of(
                        QUIET,
                        view("row-tracking.enabled", "true", "data-evolution.enabled", "true"));

        assertEquals(
                List.of("PAIMON_VERSION", "CATALOG", "ATOMIC_COMMIT"),
                checks.stream().map(Check::name).toList());
    }

    @ParameterizedTest
    @CsvSource({"1.4.2,FAILED", "2.1.0,FAILED", "20.0.1,FAILED", "2.0.0,PASSED", "2.0.7,PASSED"})
    void onlyThePaimonThatIsKnownIsAccepted(String version, Outcome expected) {
        TableFacts facts =
                new TableFacts(
                        Optional.of(version),
                        CatalogKind.FILE_SYSTEM,
                        true,
                        "main",
                        List.of(),
                        Map.of(),
                        Map.of(),
                        List.of());

        Check check = check("PAIMON_VERSION", facts, view());

        assertEquals(expected, check.outcome());
        assertTrue(check.detail().startsWith("Paimon " + version + " is on the class path"));
    }

    @Test
    void jobsOnARowTrackingTableAreToBeStoppedBecauseWhatTheyCommitIsNotAlwaysMended() {
        TableFacts facts =
                new TableFacts(
                        Optional.of("2.0.0"),
                        CatalogKind.FILE_SYSTEM,
                        true,
                        "main",
                        List.of(),
                        Map.of(),
                        Map.of(),
                        List.of(new CommitUser("job", 7, 0, "APPEND")));

        String plain = check("RUNNING_WRITERS", facts, view()).remedy();
        String tracking =
                check("RUNNING_WRITERS", facts, view("row-tracking.enabled", "true")).remedy();

        assertTrue(plain.contains("running the conversion again mends such files"), plain);
        assertTrue(tracking.startsWith("Stop the jobs behind them before"), tracking);
        assertTrue(tracking.contains("only until a column is updated"), tracking);
    }

    @Test
    void aRestCatalogIsRefused() {
        TableFacts facts = facts(CatalogKind.REST, true, "main");

        Check check = check("REST_CATALOG", facts, view());

        assertEquals(Outcome.FAILED, check.outcome());
        assertEquals(
                "it belongs to a REST catalog, which does not let a client replace manifests. Wait"
                        + " for the server to offer the conversion.",
                check.text());
    }

    @Test
    void aBranchInAJdbcCatalogIsRefusedAndTheTableItselfIsNot() {
        Check branch = check("JDBC_BRANCH", facts(CatalogKind.JDBC, true, "b"), view());
        Check main = check("CATALOG", facts(CatalogKind.JDBC, true, "main"), view());

        assertEquals(Outcome.FAILED, branch.outcome());
        assertEquals("it names the branch b, a JDBC catalog has none", branch.detail());
        assertEquals(Outcome.PASSED, main.outcome());
    }

    @Test
    void commitsThatCouldBeLostAreRefused() {
        Check check = check("ATOMIC_COMMIT", facts(CatalogKind.FILE_SYSTEM, false, "main"), view());

        assertEquals(Outcome.FAILED, check.outcome());
        assertTrue(check.remedy().contains("lock.enabled"), check.remedy());
    }

    private static TableFacts facts(CatalogKind kind, boolean atomicCommits, String branch) {
        return new TableFacts(
                Optional.of("2.0.0"),
                kind,
                atomicCommits,
                branch,
                List.of(),
                Map.of(),
                Map.of(),
                List.of());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 5, 6, 12})
    void commitUsersAreNamedUpToFive(int userCount) {
        List<CommitUser> users =
                IntStream.range(0, userCount)
                        .mapToObj(i -> new CommitUser("job-" + i, 50 - i, 1000L * i, "APPEND"))
                        .toList();
        TableFacts facts =
                new TableFacts(
                        QUIET.paimonVersion(),
                        CatalogKind.FILE_SYSTEM,
                        true,
                        "main",
                        List.of(),
                        Map.of(),
                        Map.of(),
                        users);

        Check check = check("RUNNING_WRITERS", facts, view());

        String named =
                users.stream()
                        .limit(5)
                        .map(
                                u ->
                                        String.format(
                                                "%s (APPEND, snapshot %d, %s)",
                                                u.name(),
                                                u.lastSnapshotId(),
                                                Instant.ofEpochMilli(u.lastCommitMillis())))
                        .reduce((a, b) -> a + ", " + b)
                        .orElseThrow();
        assertWarning(
                check,
                userCount + " commit user(s) seen: " + named + (userCount > 5 ? ", ..." : ""));
    }

    @Test
    void consumersAtOrBeforeTheNewestSnapshotAreNamed() {
        TableFacts facts =
                new TableFacts(
                        QUIET.paimonVersion(),
                        CatalogKind.FILE_SYSTEM,
                        true,
                        "main",
                        List.of(),
                        Map.of(),
                        Map.of("behind", 3L, "last", 9L, "ahead", 10L),
                        List.of());

        Check check = check("CONSUMERS", facts, view());

        assertWarning(check, "consumer(s) and the snapshot each reads next: {behind=3, last=9}");
    }

    @Test
    void tagsAreNamedWithTheirSnapshots() {
        TableFacts facts =
                new TableFacts(
                        QUIET.paimonVersion(),
                        CatalogKind.FILE_SYSTEM,
                        true,
                        "main",
                        List.of(),
                        Map.of("t2", 5L, "t1", 2L),
                        Map.of(),
                        List.of());

        assertWarning(check("TAGS", facts, view()), "tag(s) and their snapshots: {t1=2, t2=5}");
    }

    @Test
    void otherBranchesAreNamedAndNotTheConvertedOne() {
        TableFacts facts =
                new TableFacts(
                        QUIET.paimonVersion(),
                        CatalogKind.FILE_SYSTEM,
                        true,
                        "mine",
                        List.of("z", "mine", "a"),
                        Map.of(),
                        Map.of(),
                        List.of());

        assertWarning(check("BRANCHES", facts, view()), "branch(es) [a, z] stay as they are");
    }

    @ParameterizedTest
    @ValueSource(strings = {"scan.fallback-branch", "scan.primary-branch"})
    void anOptionThatMixesBranchesIsNamed(String option) {
        assertWarning(check("BRANCH_OPTION", QUIET, view(option, "b")), option + " is b");
    }

    @Test
    void aTableWhoseWritersCompactIsWarnedOfCompactionAndSavepoints() {
        List<String> warned =
                FactsChecks.of(QUIET, view()).stream()
                        .filter(c -> c.outcome() == Outcome.WARNING)
                        .map(Check::name)
                        .toList();

        assertEquals(List.of("IN_JOB_COMPACTION", "SAVEPOINTS"), warned);
    }

    @Test
    void stableOperatorIdsLetSavepointsRestore() {
        List<Outcome> outcomes =
                Stream.of(view("sink.operator-uid.suffix", "x"), view("write-only", "true"))
                        .map(view -> check("SAVEPOINTS", QUIET, view).outcome())
                        .toList();

        assertEquals(List.of(Outcome.PASSED, Outcome.PASSED), outcomes);
    }
}
