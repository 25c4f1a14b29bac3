package dev.paimoninplace.damage;

import static dev.paimoninplace.verify.FindingCode.BRANCH_NOT_ENABLED;
import static dev.paimoninplace.verify.FindingCode.NEXT_ROW_ID_MISSING;
import static dev.paimoninplace.verify.FindingCode.NOT_ENABLED;
import static dev.paimoninplace.verify.FindingCode.NOT_SEALED;
import static dev.paimoninplace.verify.FindingCode.STRAY_FILE;
import static dev.paimoninplace.verify.FindingCode.TAG_NOT_READABLE;

import java.util.List;
import org.apache.paimon.table.FileStoreTable;

/** Tables that went back in time, as a whole or by way of a branch. */
final class RollBacks {

    static final List<DamageCase> CASES =
            List.of(
                    new DamageCase(
                                    "a roll back to a snapshot before the conversion",
                                    t -> {
                                        long before = t.snapshotId();
                                        t.convert();
                                        t.append(1000, 1200);
                                        t.rollBackTo(before);
                                    })
                            .finds(NOT_SEALED, STRAY_FILE, NEXT_ROW_ID_MISSING)
                            .isMended(),
                    new DamageCase(
                                    "a roll back to the snapshot with the row ids",
                                    t -> {
                                        t.convert();
                                        long ids = t.snapshotId() - 1;
                                        t.expectAt(ids);
                                        t.append(1000, 1200);
                                        t.rollBackTo(ids);
                                    })
                            .finds(NOT_SEALED)
                            .isMended(),
                    new DamageCase(
                                    "a roll back to a tag before the conversion",
                                    t -> {
                                        t.open().createTag("t1");
                                        long before = t.snapshotId();
                                        t.convert();
                                        t.update();
                                        t.rollBackTo("t1", before);
                                    })
                            .finds(NOT_SEALED, STRAY_FILE, NEXT_ROW_ID_MISSING, TAG_NOT_READABLE)
                            .isMended(),
                    new DamageCase(
                                    "a roll back across the conversion, and then appends",
                                    t -> {
                                        FileStoreTable job = t.open();
                                        long before = t.snapshotId();
                                        t.convert();
                                        t.append(1000, 1200);
                                        t.rollBackTo(before);
                                        t.append(1200, 1400);
                                        t.pendingAppend(job, 1400, 1600).commit();
                                    })
                            .finds(STRAY_FILE)
                            .isMended(),
                    new DamageCase(
                                    "a roll back across the conversion by a stale job, then its append",
                                    t -> {
                                        FileStoreTable job = t.open();
                                        long before = t.snapshotId();
                                        t.convert();
                                        t.rollBackTo(before);
                                        t.pendingAppend(job, 1400, 1600).commit();
                                    })
                            .finds(STRAY_FILE, NEXT_ROW_ID_MISSING)
                            .isMended(),
                    new DamageCase(
                                    "a roll back to a snapshot after the conversion, then an append",
                                    t -> {
                                        t.convert();
                                        t.append(1000, 1200);
                                        long kept = t.snapshotId();
                                        t.append(1200, 1400);
                                        t.rollBackTo(kept);
                                        t.append(1400, 1600);
                                    })
                            .isSkipped(),
                    new DamageCase(
                                    "a roll back to a tag after the conversion, then a stale append",
                                    t -> {
                                        FileStoreTable job = t.open();
                                        t.convert();
                                        t.append(1000, 1200);
                                        t.open().createTag("t1");
                                        long kept = t.snapshotId();
                                        t.update();
                                        t.append(1200, 1400);
                                        t.rollBackTo("t1", kept);
                                        t.append(1400, 1600);
                                        t.pendingAppend(job, 1600, 1800).commit();
                                    })
                            .finds(STRAY_FILE)
                            .isMended(),
                    new DamageCase(
                                    "a fast-forwarded branch from before the conversion",
                                    t -> {
                                        t.open().createTag("t1");
                                        t.open().createBranch("b", "t1");
                                        long before = t.snapshotId();
                                        t.convert();
                                        t.append(1000, 1200);
                                        t.fastForward("b", before);
                                    })
                            .finds(NOT_ENABLED)
                            .isRefusedUntil("NEVER_CONVERTED", DamagedTable::convert),
                    new DamageCase(
                                    "a fast-forwarded branch, and appends to main meanwhile",
                                    t -> {
                                        t.open().createTag("t1");
                                        t.open().createBranch("b", "t1");
                                        long before = t.snapshotId();
                                        FileStoreTable job = t.open();
                                        t.convert();
                                        t.fastForward("b", before);
                                        t.append(1000, 1200);
                                        t.pendingAppend(job, 1200, 1400).commit();
                                    })
                            .finds(NOT_ENABLED)
                            .isRefusedUntil("NEVER_CONVERTED", DamagedTable::convert),
                    new DamageCase(
                                    "a branch from a tag before the conversion",
                                    t -> {
                                        t.open().createTag("t1");
                                        t.convert();
                                        t.open().createBranch("b", "t1");
                                    })
                            .finds(TAG_NOT_READABLE, BRANCH_NOT_ENABLED)
                            .isSkipped(),
                    new DamageCase(
                                    "snapshots restored from a backup before the conversion",
                                    t -> {
                                        long before = t.snapshotId();
                                        t.files().backUp("snapshot");
                                        t.convert();
                                        t.append(1000, 1200);
                                        t.files().restore("snapshot");
                                        t.wentBackTo(before);
                                    })
                            .finds(NOT_SEALED, STRAY_FILE, NEXT_ROW_ID_MISSING)
                            .isMended(),
                    new DamageCase(
                                    "snapshots and schemas restored from a backup of before",
                                    t -> {
                                        long before = t.snapshotId();
                                        t.files().backUp("snapshot", "schema");
                                        t.convert();
                                        t.append(1000, 1200);
                                        t.files().restore("snapshot", "schema");
                                        t.wentBackTo(before);
                                    })
                            .finds(NOT_ENABLED)
                            .isRefusedUntil("NEVER_CONVERTED", DamagedTable::convert),
                    new DamageCase(
                                    "older snapshots copied over the newer ones",
                                    t -> {
                                        t.files().backUp("snapshot");
                                        t.convert();
                                        t.append(1000, 1200);
                                        t.files().copyOver("snapshot");
                                    })
                            .isSkipped());

    private RollBacks() {}
}
