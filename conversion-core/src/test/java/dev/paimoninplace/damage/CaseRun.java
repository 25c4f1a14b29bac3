package dev.paimoninplace.damage;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.paimoninplace.damage.DamageCase.Ending;
import dev.paimoninplace.testing.TestTable;
import java.nio.file.Path;
import org.apache.paimon.catalog.Catalog;

/** Damages a table and holds verify and repair to what the case says. */
final class CaseRun {

    private CaseRun() {}

    /**
     * @param warehouse an empty folder
     */
    static void run(DamageCase damage, Path warehouse) throws Exception {
        try (Catalog catalog = TestTable.catalog(warehouse)) {
            DamagedTable table =
                    DamagedTable.create(
                            warehouse, catalog, damage.options().toArray(String[]::new));
            damage.damage().to(table);
            DamageProof proof = new DamageProof(table);

            assertEquals(damage.findings(), proof.findings(damage.level()));
            assertEnds(damage.ending(), table, proof);
        }
    }

    private static void assertEnds(Ending ending, DamagedTable table, DamageProof proof)
            throws Exception {
        if (ending instanceof Ending.Skipped) {
            proof.assertSkips(Allow.NOTHING);
            proof.assertSound();
        } else if (ending instanceof Ending.SkippedUntil left) {
            proof.assertSkips(Allow.NOTHING);
            left.remedy().to(table);
            proof.assertMendsIfNeeded();
        } else if (ending instanceof Ending.Mended mended) {
            proof.assertMends(mended.with());
        } else if (ending instanceof Ending.RefusedUntil refused) {
            proof.assertRefuses(refused.code());
            refused.remedy().to(table);
            proof.assertMendsIfNeeded();
        } else if (ending instanceof Ending.MendedIfAllowed allowed) {
            proof.assertRefuses(allowed.code());
            proof.assertMends(allowed.with());
        }
        proof.use();
    }
}
