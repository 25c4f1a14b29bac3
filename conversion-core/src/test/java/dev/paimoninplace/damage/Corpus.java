package dev.paimoninplace.damage;

import java.util.List;
import java.util.stream.Stream;

/** All damaged tables. */
final class Corpus {

    private Corpus() {}

    static List<DamageCase> all() {
        return Stream.of(
                        StaleJobs.CASES,
                        RowTrackingJobs.CASES,
                        LostFiles.CASES,
                        RollBacks.CASES,
                        Interruptions.CASES,
                        Surroundings.CASES)
                .flatMap(List::stream)
                .toList();
    }
}
