package dev.paimoninplace.verify;

import dev.paimoninplace.plan.TableFacts;
import dev.paimoninplace.plan.TableHandle;
import dev.paimoninplace.plan.TableView;
import java.io.FileNotFoundException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.paimon.Snapshot;
import org.apache.paimon.schema.SchemaManager;
import org.apache.paimon.schema.TableSchema;

/** Checks the retained snapshots, tags, branches and consumers of a converted table. */
final class HistoryCheck {

    private final TableHandle handle;
    private final TableFacts facts;
    private final Findings findings;
    private final Map<Long, Boolean> dataEvolution = new HashMap<>();

    HistoryCheck(TableHandle handle, TableFacts facts, Findings findings) {
        this.handle = handle;
        this.facts = facts;
        this.findings = findings;
    }

    /**
     * @param latest newest snapshot
     */
    void check(Snapshot latest) {
        long firstConverted = snapshots(latest);
        tags();
        branches();
        facts.consumers()
                .forEach(
                        (name, next) -> {
                            if (next < firstConverted) {
                                consumer(name, next, firstConverted);
                            }
                        });
    }

    /** Walks back through the retained snapshots; returns the oldest one that is converted. */
    private long snapshots(Snapshot latest) {
        long highest = 0;
        long highestId = 0;
        long firstConverted = latest.id() + 1;
        Snapshot snapshot = latest;
        while (true) {
            boolean converted = isDataEvolution(snapshot.schemaId());
            if (converted) {
                firstConverted = snapshot.id();
                oldWriter(snapshot);
            }
            Long next = snapshot.nextRowId();
            if (next != null && next > highest) {
                highest = next;
                highestId = snapshot.id();
            }
            try {
                snapshot = handle.snapshots().tryGetSnapshot(snapshot.id() - 1);
            } catch (FileNotFoundException e) {
                break;
            }
        }
        Long now = latest.nextRowId();
        if (now != null && now < highest) {
            findings.add(
                    Finding.ofTable(
                            FindingCode.NEXT_ROW_ID_FALLEN,
                            String.format(
                                    "snapshot %d has next row id %d, snapshot %d before it has %d",
                                    latest.id(), now, highestId, highest)));
        }
        return firstConverted;
    }

    private void oldWriter(Snapshot snapshot) {
        if (snapshot.nextRowId() == null) {
            findings.add(
                    Finding.ofTable(
                                    FindingCode.OLD_WRITER_COMMIT,
                                    "snapshot "
                                            + snapshot.id()
                                            + " has no next row id: Paimon 1.2 or older wrote it")
                            .withOrigin(origin(snapshot)));
        }
    }

    static Finding.Origin origin(Snapshot snapshot) {
        return new Finding.Origin(snapshot.id(), snapshot.commitUser(), snapshot.timeMillis());
    }

    private void tags() {
        handle.table()
                .tagManager()
                .tags()
                .forEach(
                        (snapshot, names) -> {
                            if (!isDataEvolution(snapshot.schemaId())) {
                                names.forEach(name -> tag(name, snapshot));
                            }
                        });
    }

    private void tag(String name, Snapshot snapshot) {
        findings.add(
                Finding.ofTable(
                        FindingCode.TAG_NOT_READABLE,
                        "tag "
                                + name
                                + " holds snapshot "
                                + snapshot.id()
                                + " from before the conversion"));
    }

    private void branches() {
        SchemaManager schemas = handle.schemas();
        for (String branch : facts.branches()) {
            Optional<TableSchema> schema = schemas.copyWithBranch(branch).latest();
            boolean plain = schema.map(s -> !TableView.isDataEvolution(s)).orElse(false);
            if (!branch.equals(facts.branch()) && plain) {
                findings.add(
                        Finding.ofTable(
                                FindingCode.BRANCH_NOT_ENABLED,
                                "branch " + branch + " is not converted"));
            }
        }
    }

    private void consumer(String name, long next, long firstConverted) {
        findings.add(
                Finding.ofTable(
                        FindingCode.CONSUMER_BEFORE,
                        String.format(
                                "consumer %s reads snapshot %d next, the conversion ends with %d",
                                name, next, firstConverted)));
    }

    private boolean isDataEvolution(long schemaId) {
        return dataEvolution.computeIfAbsent(
                schemaId, id -> TableView.isDataEvolution(handle.schemas().schema(id)));
    }
}
