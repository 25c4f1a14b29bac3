package dev.paimoninplace.fence;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** Runs a conversion and its writers in orders drawn by seeds. */
final class RandomOrders {

    /** More turns than a conversion alone takes: a writer may come after all of it. */
    private static final int LONGEST_DELAY = 110;

    /**
     * What was run.
     *
     * @param refusals how often a writer was refused
     * @param wrong what was wrong at the end, with its seed
     */
    record Result(int schedules, int refusals, List<String> wrong) {}

    private RandomOrders() {}

    static Result run(Interleaving.Prepared prepared, Interleaving.Kind kind, int schedules)
            throws InterruptedException {
        List<String> wrong = new ArrayList<>();
        int refusals = 0;
        for (int seed = 0; seed < schedules; seed++) {
            try (Interleaving interleaving = new Interleaving(prepared, kind)) {
                run(interleaving, new Random(seed));
                refusals += interleaving.refusals();
                int drawnBy = seed;
                interleaving.wrong().ifPresent(text -> wrong.add("seed " + drawnBy + ", " + text));
            }
        }
        return new Result(schedules, refusals, wrong);
    }

    /** Each side begins at a turn of its own; those that have begun take turns by chance. */
    private static void run(Interleaving interleaving, Random random) throws InterruptedException {
        Turns turns = interleaving.turns();
        int[] begins = new int[turns.sideCount()];
        for (int side = 1; side < begins.length; side++) {
            begins[side] = random.nextInt(LONGEST_DELAY);
        }
        for (int turn = 0; !interleaving.isDone(); turn++) {
            int now = turn;
            int[] ready =
                    IntStream.range(0, begins.length)
                            .filter(side -> !turns.isDone(side) && begins[side] <= now)
                            .toArray();
            if (ready.length > 0) {
                turns.run(ready[random.nextInt(ready.length)], 1);
            }
        }
    }
}
