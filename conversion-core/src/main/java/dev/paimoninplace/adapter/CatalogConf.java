package dev.paimoninplace.adapter;

import dev.paimoninplace.conversion.CommittedSteps;
import dev.paimoninplace.conversion.ConversionException;
import dev.paimoninplace.conversion.ErrorKind;
import dev.paimoninplace.fence.GuardedCatalog;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.CatalogContext;
import org.apache.paimon.catalog.CatalogFactory;
import org.apache.paimon.fs.FileIO;
import org.apache.paimon.fs.FileIOLoader;
import org.apache.paimon.fs.Path;
import org.apache.paimon.options.CatalogOptions;
import org.apache.paimon.options.Options;
import org.jspecify.annotations.Nullable;

/**
 * The options that a catalog is opened with, as they come from a command line. No error and no
 * {@code toString} shows a value.
 */
public final class CatalogConf {

    private static final String WAREHOUSE = CatalogOptions.WAREHOUSE.key();
    private static final String CACHE_ENABLED = CatalogOptions.CACHE_ENABLED.key();

    /** Metastores whose warehouse is a path; elsewhere it may be a name. */
    private static final Set<String> WAREHOUSE_IS_PATH = Set.of("filesystem", "jdbc", "hive");

    private final Map<String, String> options;

    private CatalogConf(Map<String, String> options) {
        this.options = Map.copyOf(options);
    }

    /**
     * @param warehouse value of {@code --warehouse}, if given
     * @param pairs values of {@code --catalog_conf}, each {@code key=value}; the value may hold
     *     more of {@code =}
     * @param file value of {@code --catalog_conf_file}, a properties file in UTF-8, if given; the
     *     command line wins over it
     * @throws ConversionException of kind USAGE, code CATALOG_CONF or WAREHOUSE
     */
    public static CatalogConf parse(
            @Nullable String warehouse, List<String> pairs, @Nullable String file) {
        Map<String, String> options = new HashMap<>();
        if (file != null) {
            options.putAll(load(file));
        }
        Map<String, String> given = pairs(pairs);
        if (warehouse != null && given.containsKey(WAREHOUSE)) {
            throw malformed("the warehouse is given twice. Give it by --warehouse only");
        }
        options.putAll(given);
        if (warehouse != null) {
            options.put(WAREHOUSE, warehouse);
        }
        boolean onFileSystem = "filesystem".equals(GuardedCatalog.realMetastore(options));
        if (onFileSystem && options.getOrDefault(WAREHOUSE, "").isBlank()) {
            throw ConversionException.usage(
                    "WAREHOUSE", "Cannot open the catalog: --warehouse is missing. Add it.");
        }
        // One table is opened once; a cache could only show an old state of it.
        options.putIfAbsent(CACHE_ENABLED, "false");
        return new CatalogConf(options);
    }

    public Scrubber scrubber() {
        return Scrubber.of(options);
    }

    /**
     * Opens the catalog. A warehouse that does not exist is refused: Paimon would create it.
     *
     * @param fallback file systems for schemes that Paimon knows no better loader for
     * @throws ConversionException of kind USAGE, code WAREHOUSE; or of kind UNEXPECTED, code
     *     CATALOG
     */
    public Catalog open(@Nullable FileIOLoader fallback) {
        CatalogContext context = context(fallback);
        try {
            requireWarehouse(context);
            return CatalogFactory.createCatalog(context);
        } catch (ConversionException e) {
            throw e;
        } catch (IOException | RuntimeException e) {
            String message =
                    "Cannot open the catalog: "
                            + Failures.chain(e)
                            + ". Check the options, given are "
                            + String.join(", ", new TreeSet<>(options.keySet()))
                            + ".";
            throw new ConversionException(
                    ErrorKind.UNEXPECTED,
                    "CATALOG",
                    scrubber().scrub(message),
                    CommittedSteps.NONE,
                    e);
        }
    }

    /**
     * Opens the catalog, does the work and closes it. What was done is done: a catalog that does
     * not close does not change the result.
     *
     * @param fallback as for {@link #open}
     * @param warnings told when the catalog does not close
     * @throws ConversionException as {@link #open} and the work do
     */
    public <T> T use(
            @Nullable FileIOLoader fallback, Function<Catalog, T> work, Consumer<String> warnings) {
        Catalog catalog = open(fallback);
        try {
            return work.apply(catalog);
        } finally {
            try {
                catalog.close();
            } catch (Exception e) {
                warnings.accept(scrubber().scrub("The catalog was not closed: " + e + "."));
            }
        }
    }

    /**
     * The file for a report, looked at before anything is done.
     *
     * @param path value of {@code --report}
     * @param fallback as for {@link #open}
     * @throws ConversionException of kind USAGE, code REPORT
     */
    public ReportFile reportFile(
            String path, ReportFile.Existing existing, @Nullable FileIOLoader fallback) {
        return ReportFile.prepare(path, existing, context(fallback));
    }

    private CatalogContext context(@Nullable FileIOLoader fallback) {
        return CatalogContext.create(Options.fromMap(options), fallback);
    }

    private void requireWarehouse(CatalogContext context) throws IOException {
        String warehouse = options.get(WAREHOUSE);
        String metastore = GuardedCatalog.realMetastore(options);
        if (warehouse == null || !WAREHOUSE_IS_PATH.contains(metastore)) {
            return;
        }
        Path path = new Path(warehouse);
        try (FileIO fileIO = FileIO.get(path, context)) {
            if (!fileIO.exists(path)) {
                throw ConversionException.usage(
                        "WAREHOUSE",
                        "Cannot open the catalog: the warehouse does not exist, and it was not"
                                + " created. Check --warehouse.");
            }
        }
    }

    private static Map<String, String> pairs(List<String> pairs) {
        Map<String, String> options = new HashMap<>();
        Set<String> keys = new HashSet<>();
        for (String pair : pairs) {
            int equals = pair.indexOf('=');
            String key = equals < 0 ? "" : pair.substring(0, equals).strip();
            if (key.isEmpty()) {
                throw malformed(
                        "value "
                                + (keys.size() + 1)
                                + " of --catalog_conf is not of the form key=value."
                                + " Write --catalog_conf key=value");
            }
            if (!keys.add(key)) {
                throw malformed(key + " is given twice. Give it once");
            }
            options.put(key, pair.substring(equals + 1).strip());
        }
        return options;
    }

    private static Map<String, String> load(String file) {
        Properties properties = new Properties();
        try (Reader reader =
                Files.newBufferedReader(java.nio.file.Path.of(file), StandardCharsets.UTF_8)) {
            properties.load(reader);
        } catch (IOException | InvalidPathException e) {
            throw malformed(
                    "the file of --catalog_conf_file cannot be read, "
                            + reason(e)
                            + ". Name a readable properties file");
        } catch (IllegalArgumentException e) {
            throw malformed(
                    "the file of --catalog_conf_file holds a malformed \\u escape. Mend it");
        }
        Map<String, String> options = new HashMap<>();
        properties.stringPropertyNames().forEach(k -> options.put(k, properties.getProperty(k)));
        return options;
    }

    private static String reason(Exception e) {
        if (e instanceof NoSuchFileException) {
            return "there is no such file";
        }
        return e instanceof AccessDeniedException
                ? "access is denied"
                : "reading it fails with " + e.getClass().getSimpleName();
    }

    private static ConversionException malformed(String fact) {
        return ConversionException.usage(
                "CATALOG_CONF", "Cannot read the catalog options: " + fact + ".");
    }

    @Override
    public String toString() {
        return "CatalogConf" + new TreeSet<>(options.keySet());
    }
}
