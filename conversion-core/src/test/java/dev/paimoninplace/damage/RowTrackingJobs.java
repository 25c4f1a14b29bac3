package dev.paimoninplace.damage;

import static dev.paimoninplace.verify.FindingCode.HIDDEN_UPDATE;
import static dev.paimoninplace.verify.FindingCode.IDS_INSIDE_FILE;
import static dev.paimoninplace.verify.FindingCode.SEQUENCE_OUT_OF_RANGE;

import java.util.List;
import org.apache.paimon.table.FileStoreTable;

/** Jobs on tables that tracked rows before, and plain compactions of Data Evolution tables. */
final class RowTrackingJobs {

    private static final String[] TRACKING = {"row-tracking.enabled", "true"};

    static final List<DamageCase> CASES =
            List.of(
                    new DamageCase(
                                    "a stale row-tracking job after the conversion",
                                    RowTrackingJobs::streamOn)
                            .withOptions(TRACKING)
                            .finds(SEQUENCE_OUT_OF_RANGE)
                            .isMended(),
                    new DamageCase(
                                    "an update of what a stale row-tracking job wrote",
                                    t -> {
                                        streamOn(t);
                                        t.update();
                                    })
                            .withOptions(TRACKING)
                            .finds(HIDDEN_UPDATE, SEQUENCE_OUT_OF_RANGE)
                            .isMended(),
                    new DamageCase(
                                    "two updates of what a stale row-tracking job wrote",
                                    t -> {
                                        streamOn(t);
                                        t.update();
                                        t.append(1600, 1800);
                                        t.update();
                                    })
                            .withOptions(TRACKING)
                            .finds(HIDDEN_UPDATE, SEQUENCE_OUT_OF_RANGE)
                            .isMended(),
                    new DamageCase(
                                    "a stale compaction of a row-tracking table",
                                    t -> {
                                        Pending compaction = t.pendingCompaction(t.open());
                                        t.convert();
                                        compaction.commit();
                                    })
                            .withOptions(TRACKING)
                            .finds(IDS_INSIDE_FILE)
                            .isRefusedUnlessAllowed("IDS_INSIDE_FILE", Allow.ROLL_BACK),
                    new DamageCase(
                                    "a plain compaction of a converted table",
                                    t -> {
                                        t.convert();
                                        t.pendingCompaction(t.open()).commit();
                                    })
                            .finds(IDS_INSIDE_FILE)
                            .isMended(),
                    new DamageCase(
                                    "a plain compaction and later appends",
                                    t -> {
                                        t.convert();
                                        t.pendingCompaction(t.open()).commit();
                                        t.append(1000, 1200);
                                    })
                            .finds(IDS_INSIDE_FILE)
                            .isMended(),
                    new DamageCase(
                                    "a plain compaction that puts newer rows first",
                                    t -> {
                                        t.append(500, 520);
                                        t.convert();
                                        t.pendingCompaction(t.open()).commitInVain();
                                        t.append(1000, 1200);
                                    })
                            .finds(IDS_INSIDE_FILE)
                            .isRefusedUnlessAllowed("IDS_INSIDE_FILE", Allow.ROLL_BACK),
                    new DamageCase(
                                    "a plain compaction of an updated table",
                                    t -> {
                                        t.convert();
                                        t.update();
                                        t.pendingCompaction(t.open()).commitInVain();
                                        t.append(1000, 1200);
                                    })
                            .finds(IDS_INSIDE_FILE)
                            .isRefusedUnlessAllowed("IDS_INSIDE_FILE", Allow.ROLL_BACK),
                    new DamageCase(
                                    "a stale compaction of a row-tracking table, renumbered",
                                    t -> {
                                        Pending compaction = t.pendingCompaction(t.open());
                                        t.convert();
                                        compaction.commit();
                                        t.append(1000, 1200);
                                    })
                            .withOptions(TRACKING)
                            .finds(IDS_INSIDE_FILE)
                            .isRefusedUnlessAllowed("IDS_INSIDE_FILE", Allow.RENUMBER),
                    new DamageCase(
                                    "a plain compaction of a table with deleted rows, renumbered",
                                    t -> {
                                        t.convert();
                                        t.delete(5);
                                        t.pendingCompaction(t.open()).commit();
                                        t.append(1000, 1200);
                                    })
                            .withOptions("deletion-vectors.enabled", "true")
                            .finds(IDS_INSIDE_FILE)
                            .isRefusedUnlessAllowed("IDS_INSIDE_FILE", Allow.RENUMBER),
                    new DamageCase(
                                    "a plain compaction of a table with deleted rows",
                                    t -> {
                                        t.convert();
                                        t.delete(5);
                                        t.pendingCompaction(t.open()).commit();
                                    })
                            .withOptions("deletion-vectors.enabled", "true")
                            .finds(IDS_INSIDE_FILE)
                            .isRefusedUnlessAllowed("IDS_INSIDE_FILE", Allow.ROLL_BACK));

    private RowTrackingJobs() {}

    private static void streamOn(DamagedTable t) {
        FileStoreTable opened = t.open();
        try (StreamingJob job = new StreamingJob(t, opened)) {
            job.pending(1000, 1200).commit();
            t.convert();
            job.pending(1200, 1400).commit();
        }
    }
}
