package dev.paimoninplace.procedures;

import dev.paimoninplace.adapter.CatalogConf;
import dev.paimoninplace.adapter.FlinkFailure;
import dev.paimoninplace.adapter.Scrubber;
import dev.paimoninplace.adapter.TableName;
import dev.paimoninplace.conversion.Check;
import dev.paimoninplace.conversion.ConversionOptions;
import dev.paimoninplace.conversion.ConversionOptions.OldWriters;
import dev.paimoninplace.conversion.ConversionReport;
import dev.paimoninplace.conversion.DataEvolutionConversion;
import dev.paimoninplace.conversion.ReportFormat;
import java.util.ArrayList;
import java.util.List;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.flink.FlinkFileIOLoader;
import org.apache.paimon.flink.action.MultipleParameterToolAdapter;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code enable_data_evolution} as a procedure and as an action. The signatures hold no type of
 * this project and none newer than Java 11: the classes that call them are compiled and verified
 * there.
 */
public final class EnableDataEvolution {

    private static final Logger LOG = LoggerFactory.getLogger(EnableDataEvolution.class);

    private EnableDataEvolution() {}

    /**
     * Runs the procedure.
     *
     * @param catalog catalog of the session; stays open
     * @param dryRun null means false, as for {@code oldWritersStopped}
     * @return the result line, then a line for each warning
     * @throws FlinkFailure whose message carries the code
     */
    public static String[] call(
            Catalog catalog,
            @Nullable String table,
            @Nullable Boolean dryRun,
            @Nullable Boolean oldWritersStopped) {
        Scrubber scrubber = Scrubber.of(catalog.options());
        try {
            Identifier identifier = TableName.parse(table);
            ConversionReport report =
                    convert(catalog, identifier, isTrue(dryRun), isTrue(oldWritersStopped));
            return rows(report, scrubber);
        } catch (RuntimeException e) {
            throw FlinkFailure.of(e, scrubber);
        }
    }

    /**
     * Runs the action and prints the report to stdout.
     *
     * @throws FlinkFailure whose message carries the code
     */
    public static void run(MultipleParameterToolAdapter params) {
        Scrubber scrubber = Scrubber.NONE;
        try {
            ActionArguments arguments = ActionArguments.parse(params);
            CatalogConf catalogConf = arguments.catalogConf();
            scrubber = catalogConf.scrubber();
            ConversionReport report = convert(catalogConf, arguments);
            System.out.println(ReportFormat.text(report, scrubber::scrub));
        } catch (RuntimeException e) {
            throw FlinkFailure.of(e, scrubber);
        }
    }

    private static ConversionReport convert(CatalogConf catalogConf, ActionArguments arguments) {
        Catalog catalog = catalogConf.open(new FlinkFileIOLoader());
        try {
            return convert(
                    catalog, arguments.table(), arguments.dryRun(), arguments.oldWritersStopped());
        } finally {
            close(catalog, catalogConf.scrubber());
        }
    }

    private static ConversionReport convert(
            Catalog catalog, Identifier table, boolean dryRun, boolean oldWritersStopped) {
        OldWriters oldWriters = oldWritersStopped ? OldWriters.STOPPED : OldWriters.UNKNOWN;
        DataEvolutionConversion conversion =
                DataEvolutionConversion.of(catalog, table)
                        .withOptions(ConversionOptions.DEFAULTS.withOldWriters(oldWriters));
        return dryRun ? conversion.predict() : conversion.run();
    }

    /** What was done is done: a catalog that does not close does not change the result. */
    private static void close(Catalog catalog, Scrubber scrubber) {
        try {
            catalog.close();
        } catch (Exception e) {
            LOG.warn("The catalog was not closed: {}", scrubber.scrub(e.toString()));
        }
    }

    private static String[] rows(ConversionReport report, Scrubber scrubber) {
        List<String> rows = new ArrayList<>();
        rows.add(report.resultLine());
        for (Check warning : report.warnings()) {
            rows.add("Warning " + warning.name() + ": " + scrubber.scrub(warning.text()));
        }
        return rows.toArray(new String[0]);
    }

    private static boolean isTrue(@Nullable Boolean value) {
        return value != null && value;
    }
}
