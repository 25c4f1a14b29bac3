package dev.paimoninplace.damage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.paimoninplace.conversion.Check;
import dev.paimoninplace.conversion.ConversionReport;
import dev.paimoninplace.conversion.DataEvolutionConversion;
import dev.paimoninplace.testing.TestTable;
import dev.paimoninplace.verify.FindingCode;
import dev.paimoninplace.verify.Level;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.data.GenericArray;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.schema.Schema;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.sink.BatchTableCommit;
import org.apache.paimon.table.sink.BatchTableWrite;
import org.apache.paimon.table.sink.BatchWriteBuilder;
import org.apache.paimon.types.DataTypes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Damage that users of such tables reported, with more to check than the corpus does. */
final class ReportedCasesTest {

    @TempDir Path warehouse;
    private Catalog catalog;

    @BeforeEach
    void open() {
        catalog = TestTable.catalog(warehouse);
    }

    @AfterEach
    void close() throws Exception {
        catalog.close();
    }

    @Test
    void rowIdsStayUniqueThroughARollBackBetweenAppends() {
        DamagedTable table = DamagedTable.create(warehouse, catalog);
        FileStoreTable job = table.open();
        table.convert();
        long converted = table.snapshotId();
        table.append(1000, 1200);
        long kept = table.snapshotId();
        table.append(1200, 1400);
        table.rollBackTo(kept);
        table.append(1400, 1600);
        table.pendingAppend(job, 1600, 1800).commit();
        DamageProof proof = new DamageProof(table);

        proof.assertMends(Allow.NOTHING);
        table.append(1800, 2000);

        proof.assertSound();
        // The snapshot with the stray cannot be read by anybody.
        proof.assertIdsAreUniqueBut(converted, table.snapshotId() - 2);
        proof.use();
    }

    @Test
    void aFastForwardUndoesTheConversionWhichVerifySaysAndAnotherOneMends() {
        DamagedTable table = DamagedTable.create(warehouse, catalog);
        table.open().createTag("t1");
        table.open().createBranch("b", "t1");
        long before = table.snapshotId();
        table.convert();
        FileStoreTable job = table.open();
        DamageProof proof = new DamageProof(table);
        assertEquals(
                List.of(FindingCode.TAG_NOT_READABLE, FindingCode.BRANCH_NOT_ENABLED),
                proof.findings(Level.METADATA));
        table.append(1000, 1200);

        table.fastForward("b", before);
        assertEquals(List.of(FindingCode.NOT_ENABLED), proof.findings(Level.METADATA));
        table.append(1200, 1400);
        table.convert();
        table.append(1400, 1600);

        assertEquals(List.of(), errors(proof));
        assertEquals(table.rows(), table.table().rows());
        assertTrue(job.coreOptions().dataEvolutionEnabled());
        proof.use();
    }

    private static List<FindingCode> errors(DamageProof proof) {
        return proof.findings(Level.ROWS).stream()
                .filter(c -> c.severity() == dev.paimoninplace.verify.Finding.Severity.ERROR)
                .toList();
    }

    @Test
    void filesOfTheSecondVersionOfParquetAreFlaggedByDryRunAndVerify() throws Exception {
        Schema schema =
                Schema.newBuilder()
                        .column("id", DataTypes.INT())
                        .column("a", DataTypes.ARRAY(DataTypes.INT()))
                        .option("bucket", "-1")
                        .option("parquet.writer.version", "v2")
                        .build();
        Identifier identifier = Identifier.create("db", "t");
        catalog.createDatabase("db", true);
        catalog.createTable(identifier, schema, false);
        TestTable table = TestTable.existing(catalog, identifier);
        BatchWriteBuilder builder = table.load().newBatchWriteBuilder();
        try (BatchTableWrite write = builder.newWrite();
                BatchTableCommit commit = builder.newCommit()) {
            for (int id = 0; id < 10_000; id++) {
                write.write(GenericRow.of(id, new GenericArray(new Integer[] {id, -id})));
            }
            commit.commit(write.prepareCommit());
        }
        DataEvolutionConversion conversion = DataEvolutionConversion.of(catalog, identifier);

        ConversionReport predicted = conversion.predict();
        conversion.run();

        assertTrue(
                predicted.warnings().stream().map(Check::name).toList().contains("PARQUET_VERSION"),
                () -> predicted.warnings().toString());
        DamageProof proof =
                new DamageProof(DamagedTable.existing(warehouse, catalog, identifier, Map.of()));
        assertEquals(List.of(FindingCode.PARQUET_ENCODING), proof.findings(Level.FILES));
        proof.assertSkips(Allow.NOTHING);
    }
}
