package dev.paimoninplace.damage;

import static dev.paimoninplace.verify.FindingCode.NOT_ENABLED;
import static dev.paimoninplace.verify.FindingCode.NOT_SEALED;
import static dev.paimoninplace.verify.FindingCode.STRAY_FILE;

import dev.paimoninplace.testing.Moment;
import java.util.List;
import org.apache.paimon.table.FileStoreTable;

/** Conversions that were killed, or that others worked beside. */
final class Interruptions {

    static final List<DamageCase> CASES =
            List.of(
                    new DamageCase(
                                    "a conversion killed while it writes manifests",
                                    t -> t.convertAndDie(Moment.manifestWrite(), 1))
                            .finds(NOT_ENABLED)
                            .isRefusedUntil("NEVER_CONVERTED", DamagedTable::convert),
                    new DamageCase(
                                    "a conversion killed before the row ids are committed",
                                    t -> t.convertAndDie(Moment.snapshotWrite(), 1))
                            .finds(NOT_ENABLED)
                            .isRefusedUntil("NEVER_CONVERTED", DamagedTable::convert),
                    new DamageCase(
                                    "a conversion killed before the schema",
                                    t -> t.convertAndDie(Moment.schemaWrite(), 1))
                            .finds(NOT_ENABLED)
                            .isMended(),
                    new DamageCase(
                                    "a conversion killed before the schema, and later appends",
                                    t -> {
                                        t.convertAndDie(Moment.schemaWrite(), 1);
                                        t.append(1000, 1200);
                                        t.compact();
                                        t.append(1200, 1400);
                                    })
                            .finds(NOT_ENABLED)
                            .isMended(),
                    new DamageCase(
                                    "a conversion killed before the seal",
                                    t -> t.convertAndDie(Moment.snapshotWrite(), 2))
                            .finds(NOT_SEALED)
                            .isMended(),
                    new DamageCase(
                                    "a conversion killed before the seal, and a stale append",
                                    t -> {
                                        FileStoreTable job = t.open();
                                        t.convertAndDie(Moment.snapshotWrite(), 2);
                                        t.pendingAppend(job, 1000, 1200).commit();
                                    })
                            .finds(STRAY_FILE)
                            .isMended(),
                    new DamageCase(
                                    "two conversions at once",
                                    t -> t.convertWhile(Moment.snapshotWrite(), 1, t::convert))
                            .isSkipped(),
                    new DamageCase(
                                    "two conversions at once, and a stale append after one of them",
                                    t -> {
                                        FileStoreTable job = t.open();
                                        t.convertWhile(
                                                Moment.snapshotWrite(),
                                                2,
                                                () -> {
                                                    t.convert();
                                                    t.pendingAppend(job, 1000, 1200).commit();
                                                });
                                    })
                            .isSkipped());

    private Interruptions() {}
}
