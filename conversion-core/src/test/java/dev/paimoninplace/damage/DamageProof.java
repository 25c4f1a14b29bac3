package dev.paimoninplace.damage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.paimoninplace.conversion.ConversionException;
import dev.paimoninplace.conversion.DataEvolutionRepair;
import dev.paimoninplace.conversion.ErrorKind;
import dev.paimoninplace.conversion.RepairOptions;
import dev.paimoninplace.conversion.RepairReport;
import dev.paimoninplace.conversion.RepairReport.Outcome;
import dev.paimoninplace.testing.FolderListing;
import dev.paimoninplace.testing.TableProof;
import dev.paimoninplace.testing.TestTable;
import dev.paimoninplace.testing.TextRows;
import dev.paimoninplace.verify.DataEvolutionVerification;
import dev.paimoninplace.verify.Finding;
import dev.paimoninplace.verify.FindingCode;
import dev.paimoninplace.verify.Level;
import dev.paimoninplace.verify.VerificationReport;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.paimon.Snapshot;
import org.apache.paimon.table.FileStoreTable;

/** What must hold of a damaged table when verify and repair have been there. */
final class DamageProof {

    private static final int LATER = 1_000_000;

    private final DamagedTable damaged;
    private final TestTable table;

    DamageProof(DamagedTable damaged) {
        this.damaged = damaged;
        this.table = damaged.table();
    }

    /** What verify finds, each kind once, in its order. */
    List<FindingCode> findings(Level level) {
        return verify(level).findings().stream().map(Finding::code).distinct().toList();
    }

    private VerificationReport verify(Level level) {
        Map<String, String> before = FolderListing.of(damaged.warehouse());
        VerificationReport report =
                DataEvolutionVerification.of(table.catalog(), table.identifier())
                        .atLevel(level)
                        .run();
        assertEquals(before, FolderListing.of(damaged.warehouse()), "verify wrote something");
        return report;
    }

    private DataEvolutionRepair repair(RepairOptions options) {
        return DataEvolutionRepair.of(table.catalog(), table.identifier()).withOptions(options);
    }

    /** The dry run writes nothing and predicts the run, and then nothing is wrong any more. */
    RepairReport assertMends(RepairOptions options) {
        Map<String, String> before = FolderListing.of(damaged.warehouse());
        RepairReport predicted = repair(options).predict();
        assertEquals(Outcome.DRY_RUN, predicted.outcome());
        assertEquals(before, FolderListing.of(damaged.warehouse()), "the dry run wrote something");

        RepairReport done = repair(options).run();

        assertEquals(Outcome.REPAIRED, done.outcome());
        assertEquals(numbers(done), numbers(predicted));
        assertSound();
        assertSkips(RepairOptions.DEFAULTS);
        return done;
    }

    /** Mends what there is to mend by default; then nothing is wrong any more. */
    void assertMendsIfNeeded() {
        if (repair(RepairOptions.DEFAULTS).predict().mended().isEmpty()) {
            assertSkips(RepairOptions.DEFAULTS);
            assertSound();
        } else {
            assertMends(RepairOptions.DEFAULTS);
        }
    }

    /** All that a dry run can know. */
    private static Map<String, Object> numbers(RepairReport report) {
        Map<String, Object> numbers = new HashMap<>();
        numbers.put("stateBefore", report.stateBefore());
        numbers.put("stateAfter", report.stateAfter());
        numbers.put("schemaBefore", report.schemaBefore());
        numbers.put("schemaAfter", report.schemaAfter());
        numbers.put("snapshotBefore", String.valueOf(report.snapshotBefore()));
        numbers.put("snapshotAfter", report.snapshotAfter());
        numbers.put("nextRowIdBefore", report.nextRowIdBefore());
        numbers.put("nextRowId", report.nextRowId());
        numbers.put("mended", report.mended());
        numbers.put("left", report.left());
        numbers.put("files", report.files());
        numbers.put("rows", report.rows());
        numbers.put("filesRestored", report.filesRestored());
        numbers.put("sequencesMended", report.sequencesMended());
        numbers.put("rolledBackTo", String.valueOf(report.rolledBackTo()));
        numbers.put("losses", report.losses());
        numbers.put("filesCopied", report.filesCopied());
        numbers.put("filesRenumbered", report.filesRenumbered());
        if (report.rolledBackTo() == null && report.filesRenumbered() == 0) {
            numbers.put("manifestsRewritten", report.manifestsRewritten());
        }
        return numbers;
    }

    void assertSkips(RepairOptions options) {
        Map<String, String> before = FolderListing.of(damaged.warehouse());
        RepairReport predicted = repair(options).predict();
        RepairReport done = repair(options).run();
        assertEquals(Outcome.SKIPPED, done.outcome(), done::resultLine);
        assertEquals(numbers(done), numbers(predicted));
        assertEquals(before, FolderListing.of(damaged.warehouse()), "it wrote something");
    }

    void assertRefuses(String code) {
        Map<String, String> before = FolderListing.of(damaged.warehouse());
        List<ConversionException> refusals =
                List.of(
                        assertThrows(
                                ConversionException.class,
                                () -> repair(RepairOptions.DEFAULTS).predict()),
                        assertThrows(
                                ConversionException.class,
                                () -> repair(RepairOptions.DEFAULTS).run()));
        for (ConversionException refusal : refusals) {
            assertEquals(code, refusal.code(), refusal.getMessage());
            assertEquals(ErrorKind.REFUSED, refusal.kind());
        }
        assertEquals(before, FolderListing.of(damaged.warehouse()), "it wrote something");
    }

    /** The rows are the expected ones, verify sees no error, and no row id is there twice. */
    void assertSound() {
        List<Finding> errors =
                verify(Level.ROWS).findings().stream()
                        .filter(finding -> finding.severity() == Finding.Severity.ERROR)
                        .toList();
        assertEquals(List.of(), errors);
        assertEquals(damaged.rows(), table.rows());
        assertEquals(damaged.rows().size(), TextRows.idsByRowId(table.load()).size());
        Snapshot latest = Objects.requireNonNull(table.latest());
        long nextRowId = Objects.requireNonNull(latest.nextRowId());
        assertTrue(nextRowId >= TableProof.endOfIds(table.files()), "next row id " + nextRowId);
        for (Snapshot snapshot : TableProof.snapshots(table.load())) {
            Long older = snapshot.nextRowId();
            assertTrue(
                    older == null || older <= nextRowId,
                    () -> "snapshot " + snapshot.id() + " has next row id " + older);
        }
    }

    /**
     * No row id stands for two rows, whichever of the retained snapshots from a given one on is
     * read.
     *
     * @param except a snapshot that cannot be read
     */
    void assertIdsAreUniqueBut(long from, long except) {
        Map<Long, Integer> all = new HashMap<>();
        for (Snapshot snapshot : TableProof.snapshots(table.load())) {
            if (snapshot.id() >= from && snapshot.id() != except) {
                FileStoreTable then =
                        table.load().copy(Map.of("scan.snapshot-id", "" + snapshot.id()));
                TextRows.idsByRowId(then)
                        .forEach(
                                (rowId, id) ->
                                        assertEquals(
                                                id, all.getOrDefault(rowId, id), "of " + rowId));
                TextRows.idsByRowId(then).forEach(all::put);
            }
        }
        assertTrue(all.size() >= damaged.rows().size());
    }

    /** Later updates, deletions, appends and compactions do what they should. */
    void use() {
        damaged.update();
        assertEquals(damaged.rows(), table.rows());
        if (table.load().coreOptions().deletionVectorsEnabled()) {
            damaged.delete(7);
            assertEquals(damaged.rows(), table.rows());
        }
        damaged.append(LATER, LATER + 200);
        damaged.update();
        assertEquals(damaged.rows(), table.rows());
        damaged.compact();
        assertSound();
        assertSkips(RepairOptions.DEFAULTS);
    }
}
