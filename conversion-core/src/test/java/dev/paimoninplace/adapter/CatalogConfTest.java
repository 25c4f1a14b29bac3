package dev.paimoninplace.adapter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.paimoninplace.conversion.ConversionException;
import dev.paimoninplace.conversion.ErrorKind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.paimon.catalog.Catalog;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class CatalogConfTest {

    @TempDir Path folder;

    @Test
    void opensACatalogWithTheGivenOptions() throws Exception {
        CatalogConf conf =
                CatalogConf.parse(folder.toString(), List.of("my.key = a=b=c", "x="), null);

        try (Catalog catalog = conf.open(null)) {
            assertEquals("a=b=c", catalog.options().get("my.key"));
            assertEquals("", catalog.options().get("x"));
            assertEquals("false", catalog.options().get("cache-enabled"));
        }
    }

    @Test
    void letsTheCommandLineWinOverTheFile() throws Exception {
        Path file = folder.resolve("catalog.properties");
        Files.writeString(file, "warehouse=" + folder + "\na = 1 \nb=b\u00e9\n");
        CatalogConf conf = CatalogConf.parse(null, List.of("a=2"), file.toString());

        try (Catalog catalog = conf.open(null)) {
            assertEquals("2", catalog.options().get("a"));
            assertEquals("b\u00e9", catalog.options().get("b"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"zzsecret", "=zzsecret", " = zzsecret", ""})
    void refusesAPairWithoutKeyAndNeverRepeatsIt(String pair) {
        ConversionException failure = usage("CATALOG_CONF", List.of("a=1", pair), null);

        assertTrue(message(failure).contains("value 2 of --catalog_conf"), message(failure));
        assertFalse(message(failure).contains("zzsecret"), message(failure));
    }

    @Test
    void refusesAKeyGivenTwice() {
        ConversionException failure = usage("CATALOG_CONF", List.of("k=zz1", "k=zz2"), null);

        assertTrue(message(failure).contains("k is given twice"), message(failure));
        assertFalse(message(failure).contains("zz"), message(failure));
    }

    @Test
    void refusesAWarehouseGivenTwice() {
        ConversionException failure = usage("CATALOG_CONF", List.of("warehouse=/zz"), null);

        assertTrue(message(failure).contains("the warehouse is given twice"), message(failure));
    }

    @Test
    void refusesAFileThatIsNotThere() {
        ConversionException failure =
                usage("CATALOG_CONF", List.of(), folder.resolve("zz").toString());

        assertTrue(message(failure).contains("there is no such file"), message(failure));
        assertFalse(message(failure).contains("zz"), message(failure));
    }

    @Test
    void needsAWarehouseOnAFileSystem() {
        ConversionException failure =
                assertThrows(
                        ConversionException.class, () -> CatalogConf.parse(null, List.of(), null));

        assertEquals("WAREHOUSE", failure.code());
        assertTrue(message(failure).contains("--warehouse is missing"), message(failure));
    }

    @Test
    void refusesAWarehouseThatIsNotThereAndDoesNotCreateIt() {
        Path missing = folder.resolve("missing");
        CatalogConf conf = CatalogConf.parse(missing.toUri().toString(), List.of(), null);

        ConversionException failure =
                assertThrows(ConversionException.class, () -> conf.open(null));

        assertEquals(ErrorKind.USAGE, failure.kind());
        assertEquals("WAREHOUSE", failure.code());
        assertTrue(message(failure).contains("does not exist"), message(failure));
        assertFalse(Files.exists(missing));
    }

    @Test
    void namesTheOptionsButNotTheirValuesWhenTheCatalogDoesNotOpen() {
        CatalogConf conf =
                CatalogConf.parse(
                        folder.toString(),
                        List.of(
                                "metastore=jdbc",
                                "uri=jdbc:none://zzuser:zzpassword@host/db",
                                "jdbc.password=zzsecret"),
                        null);

        ConversionException failure =
                assertThrows(ConversionException.class, () -> conf.open(null));

        assertEquals(ErrorKind.UNEXPECTED, failure.kind());
        assertEquals("CATALOG", failure.code());
        assertTrue(message(failure).contains("jdbc.password"), message(failure));
        assertFalse(message(failure).contains("zz"), message(failure));
    }

    @Test
    void showsNoValueAsAString() {
        String text = CatalogConf.parse("/w", List.of("k=zzsecret"), null).toString();

        assertEquals("CatalogConf[cache-enabled, k, warehouse]", text);
    }

    private ConversionException usage(String code, List<String> pairs, @Nullable String file) {
        ConversionException failure =
                assertThrows(
                        ConversionException.class,
                        () -> CatalogConf.parse(folder.toString(), pairs, file));
        assertEquals(ErrorKind.USAGE, failure.kind());
        assertEquals(code, failure.code());
        return failure;
    }

    private static String message(ConversionException failure) {
        return String.valueOf(failure.getMessage());
    }
}
