package dev.paimoninplace.shapes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.paimoninplace.conversion.Check;
import dev.paimoninplace.conversion.CommittedSteps;
import dev.paimoninplace.conversion.ConversionException;
import dev.paimoninplace.conversion.DataEvolutionConversion;
import dev.paimoninplace.conversion.ErrorKind;
import dev.paimoninplace.testing.FolderListing;
import dev.paimoninplace.testing.TestTable;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.schema.Schema;
import org.apache.paimon.types.DataTypes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tables that cannot be converted are left exactly as they are. */
final class RefusalsTest {

    @TempDir Path warehouse;
    private Catalog catalog;

    @BeforeEach
    void open() throws Exception {
        catalog = TestTable.catalog(warehouse);
        catalog.createDatabase("db", true);
    }

    @AfterEach
    void close() throws Exception {
        catalog.close();
    }

    /** Both a dry run and a real one refuse, with the same words, and write nothing. */
    private ConversionException refusal(Identifier identifier) {
        DataEvolutionConversion conversion = DataEvolutionConversion.of(catalog, identifier);
        Map<String, String> listing = FolderListing.of(warehouse);

        ConversionException predicted =
                assertThrows(ConversionException.class, conversion::predict);
        ConversionException refusal = assertThrows(ConversionException.class, conversion::run);

        assertEquals(listing, FolderListing.of(warehouse));
        assertEquals(predicted.getMessage(), refusal.getMessage());
        assertEquals(CommittedSteps.NONE, refusal.committed());
        return refusal;
    }

    private static void assertRefused(ConversionException refusal, String... codes) {
        assertEquals(ErrorKind.REFUSED, refusal.kind());
        assertEquals(codes[0], refusal.code());
        assertEquals(List.of(codes), refusal.failedChecks().stream().map(Check::name).toList());
        String message = String.valueOf(refusal.getMessage());
        for (Check check : refusal.failedChecks()) {
            assertTrue(message.contains(check.text()), message);
        }
        assertTrue(message.startsWith("Cannot convert db.t"), message);
    }

    private Identifier create(List<String> primaryKeys, String... options) throws Exception {
        Schema.Builder schema =
                Schema.newBuilder()
                        .column("id", DataTypes.INT())
                        .column("v", DataTypes.BIGINT())
                        .primaryKey(primaryKeys);
        for (int i = 0; i < options.length; i += 2) {
            schema.option(options[i], options[i + 1]);
        }
        Identifier identifier = Identifier.create("db", "t");
        catalog.createTable(identifier, schema.build(), false);
        return identifier;
    }

    @Test
    void aPrimaryKeyTable() throws Exception {
        assertRefused(refusal(create(List.of("id"), "bucket", "-1")), "PRIMARY_KEY");
    }

    static Stream<Arguments> options() {
        return Stream.of(
                Arguments.of("BUCKET", new String[] {"bucket", "4", "bucket-key", "id"}),
                Arguments.of(
                        "CLUSTERING_INCREMENTAL",
                        new String[] {
                            "clustering.incremental", "true", "clustering.columns", "id"
                        }),
                Arguments.of("PRECOMMIT_COMPACT", new String[] {"precommit-compact", "true"}),
                Arguments.of(
                        "ICEBERG_METADATA",
                        new String[] {"metadata.iceberg.storage", "table-location"}));
    }

    @ParameterizedTest
    @MethodSource("options")
    void aTableWithAnOptionThatDataEvolutionExcludes(String code, String[] options)
            throws Exception {
        assertRefused(refusal(create(List.of(), options)), code);
    }

    @Test
    void severalFailuresAreListedAtOnce() throws Exception {
        Identifier identifier =
                create(
                        List.of("id"),
                        "bucket",
                        "4",
                        "precommit-compact",
                        "true",
                        "metadata.iceberg.storage",
                        "table-location");

        ConversionException refusal = refusal(identifier);

        assertRefused(refusal, "PRIMARY_KEY", "BUCKET", "PRECOMMIT_COMPACT", "ICEBERG_METADATA");
        String message = String.valueOf(refusal.getMessage());
        assertTrue(message.startsWith("Cannot convert db.t: 4 checks failed.\n  - "), message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"t$snapshots", "t$files", "t$ro"})
    void aSystemTable(String name) throws Exception {
        create(List.of(), "bucket", "-1");

        ConversionException refusal = refusal(new Identifier("db", name));

        assertRefused(refusal, "TABLE_TYPE");
    }

    @ParameterizedTest
    @ValueSource(strings = {"missing", "t$branch_missing"})
    void aTableThatIsNotThere(String name) throws Exception {
        create(List.of(), "bucket", "-1");

        ConversionException refusal = refusal(new Identifier("db", name));

        assertEquals(ErrorKind.USAGE, refusal.kind());
        assertEquals("NO_SUCH_TABLE", refusal.code());
        assertTrue(String.valueOf(refusal.getMessage()).contains("db." + name));
    }

    @ParameterizedTest
    @EnumSource(BrokenTable.class)
    void aTableWhoseFilesCannotGetRowIds(BrokenTable broken) {
        TestTable table = broken.create(catalog);

        ConversionException refusal = refusal(table.identifier());

        assertRefused(refusal, broken.name());
        assertFalse(refusal.failedChecks().get(0).remedy().isEmpty());
    }
}
