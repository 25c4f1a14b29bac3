package dev.paimoninplace.conversion;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.paimoninplace.testing.FolderListing;
import dev.paimoninplace.testing.Folders;
import dev.paimoninplace.testing.TestTable;
import java.nio.file.Path;
import java.util.Map;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.FileSystemCatalog;
import org.apache.paimon.fs.local.LocalFileIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Catalogs whose server keeps schemas and snapshots. */
final class RestCatalogTest {

    @TempDir Path warehouse;

    /** Says of itself what a REST catalog says. */
    private static final class ServerSideCatalog extends FileSystemCatalog {

        ServerSideCatalog(Path warehouse) {
            super(LocalFileIO.create(), new org.apache.paimon.fs.Path(warehouse.toUri()));
        }

        @Override
        public boolean supportsVersionManagement() {
            return true;
        }
    }

    @Test
    void aTableIsRefusedBeforeAnythingOfItIsReadOrWritten() throws Exception {
        try (Catalog plain = TestTable.catalog(warehouse)) {
            TestTable.unpartitioned(plain, "t").append(0, 10);
        }
        // The server has them; a client finds data files only.
        Path table = warehouse.resolve("db.db").resolve("t");
        Folders.delete(table.resolve("schema"));
        Folders.delete(table.resolve("snapshot"));
        Map<String, String> before = FolderListing.of(warehouse);

        try (Catalog catalog = new ServerSideCatalog(warehouse)) {
            DataEvolutionConversion conversion =
                    DataEvolutionConversion.of(catalog, PreparedTable.IDENTIFIER);
            ConversionException predicted =
                    assertThrows(ConversionException.class, conversion::predict);
            ConversionException refused = assertThrows(ConversionException.class, conversion::run);

            assertEquals(ErrorKind.REFUSED, refused.kind());
            assertEquals("REST_CATALOG", refused.code());
            assertEquals(
                    "Cannot convert db.t: it belongs to a REST catalog, which does not let a client"
                            + " replace manifests. Wait for the server to offer the conversion.",
                    refused.getMessage());
            assertEquals(refused.getMessage(), predicted.getMessage());
        }
        assertEquals(before, FolderListing.of(warehouse));
    }
}
