package dev.paimoninplace.action;

import dev.paimoninplace.conversion.ConversionException;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.OverwrittenOptionException;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Picocli's errors in words of our own: its own quote values, which may be passwords. */
final class UsageErrors {

    /** An option as it is written; what follows "=" is a value. */
    private static final Pattern OPTION = Pattern.compile("(--?[A-Za-z][A-Za-z0-9_-]*)(=.*)?");

    private UsageErrors() {}

    static ConversionException of(ParameterException failure) {
        String option = option(failure);
        if (failure instanceof OverwrittenOptionException) {
            return ConversionException.usage(
                    "OPTION_REPEATED",
                    "Cannot read the options: " + option + " is given twice. Give it once.");
        }
        if (failure instanceof MissingParameterException) {
            return ConversionException.usage(
                    "OPTION_VALUE", "Cannot read " + option + ": it needs a value. Add it.");
        }
        if (failure instanceof UnmatchedArgumentException unmatched) {
            return unmatched(unmatched.getUnmatched());
        }
        if (failure.getArgSpec() == null) {
            return ConversionException.usage("OPTION_MISSING", "Cannot run: " + noAction(failure));
        }
        return ConversionException.usage(
                "OPTION_VALUE",
                "Cannot read " + option + ": its value is not one that it accepts.");
    }

    private static ConversionException unmatched(List<String> arguments) {
        for (String argument : arguments) {
            Matcher matcher = OPTION.matcher(argument);
            if (matcher.matches()) {
                return ConversionException.usage(
                        "OPTION_UNKNOWN",
                        "Cannot read the options: "
                                + matcher.group(1)
                                + " is not known. See --help for those that are.");
            }
        }
        return ConversionException.usage(
                "OPTION_UNKNOWN",
                "Cannot read the options: there is a word that belongs to none of them."
                        + " Quote values that hold spaces, and begin options with --.");
    }

    /** What picocli says without naming an option is that there is no subcommand. */
    private static String noAction(ParameterException failure) {
        Set<String> actions = failure.getCommandLine().getSubcommands().keySet();
        return "no action is given. Give one: " + String.join(", ", actions) + ".";
    }

    private static String option(ParameterException failure) {
        ArgSpec spec = failure.getArgSpec();
        if (spec == null && failure instanceof MissingParameterException missing) {
            spec = missing.getMissing().isEmpty() ? null : missing.getMissing().get(0);
        }
        if (spec == null && failure instanceof OverwrittenOptionException overwritten) {
            spec = overwritten.getOverwritten();
        }
        return spec instanceof OptionSpec option ? option.names()[0] : "an option";
    }
}
