package dev.paimoninplace.damage;

import static dev.paimoninplace.verify.FindingCode.HIDDEN_UPDATE;
import static dev.paimoninplace.verify.FindingCode.SEQUENCE_OUT_OF_RANGE;
import static dev.paimoninplace.verify.FindingCode.STRAY_FILE;
import static dev.paimoninplace.verify.FindingCode.TAG_NOT_READABLE;

import dev.paimoninplace.testing.Moment;
import dev.paimoninplace.testing.TestTable;
import java.util.List;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.schema.SchemaChange;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.types.DataTypes;

/** Jobs that opened the plain table before it was converted, and commit afterwards. */
final class StaleJobs {

    private static final String[] VECTORS = {"deletion-vectors.enabled", "true"};

    static final List<DamageCase> CASES =
            List.of(
                    new DamageCase(
                                    "a stale append after the conversion",
                                    t -> {
                                        FileStoreTable job = t.open();
                                        t.convert();
                                        t.pendingAppend(job, 1000, 1200).commit();
                                    })
                            .finds(STRAY_FILE)
                            .isMended(),
                    new DamageCase(
                                    "a stale append before the row ids are committed",
                                    t -> {
                                        Pending append = t.pendingAppend(t.open(), 1000, 1200);
                                        t.convertWhile(Moment.snapshotWrite(), 1, append::commit);
                                    })
                            .isSkipped(),
                    new DamageCase(
                                    "a stale append between row ids and schema",
                                    t -> {
                                        Pending append = t.pendingAppend(t.open(), 1000, 1200);
                                        t.convertWhile(Moment.schemaWrite(), 1, append::commit);
                                    })
                            .isSkipped(),
                    new DamageCase(
                                    "a stale append between schema and seal",
                                    t -> {
                                        Pending append = t.pendingAppend(t.open(), 1000, 1200);
                                        t.convertWhile(Moment.snapshotWrite(), 2, append::commit);
                                    })
                            .isSkipped(),
                    new DamageCase(
                                    "a stale compaction after the conversion",
                                    t -> {
                                        Pending compaction = t.pendingCompaction(t.open());
                                        t.convert();
                                        compaction.commit();
                                    })
                            .finds(STRAY_FILE)
                            .isMended(),
                    new DamageCase(
                                    "a compaction that a stale job plans and runs afterwards",
                                    t -> {
                                        FileStoreTable job = t.open();
                                        t.convert();
                                        t.pendingCompaction(job).commit();
                                    })
                            .finds(STRAY_FILE)
                            .isMended(),
                    new DamageCase(
                                    "a stale overwrite after the conversion",
                                    t -> {
                                        FileStoreTable job = t.open();
                                        t.convert();
                                        t.pendingOverwrite(job, "p1", 1000, 1100).commit();
                                    })
                            .finds(STRAY_FILE)
                            .isMended(),
                    new DamageCase(
                                    "a stale overwrite of an updated partition",
                                    t -> {
                                        FileStoreTable job = t.open();
                                        t.convert();
                                        t.update();
                                        t.pendingOverwrite(job, "p1", 1000, 1100).commit();
                                    })
                            .finds(STRAY_FILE)
                            .isMended(),
                    new DamageCase(
                                    "a stale deletion by deletion vectors",
                                    t -> {
                                        FileStoreTable job = t.open();
                                        t.convert();
                                        t.deleteThrough(job, 5);
                                    })
                            .withOptions(VECTORS)
                            .isSkipped(),
                    new DamageCase(
                                    "a partition dropped by a stale job",
                                    t -> {
                                        FileStoreTable job = t.open();
                                        t.convert();
                                        t.dropPartition(job, "p1");
                                    })
                            .isSkipped(),
                    new DamageCase(
                                    "an INSERT from a session with the old table in its cache",
                                    t -> {
                                        try (Catalog session = TestTable.catalog(t.warehouse())) {
                                            FileStoreTable cached =
                                                    (FileStoreTable)
                                                            session.getTable(
                                                                    t.table().identifier());
                                            t.convert();
                                            FileStoreTable again =
                                                    (FileStoreTable)
                                                            session.getTable(
                                                                    t.table().identifier());
                                            t.pendingAppend(
                                                            again.schema().id() == 0
                                                                    ? again
                                                                    : cached,
                                                            1000,
                                                            1200)
                                                    .commit();
                                        }
                                    })
                            .finds(STRAY_FILE)
                            .isMended(),
                    new DamageCase(
                                    "a writer that refreshed its schema under a stale committer",
                                    t -> {
                                        FileStoreTable committer = t.open();
                                        t.convert();
                                        t.pendingAppend(t.open(), 1000, 1200)
                                                .commitThrough(committer);
                                    })
                            .finds(STRAY_FILE)
                            .isMended(),
                    new DamageCase(
                                    "an append from before, committed by a restarted job",
                                    t -> {
                                        Pending append = t.pendingAppend(t.open(), 1000, 1200);
                                        t.convert();
                                        append.commitThrough(t.open());
                                    })
                            .isSkipped(),
                    new DamageCase(
                                    "a compaction from before, committed by a restarted job",
                                    t -> {
                                        Pending compaction = t.pendingCompaction(t.open());
                                        t.convert();
                                        compaction.commitThrough(t.open());
                                    })
                            .finds(STRAY_FILE)
                            .isMended(),
                    new DamageCase(
                                    "a restored committable whose row counters went on",
                                    t -> {
                                        try (StreamingJob job = new StreamingJob(t, t.open())) {
                                            job.pending(1000, 1200).commit();
                                            Pending second = job.pending(1200, 1400);
                                            t.convert();
                                            second.commitThrough(t.open());
                                        }
                                    })
                            .finds(SEQUENCE_OUT_OF_RANGE)
                            .isMended(),
                    new DamageCase(
                                    "an update of a restored committable whose counters went on",
                                    t -> {
                                        try (StreamingJob job = new StreamingJob(t, t.open())) {
                                            job.pending(1000, 1200).commit();
                                            Pending second = job.pending(1200, 1400);
                                            t.convert();
                                            second.commitThrough(t.open());
                                        }
                                        t.update();
                                    })
                            .finds(HIDDEN_UPDATE, SEQUENCE_OUT_OF_RANGE)
                            .isMended(),
                    new DamageCase(
                                    "a stale streaming job that commits three times",
                                    t -> {
                                        try (StreamingJob job = new StreamingJob(t, t.open())) {
                                            job.pending(1000, 1200).commit();
                                            t.convert();
                                            job.pending(1200, 1400).commit();
                                            job.pending(1400, 1600).commit();
                                        }
                                    })
                            .finds(STRAY_FILE)
                            .isMended(),
                    new DamageCase(
                                    "a stale append among appends, updates and deletions",
                                    t -> {
                                        FileStoreTable job = t.open();
                                        t.convert();
                                        t.update();
                                        t.append(1000, 1200);
                                        t.delete(5);
                                        t.pendingAppend(job, 1200, 1400).commit();
                                        t.append(1400, 1600);
                                    })
                            .withOptions(VECTORS)
                            .finds(STRAY_FILE)
                            .isMended(),
                    new DamageCase(
                                    "a stale append after columns came, went and changed names",
                                    t -> {
                                        t.table().addColumn("gone");
                                        FileStoreTable job = t.open();
                                        t.convert();
                                        t.table().alter(SchemaChange.dropColumn("gone"));
                                        t.table().addColumn("added");
                                        t.pendingAppend(job, 1000, 1200).commit();
                                        t.table()
                                                .alter(
                                                        SchemaChange.addColumn(
                                                                "gone", DataTypes.STRING()));
                                    })
                            .finds(STRAY_FILE)
                            .isMended(),
                    new DamageCase(
                                    "a stale append whose manifests are compacted",
                                    t -> {
                                        FileStoreTable job = t.open();
                                        t.convert();
                                        t.pendingAppend(job, 1000, 1200).commit();
                                        t.append(1200, 1400);
                                        t.table().compactManifests();
                                    })
                            .finds(STRAY_FILE)
                            .isMended(),
                    new DamageCase(
                                    "a stale append whose snapshot has expired",
                                    t -> {
                                        FileStoreTable job = t.open();
                                        t.convert();
                                        t.pendingAppend(job, 1000, 1200).commit();
                                        for (int from = 1200; from < 2000; from += 200) {
                                            t.append(from, from + 200);
                                        }
                                    })
                            .withOptions(
                                    "snapshot.num-retained.min",
                                    "1",
                                    "snapshot.num-retained.max",
                                    "2")
                            .finds(STRAY_FILE)
                            .isMended(),
                    new DamageCase(
                                    "a stale append to a table that was converted empty of rows",
                                    t -> {
                                        t.dropPartition(t.open(), "p0");
                                        t.dropPartition(t.open(), "p1");
                                        FileStoreTable job = t.open();
                                        t.convert();
                                        t.pendingAppend(job, 1000, 1200).commit();
                                    })
                            .finds(STRAY_FILE)
                            .isMended(),
                    new DamageCase(
                                    "a stale append to a branch",
                                    t -> {
                                        t.open().createTag("t1");
                                        t.open().createBranch("b", "t1");
                                        t.switchTo("b");
                                        FileStoreTable job = t.open();
                                        t.convert();
                                        t.pendingAppend(job, 1000, 1200).commit();
                                    })
                            .finds(STRAY_FILE, TAG_NOT_READABLE)
                            .isMended());

    private StaleJobs() {}
}
