package dev.paimoninplace.damage;

import static dev.paimoninplace.verify.FindingCode.DELETION_VECTOR_WITHOUT_ANCHOR;
import static dev.paimoninplace.verify.FindingCode.FILE_MISSING;
import static dev.paimoninplace.verify.FindingCode.NO_FULL_ROW_FILE;
import static dev.paimoninplace.verify.FindingCode.STRAY_FILE;
import static dev.paimoninplace.verify.FindingCode.UPDATES_AS_ROWS;

import dev.paimoninplace.verify.Level;
import java.util.List;
import org.apache.paimon.table.FileStoreTable;

/** Files with all columns that went while something still depends on them. */
final class LostFiles {

    static final List<DamageCase> CASES =
            List.of(
                    new DamageCase(
                                    "a stale compaction under an update",
                                    t -> {
                                        Pending compaction = t.pendingCompaction(t.open());
                                        t.convert();
                                        t.update();
                                        compaction.commitInVain();
                                    })
                            .finds(STRAY_FILE, NO_FULL_ROW_FILE)
                            .isRefusedUnlessAllowed("NO_FULL_ROW_FILE", Allow.ROLL_BACK),
                    new DamageCase(
                                    "a stale compaction under an update, and later appends",
                                    t -> {
                                        Pending compaction = t.pendingCompaction(t.open());
                                        t.convert();
                                        t.update();
                                        compaction.commitInVain();
                                        t.append(1000, 1200);
                                        t.append(1200, 1400);
                                    })
                            .finds(STRAY_FILE, NO_FULL_ROW_FILE)
                            .isRefusedUnlessAllowed("NO_FULL_ROW_FILE", Allow.ROLL_BACK),
                    new DamageCase(
                                    "a stale compaction under an update, and a stale append",
                                    t -> {
                                        FileStoreTable job = t.open();
                                        Pending compaction = t.pendingCompaction(job);
                                        t.convert();
                                        t.update();
                                        compaction.commitInVain();
                                        t.pendingAppend(job, 1000, 1200).commit();
                                    })
                            .finds(STRAY_FILE, NO_FULL_ROW_FILE)
                            .isRefusedUnlessAllowed("NO_FULL_ROW_FILE", Allow.ROLL_BACK),
                    new DamageCase(
                                    "a compaction of an updated table by a stale job",
                                    t -> {
                                        FileStoreTable job = t.open();
                                        t.convert();
                                        t.update();
                                        t.pendingCompaction(job).commitInVain();
                                        t.append(1000, 1200);
                                    })
                            .finds(STRAY_FILE, UPDATES_AS_ROWS)
                            .isRefusedUnlessAllowed("UPDATES_AS_ROWS", Allow.ROLL_BACK),
                    new DamageCase(
                                    "rows rewritten by a stale job under an update",
                                    t -> {
                                        FileStoreTable job = t.open();
                                        Pending rewrite = t.pendingRewrite(job, "p1", 1000, 1200);
                                        t.convert();
                                        t.update();
                                        rewrite.commitInVain();
                                        t.append(2000, 2200);
                                    })
                            .finds(STRAY_FILE, NO_FULL_ROW_FILE)
                            .isRefusedUnlessAllowed("NO_FULL_ROW_FILE", Allow.ROLL_BACK),
                    new DamageCase(
                                    "rows rewritten by a stale job",
                                    t -> {
                                        FileStoreTable job = t.open();
                                        Pending rewrite = t.pendingRewrite(job, "p1", 1000, 1200);
                                        t.convert();
                                        rewrite.commit();
                                    })
                            .finds(STRAY_FILE)
                            .isMended(),
                    new DamageCase(
                                    "a compaction under a deletion, by a job from before deletion vectors",
                                    t -> {
                                        Pending compaction = t.pendingCompaction(t.open());
                                        t.table().setOption("deletion-vectors.modifiable", "true");
                                        t.table().setOption("deletion-vectors.enabled", "true");
                                        t.convert();
                                        t.delete(5);
                                        compaction.commitInVain();
                                    })
                            .finds(STRAY_FILE, DELETION_VECTOR_WITHOUT_ANCHOR)
                            .isRefusedUnlessAllowed(
                                    "DELETION_VECTOR_WITHOUT_ANCHOR", Allow.ROLL_BACK),
                    new DamageCase(
                                    "a data file that somebody deleted",
                                    t -> {
                                        t.convert();
                                        t.files().takeAwayDataFile();
                                    })
                            .at(Level.FILES)
                            .finds(FILE_MISSING)
                            .isSkippedUntil(t -> t.files().bringBackDataFile()));

    private LostFiles() {}
}
