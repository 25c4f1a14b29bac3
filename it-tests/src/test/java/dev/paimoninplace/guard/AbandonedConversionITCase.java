package dev.paimoninplace.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.paimoninplace.conversion.ConversionException;
import dev.paimoninplace.conversion.DataEvolutionConversion;
import dev.paimoninplace.testing.InterceptedFileIO;
import dev.paimoninplace.testing.Moment;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.test.junit5.InjectMiniCluster;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.paimon.catalog.Catalog;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A conversion that stops between the row ids and the schema holds no job up. */
final class AbandonedConversionITCase {

    @RegisterExtension static final MiniClusterExtension CLUSTER = Scenario.cluster();

    private static final int STEP = 2_000;

    @TempDir Path warehouse;
    private MiniCluster cluster;

    @BeforeEach
    void on(@InjectMiniCluster MiniCluster injected) {
        cluster = injected;
    }

    @Test
    void costsARunningJobOneRestartAndTheConversionThatGoesOnAnother() throws Exception {
        try (Scenario scenario = Scenario.unpartitioned(cluster, warehouse)) {
            scenario.start();
            scenario.writeAndCommit(STEP);

            abandonConversion(scenario);
            assertFalse(scenario.table().load().coreOptions().dataEvolutionEnabled());
            scenario.writeAndCommit(2 * STEP);
            scenario.writeAndCommit(3 * STEP);
            assertEquals(2, scenario.tap().starts());

            scenario.convert();
            scenario.writeAndCommit(4 * STEP);
            scenario.writeAndCommit(5 * STEP);

            assertEquals(3, scenario.tap().starts());
            scenario.endAndProve(5 * STEP);
        }
    }

    @Test
    void doesNotStopAJobThatStartsAfterwards() throws Exception {
        try (Scenario scenario = Scenario.unpartitioned(cluster, warehouse)) {
            scenario.table().append(0, STEP);
            abandonConversion(scenario);

            scenario.tap().skipTo(STEP);
            scenario.start();
            scenario.writeAndCommit(2 * STEP);
            scenario.writeAndCommit(3 * STEP);

            assertEquals(1, scenario.tap().starts());
            scenario.job().cancel();
            scenario.convert();
            scenario.prove(3 * STEP);
        }
    }

    private void abandonConversion(Scenario scenario) throws Exception {
        Moment schemaWrite = Moment.schemaWrite();
        try (Catalog failing =
                InterceptedFileIO.catalog(
                        warehouse,
                        schemaWrite.before(
                                time -> {
                                    throw new IOException("the session is gone");
                                }))) {
            DataEvolutionConversion conversion =
                    DataEvolutionConversion.of(failing, scenario.table().identifier());
            assertThrows(ConversionException.class, conversion::run);
        }
    }
}
