package dev.paimoninplace.fence;

import dev.paimoninplace.fence.Turns.Step;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Runs sides in every order of their steps; of orders that differ only in steps that make no
 * difference to each other, one is run. Each run starts anew and repeats an earlier one up to a
 * point where another side goes on.
 *
 * <p>Such a point lies before each step that makes a difference to a later one of another side and
 * could have come after it (dynamic partial order reduction). A side whose step was tried there
 * sleeps on the other way, until a step makes a difference to it.
 */
final class Exploration {

    /**
     * What was explored.
     *
     * @param schedules orders run to their end, each of them a different one
     * @param abandoned orders given up because nothing new could come of them
     * @param steps steps of the longest order
     * @param refusals how often a writer was refused
     * @param wrong what was wrong at the end of a schedule
     */
    record Result(int schedules, int abandoned, int steps, int refusals, List<String> wrong) {}

    /** A moment of the current order. */
    private static final class Moment {

        private final Map<Integer, Step> next = new HashMap<>();
        private final Set<Integer> sleeping;
        private final Set<Integer> toTry = new HashSet<>();
        private final Set<Integer> tried = new HashSet<>();
        private int chosen;

        /**
         * @param side does the step
         */
        Moment(Turns turns, int side, Step step, Set<Integer> sleeping) {
            this.sleeping = sleeping;
            for (int other = 0; other < turns.sideCount(); other++) {
                if (!turns.isDone(other)) {
                    next.put(other, turns.next(other));
                }
            }
            next.put(side, step);
            choose(side);
        }

        Step step() {
            return step(chosen);
        }

        Step step(int side) {
            return next.getOrDefault(side, Step.START);
        }

        /** A side that is still to be tried; -1 when there is none. */
        int untried() {
            return toTry.stream()
                    .filter(side -> !tried.contains(side) && !sleeping.contains(side))
                    .findFirst()
                    .orElse(-1);
        }

        final void choose(int side) {
            chosen = side;
            toTry.add(side);
            tried.add(side);
        }

        /** Sides that sleep after the chosen one went on. */
        Set<Integer> sleepingAfter() {
            Set<Integer> after = new HashSet<>(sleeping);
            after.addAll(tried);
            after.remove(chosen);
            after.removeIf(side -> !step(side).isIndependentOf(step()));
            return after;
        }
    }

    private final Supplier<Interleaving> start;
    private final List<Moment> order = new ArrayList<>();
    private final List<String> wrong = new ArrayList<>();
    private int schedules;
    private int abandoned;
    private int steps;
    private int refusals;

    Exploration(Supplier<Interleaving> start) {
        this.start = start;
    }

    Result run() throws InterruptedException {
        do {
            try (Interleaving interleaving = start.get()) {
                repeat(interleaving.turns());
                goOn(interleaving);
            }
        } while (goBack());
        return new Result(schedules, abandoned, steps, refusals, wrong);
    }

    private void repeat(Turns turns) throws InterruptedException {
        for (int from = 0; from < order.size(); ) {
            int side = order.get(from).chosen;
            int to = from;
            while (to < order.size() && order.get(to).chosen == side) {
                to++;
            }
            List<Step> expected = order.subList(from, to).stream().map(Moment::step).toList();
            List<Step> done = turns.run(side, to - from);
            if (!done.equals(expected)) {
                throw new IllegalStateException("Not repeatable: " + expected + ", now " + done);
            }
            from = to;
        }
    }

    private void goOn(Interleaving interleaving) throws InterruptedException {
        Turns turns = interleaving.turns();
        while (!interleaving.isDone()) {
            Set<Integer> sleeping = sleeping();
            int side = anyAwake(turns, sleeping);
            if (side < 0) {
                abandoned++;
                return;
            }
            for (Step step : turns.run(side, Integer.MAX_VALUE)) {
                Moment moment = new Moment(turns, side, step, sleeping());
                moment.next.forEach(this::markRace);
                order.add(moment);
            }
        }
        schedules++;
        steps = Math.max(steps, order.size());
        refusals += interleaving.refusals();
        interleaving.wrong().ifPresent(wrong::add);
    }

    private Set<Integer> sleeping() {
        return order.isEmpty() ? Set.of() : order.get(order.size() - 1).sleepingAfter();
    }

    private static int anyAwake(Turns turns, Set<Integer> sleeping) {
        for (int side = 0; side < turns.sideCount(); side++) {
            if (!turns.isDone(side) && !sleeping.contains(side)) {
                return side;
            }
        }
        return -1;
    }

    /** Lets a side be tried before the last step of another one that its next one depends on. */
    private void markRace(int side, Step step) {
        for (int i = order.size() - 1; i >= 0; i--) {
            Moment moment = order.get(i);
            if (moment.chosen != side && !moment.step().isIndependentOf(step)) {
                if (!hasSeen(side, i)) {
                    moment.toTry.add(side);
                }
                return;
            }
        }
    }

    /** Whether a side did a step after a moment that depends on what was done then or later. */
    private boolean hasSeen(int side, int index) {
        for (int later = index + 1; later < order.size(); later++) {
            Moment own = order.get(later);
            if (own.chosen != side) {
                continue;
            }
            for (int i = index; i < later; i++) {
                Moment other = order.get(i);
                boolean isSame = other.chosen == order.get(index).chosen;
                if (isSame && !other.step().isIndependentOf(own.step())) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Goes back to the last moment with another way to go; false when there is none. */
    private boolean goBack() {
        while (!order.isEmpty()) {
            Moment last = order.get(order.size() - 1);
            int side = last.untried();
            if (side >= 0) {
                last.choose(side);
                return true;
            }
            order.remove(order.size() - 1);
        }
        return false;
    }
}
