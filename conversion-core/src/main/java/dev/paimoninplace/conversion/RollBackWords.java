package dev.paimoninplace.conversion;

import dev.paimoninplace.repair.Damage;
import dev.paimoninplace.repair.RollBackPlan;
import dev.paimoninplace.repair.RollBackPlanner.Search;
import java.util.stream.Collectors;

/** What a refused repair says about going back to an older snapshot. */
final class RollBackWords {

    static final String LAST_RESORT = "Restore the table from a backup, or copy what can be read";

    private static final int LISTED = 5;

    private RollBackWords() {}

    /** What a roll back would mean, or why there can be none. */
    static String offer(Damage damage, Search search) {
        return damage.isMendedByRenumbering()
                ? offer(search)
                        + ". Or give these rows new ids with --renumber (argument renumber => true),"
                        + " which rewrites the files: references to the old ids and global indexes"
                        + " over them break"
                : offer(search);
    }

    private static String offer(Search search) {
        return search.plan()
                .map(RollBackWords::offer)
                .orElseGet(
                        () ->
                                "There is no snapshot to go back to: "
                                        + search.reason()
                                        + ". "
                                        + LAST_RESORT);
    }

    private static String offer(RollBackPlan plan) {
        return String.format(
                "The only safe way is to take up the content of snapshot %d again and to keep the"
                        + " pure appends that came later; %s. Run again with --roll_back (argument"
                        + " roll_back => true) to do that in a new snapshot, with --dry_run first",
                plan.target().id(), losses(plan));
    }

    private static String losses(RollBackPlan plan) {
        if (plan.losses().isEmpty()) {
            return "no commit is lost";
        }
        String more = plan.losses().size() > LISTED ? ", and more" : "";
        return plan.losses().stream()
                .limit(LISTED)
                .map(LostCommit::text)
                .collect(Collectors.joining("; ", "this loses ", more));
    }
}
