package dev.paimoninplace.procedures;

import dev.paimoninplace.adapter.CatalogConf;
import dev.paimoninplace.adapter.TableName;
import dev.paimoninplace.conversion.ConversionException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.flink.action.MultipleParameterToolAdapter;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of the action, as Paimon's action jar hands them over. That jar drops options that
 * an action does not ask for, so the likely misspellings of the dry run are asked for and refused.
 *
 * @param table table to convert
 * @param catalogConf options of its catalog
 * @param dryRun whether nothing is to be written
 * @param oldWritersStopped whether no writer of Paimon 1.2 or older is left
 */
record ActionArguments(
        Identifier table, CatalogConf catalogConf, boolean dryRun, boolean oldWritersStopped) {

    /** What Flink's parameter tool stores for an option without a value. */
    private static final String NO_VALUE = "__NO_VALUE_KEY";

    private static final Set<String> MISSPELT =
            Set.of(
                    "dryrun",
                    "dryRun",
                    "dry",
                    "dry_runs",
                    "DRY_RUN",
                    "preview",
                    "old_writer_stopped");

    /**
     * @throws ConversionException of kind USAGE; its message repeats no value
     */
    static ActionArguments parse(MultipleParameterToolAdapter params) {
        for (String option : MISSPELT) {
            if (params.has(option)) {
                throw usage("OPTION_UNKNOWN", "option --" + option + " is not known");
            }
        }
        boolean dryRun = flag(params, "dry_run");
        boolean oldWritersStopped = flag(params, "old_writers_stopped");
        return new ActionArguments(
                TableName.ofOptions(single(params, "database"), single(params, "table")),
                catalogConf(params),
                dryRun,
                oldWritersStopped);
    }

    private static CatalogConf catalogConf(MultipleParameterToolAdapter params) {
        return CatalogConf.parse(
                single(params, "warehouse"),
                values(params, "catalog_conf"),
                single(params, "catalog_conf_file"));
    }

    private static boolean flag(MultipleParameterToolAdapter params, String option) {
        List<String> values = values(params, option);
        if (values.size() > 1) {
            throw usage("OPTION_REPEATED", "--" + option + " is given twice");
        }
        if (values.isEmpty()) {
            return false;
        }
        if (values.get(0).equals(NO_VALUE)) {
            return true;
        }
        return switch (values.get(0).toLowerCase(Locale.ROOT)) {
            case "true" -> true;
            case "false" -> false;
            default ->
                    throw usage(
                            "OPTION_VALUE",
                            "--" + option + " accepts true or false, or no value for true");
        };
    }

    private static @Nullable String single(MultipleParameterToolAdapter params, String option) {
        List<String> values = values(params, option);
        if (values.size() > 1) {
            throw usage("OPTION_REPEATED", "--" + option + " is given twice");
        }
        if (values.contains(NO_VALUE)) {
            throw usage("OPTION_VALUE", "--" + option + " needs a value");
        }
        return values.isEmpty() ? null : values.get(0);
    }

    /** Values under both spellings, with underscores and with dashes. */
    private static List<String> values(MultipleParameterToolAdapter params, String option) {
        Collection<String> underscored = params.getMultiParameter(option);
        List<String> values = new ArrayList<>(underscored == null ? List.of() : underscored);
        Collection<String> dashed = params.getMultiParameter(option.replace('_', '-'));
        // Paimon falls back to the dashes when there are no underscores: the same collection then.
        if (dashed != null && dashed != underscored) {
            values.addAll(dashed);
        }
        return values;
    }

    private static ConversionException usage(String code, String fact) {
        return ConversionException.usage(
                code, "Cannot run enable_data_evolution: " + fact + ". See --help.");
    }
}
