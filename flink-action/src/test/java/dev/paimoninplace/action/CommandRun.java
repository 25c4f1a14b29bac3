package dev.paimoninplace.action;

import java.io.PrintWriter;
import java.io.StringWriter;

/**
 * One run of the command line in this process.
 *
 * @param exitCode what the process would end with
 * @param out text written to stdout
 * @param err text written to stderr
 */
record CommandRun(int exitCode, String out, String err) {

    static CommandRun of(String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int exitCode = PaimonInPlace.run(args, new PrintWriter(out), new PrintWriter(err));
        return new CommandRun(exitCode, out.toString(), err.toString());
    }
}
