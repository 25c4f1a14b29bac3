package dev.paimoninplace.action;

import dev.paimoninplace.conversion.ConversionException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Reads option values. Errors name the option and what it accepts, never the value given. */
final class OptionValues {

    private OptionValues() {}

    /** Whether an option of the form {@code --option [true|false]} is set; absent means no. */
    static boolean isTrue(String option, @Nullable String value) {
        if (value == null) {
            return false;
        }
        return switch (value.toLowerCase(Locale.ROOT)) {
            case "true" -> true;
            case "false" -> false;
            default -> throw bad(option, "true or false, or no value, which means true");
        };
    }

    static int positive(String option, String value) {
        try {
            int number = Integer.parseInt(value);
            if (number > 0) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Falls through: not a number is as bad as one that is too small.
        }
        throw bad(option, "a whole number of at least 1");
    }

    static Format format(String option, @Nullable String value) {
        if (value == null) {
            return Format.TEXT;
        }
        return switch (value.toLowerCase(Locale.ROOT)) {
            case "text" -> Format.TEXT;
            case "json" -> Format.JSON;
            default -> throw bad(option, "text or json");
        };
    }

    static ConversionException bad(String option, String accepted) {
        return ConversionException.usage(
                "OPTION_VALUE", "Cannot read " + option + ": it accepts " + accepted + ".");
    }
}
