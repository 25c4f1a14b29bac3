package dev.paimoninplace.action;

import dev.paimoninplace.adapter.CatalogConf;
import dev.paimoninplace.adapter.TableName;
import dev.paimoninplace.conversion.ConversionException;
import java.util.ArrayList;
import java.util.List;
import org.apache.paimon.catalog.Identifier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say which table of which catalog. */
final class TableArguments {

    @Option(
            names = "--warehouse",
            paramLabel = "<path>",
            description = "Warehouse of the catalog. It is not created when it does not exist.")
    private @Nullable String warehouse;

    @Option(names = "--database", paramLabel = "<name>", description = "Database of the table.")
    private @Nullable String database;

    @Option(
            names = "--table",
            paramLabel = "<name>",
            description = {
                "The table, or db.t without --database. 't$branch_b' is that branch only.",
                "Backticks around names are taken off."
            })
    private @Nullable String table;

    @Option(
            names = {"--catalog_conf", "--catalog-conf"},
            paramLabel = "<key=value>",
            description = "Option of the catalog. May be repeated.")
    private List<String> catalogConf = new ArrayList<>();

    @Option(
            names = {"--catalog_conf_file", "--catalog-conf-file"},
            paramLabel = "<path>",
            description = {
                "Properties file with options of the catalog.",
                "Keeps secrets off the command line, which other users of the machine can see."
            })
    private @Nullable String catalogConfFile;

    CatalogConf catalogConf() {
        return CatalogConf.parse(warehouse, catalogConf, catalogConfFile);
    }

    /**
     * @throws ConversionException of kind USAGE, when a name is missing or malformed
     */
    Identifier identifier() {
        return TableName.ofOptions(database, table);
    }
}
