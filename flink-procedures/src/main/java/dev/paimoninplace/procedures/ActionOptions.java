package dev.paimoninplace.procedures;

import dev.paimoninplace.adapter.CatalogConf;
import dev.paimoninplace.adapter.ReportFile;
import dev.paimoninplace.adapter.ReportFile.Existing;
import dev.paimoninplace.adapter.TableName;
import dev.paimoninplace.conversion.ConversionException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.flink.FlinkFileIOLoader;
import org.apache.paimon.flink.action.MultipleParameterToolAdapter;
import org.jspecify.annotations.Nullable;

/**
 * Reads the options of an action, with underscores or dashes, as Paimon's action jar hands them
 * over. Errors are of kind USAGE and repeat no value.
 */
final class ActionOptions {

    /** What Flink's parameter tool stores for an option without a value. */
    private static final String NO_VALUE = "__NO_VALUE_KEY";

    private final String action;
    private final MultipleParameterToolAdapter params;

    ActionOptions(String action, MultipleParameterToolAdapter params) {
        this.action = action;
        this.params = params;
    }

    /** Refuses options by name: Paimon's jar drops what an action does not ask for. */
    void refuse(Set<String> misspelt) {
        for (String option : misspelt) {
            if (params.has(option)) {
                throw usage("OPTION_UNKNOWN", "option --" + option + " is not known");
            }
        }
    }

    Identifier table() {
        return TableName.ofOptions(value("database"), value("table"));
    }

    CatalogConf catalogConf() {
        return CatalogConf.parse(
                value("warehouse"), values("catalog_conf"), value("catalog_conf_file"));
    }

    /** The file for the report, if one is wanted. */
    Optional<ReportFile> reportFile(CatalogConf catalogConf) {
        String path = value("report");
        Existing existing = flag("overwrite_report") ? Existing.REPLACED : Existing.KEPT;
        return path == null
                ? Optional.empty()
                : Optional.of(catalogConf.reportFile(path, existing, new FlinkFileIOLoader()));
    }

    /** Whether an option of the form {@code --option [true|false]} is set; absent means no. */
    boolean flag(String option) {
        List<String> values = values(option);
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

    /** The value of an option; null when it is not given. */
    @Nullable String value(String option) {
        List<String> values = values(option);
        if (values.size() > 1) {
            throw usage("OPTION_REPEATED", "--" + option + " is given twice");
        }
        if (values.contains(NO_VALUE)) {
            throw usage("OPTION_VALUE", "--" + option + " needs a value");
        }
        return values.isEmpty() ? null : values.get(0);
    }

    private List<String> values(String option) {
        Collection<String> underscored = params.getMultiParameter(option);
        List<String> values = new ArrayList<>(underscored == null ? List.of() : underscored);
        Collection<String> dashed = params.getMultiParameter(option.replace('_', '-'));
        // Paimon falls back to the dashes when there are no underscores: the same collection then.
        if (dashed != null && dashed != underscored) {
            values.addAll(dashed);
        }
        return values;
    }

    private ConversionException usage(String code, String fact) {
        return ConversionException.usage(
                code, "Cannot run " + action + ": " + fact + ". See --help.");
    }
}
