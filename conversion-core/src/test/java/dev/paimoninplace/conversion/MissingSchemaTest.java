package dev.paimoninplace.conversion;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.paimoninplace.testing.FolderListing;
import dev.paimoninplace.testing.TestTable;
import dev.paimoninplace.verify.DataEvolutionVerification;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.paimon.catalog.Catalog;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** A table whose schemas were restored from an older backup than its snapshots. */
class MissingSchemaTest {

    @TempDir Path warehouse;

    @Test
    void everyCommandNamesTheSchemaAndWritesNothing() throws Exception {
        try (Catalog catalog = TestTable.catalog(warehouse)) {
            TestTable table = TestTable.unpartitioned(catalog, "t");
            table.append(0, 1_000);
            DataEvolutionConversion.of(catalog, table.identifier()).run();
            Files.delete(warehouse.resolve("db.db/t/schema/schema-1"));
            var before = FolderListing.of(warehouse);

            DataEvolutionConversion conversion =
                    DataEvolutionConversion.of(catalog, table.identifier());
            DataEvolutionRepair repair = DataEvolutionRepair.of(catalog, table.identifier());
            DataEvolutionVerification verification =
                    DataEvolutionVerification.of(catalog, table.identifier());
            List<Executable> commands =
                    List.of(
                            conversion::predict,
                            conversion::run,
                            repair::predict,
                            repair::run,
                            verification::run);
            for (Executable command : commands) {
                ConversionException refused = assertThrows(ConversionException.class, command);
                assertEquals("SCHEMA_MISSING", refused.code());
                String message = String.valueOf(refused.getMessage());
                assertTrue(message.contains("snapshot 3 names schema 1, which is not"), message);
            }
            assertEquals(before, FolderListing.of(warehouse));
        }
    }
}
