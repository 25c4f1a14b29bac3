package dev.paimoninplace.containers;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a command line program of Flink did in a container of its own.
 *
 * @param output everything it printed, to stdout and stderr
 */
record ClientRun(int exitCode, String output) {

    /** Fails unless it succeeded. Flink's SQL client ends with 0 when a statement failed. */
    ClientRun succeeded() {
        if (exitCode != 0 || output.contains("[ERROR]")) {
            throw new AssertionError("ended with " + exitCode + ": " + output);
        }
        return this;
    }

    /** The first group of the first place that matches. */
    String find(String pattern) {
        Matcher matcher = Pattern.compile(pattern).matcher(output);
        if (!matcher.find()) {
            throw new AssertionError("no " + pattern + " in: " + output);
        }
        return matcher.group(1);
    }
}
