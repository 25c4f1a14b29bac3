package dev.paimoninplace.plan;

import dev.paimoninplace.conversion.Check;
import dev.paimoninplace.conversion.CommitUser;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.options.Options;

/** Checks of what surrounds a table, and warnings of what will change around it: pure. */
public final class FactsChecks {

    private static final String SUPPORTED_VERSION = "2.0.";

    private static final String STOP_PLAIN =
            "Stop or restart the jobs behind them at the conversion: a job of the stock catalog"
                    + " that opened the table before keeps committing files without row ids;"
                    + " running the conversion again mends such files";

    private static final String STOP_ROW_TRACKING =
            "Stop the jobs behind them before the conversion and start them again after it: this"
                    + " table tracks rows, and what a job commits that opened it before can be mended"
                    + " only until a column is updated; later updates of such rows can stay"
                    + " invisible, and its compaction makes the table unreadable until it is rolled"
                    + " back";

    private FactsChecks() {}

    /** All of them, in a fixed order. */
    public static List<Check> of(TableFacts facts, TableView view) {
        List<Check> checks = new ArrayList<>();
        checks.add(version(facts));
        checks.add(CatalogCheck.of(facts.catalogKind(), facts.branch()));
        checks.add(atomicCommits(facts));
        if (!view.isDataEvolution()) {
            checks.add(writers(facts, view));
            checks.add(consumers(facts, view));
            checks.add(tags(facts));
            checks.add(branches(facts));
            checks.add(branchOptions(view));
            checks.add(compaction(view));
            checks.add(savepoints(view));
        }
        return checks;
    }

    private static Check version(TableFacts facts) {
        String version = facts.paimonVersion().orElse("unknown");
        if (facts.paimonVersion().isEmpty() || version.startsWith(SUPPORTED_VERSION)) {
            return Check.passed("PAIMON_VERSION", "Paimon " + version + " is on the class path");
        }
        return Check.failed(
                "PAIMON_VERSION",
                "Paimon " + version + " is on the class path, this tool knows 2.0.x",
                "Run it with Paimon 2.0.x");
    }

    private static Check atomicCommits(TableFacts facts) {
        if (facts.atomicCommits()) {
            return Check.passed("ATOMIC_COMMIT", "of two writers of one snapshot only one wins");
        }
        return Check.failed(
                "ATOMIC_COMMIT",
                "the table lies in an object store and the catalog has no lock, so a commit of"
                        + " another writer could be lost",
                "Set lock.enabled and lock.type in the catalog, for every writer too");
    }

    private static Check writers(TableFacts facts, TableView view) {
        if (facts.commitUsers().isEmpty()) {
            return Check.passed("RUNNING_WRITERS", "nobody has committed lately");
        }
        return Check.warning(
                "RUNNING_WRITERS",
                facts.commitUsers().stream()
                        .limit(5)
                        .map(FactsChecks::describe)
                        .collect(
                                Collectors.joining(
                                        ", ",
                                        facts.commitUsers().size() + " commit user(s) seen: ",
                                        facts.commitUsers().size() > 5 ? ", ..." : "")),
                view.options().rowTrackingEnabled() ? STOP_ROW_TRACKING : STOP_PLAIN);
    }

    private static String describe(CommitUser user) {
        return String.format(
                "%s (%s, snapshot %d, %s)",
                user.name(),
                user.lastKind(),
                user.lastSnapshotId(),
                Instant.ofEpochMilli(user.lastCommitMillis()));
    }

    private static Check consumers(TableFacts facts, TableView view) {
        Map<String, Long> behind = new TreeMap<>(facts.consumers());
        behind.values().removeIf(next -> next > view.snapshotId());
        if (behind.isEmpty()) {
            return Check.passed("CONSUMERS", "no consumer has a snapshot of before to read");
        }
        return Check.warning(
                "CONSUMERS",
                "consumer(s) and the snapshot each reads next: " + behind,
                "Let them catch up first: the stock catalog cannot start reading at a snapshot from"
                        + " before the conversion");
    }

    private static Check tags(TableFacts facts) {
        if (facts.tags().isEmpty()) {
            return Check.passed("TAGS", "there are no tags");
        }
        return Check.warning(
                "TAGS",
                "tag(s) and their snapshots: " + new TreeMap<>(facts.tags()),
                "The stock catalog cannot read them afterwards: create a branch from each tag that"
                        + " must stay readable, before or after the conversion");
    }

    private static Check branches(TableFacts facts) {
        List<String> others =
                facts.branches().stream().filter(b -> !b.equals(facts.branch())).sorted().toList();
        if (others.isEmpty()) {
            return Check.passed("BRANCHES", "there are no other branches");
        }
        return Check.warning(
                "BRANCHES",
                "branch(es) " + others + " stay as they are",
                "Convert each as table$branch_name; do not fast-forward an unconverted branch, it"
                        + " would take the conversion back, and merge_branch is refused from now on");
    }

    private static Check branchOptions(TableView view) {
        Options options = Options.fromMap(view.schema().options());
        for (var option :
                List.of(CoreOptions.SCAN_FALLBACK_BRANCH, CoreOptions.SCAN_PRIMARY_BRANCH)) {
            String branch = options.get(option);
            if (branch != null) {
                return Check.warning(
                        "BRANCH_OPTION",
                        option.key() + " is " + branch,
                        "Readers mix that branch with the converted one: convert it too");
            }
        }
        return Check.passed("BRANCH_OPTION", "readers take no other branch");
    }

    private static Check compaction(TableView view) {
        if (view.options().writeOnly()) {
            return Check.passed("IN_JOB_COMPACTION", "the table is write-only");
        }
        return Check.warning(
                "IN_JOB_COMPACTION",
                "writers compact in their own job today; they stop doing so on a Data Evolution"
                        + " table",
                "Schedule sys.compact for this table; never sys.compact_database, which treats it"
                        + " as a plain one");
    }

    private static Check savepoints(TableView view) {
        boolean stable =
                view.options().writeOnly()
                        || view.schema().options().containsKey("sink.operator-uid.suffix");
        if (stable) {
            return Check.passed("SAVEPOINTS", "operator ids of the sink do not change");
        }
        return Check.warning(
                "SAVEPOINTS",
                "neither write-only nor sink.operator-uid.suffix is set, so the operator ids of the"
                        + " stock sink change",
                "A savepoint taken before does not restore on the stock sink: set"
                        + " sink.operator-uid.suffix and take the savepoint after the restart that"
                        + " follows; never use --allowNonRestoredState, it drops committed data");
    }
}
