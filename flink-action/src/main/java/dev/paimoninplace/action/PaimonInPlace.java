package dev.paimoninplace.action;

import dev.paimoninplace.adapter.FlinkFailure;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Option;

/** Entry point of the command line. */
@Command(
        name = "paimon-inplace",
        description = "In-place conversions of Apache Paimon tables.",
        versionProvider = PaimonInPlace.Version.class,
        synopsisSubcommandLabel = "<action>",
        commandListHeading = "%nActions:%n",
        footer = {
            "",
            "Run <action> --help for its options.",
            "Exit codes: 0 done or skipped, 1 unexpected, 2 usage, 3 refused,",
            "4 conflict (run again), 5 outcome unknown (run again), 6 verify found something."
        })
public final class PaimonInPlace {

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Print this text and exit.")
    private boolean help;

    @Option(
            names = {"-V", "--version"},
            versionHelp = true,
            description = "Print the version and exit.")
    private boolean version;

    private PaimonInPlace() {}

    /**
     * Exits with the code of {@link dev.paimoninplace.conversion.ErrorKind}, or throws when the
     * process belongs to somebody else, such as Flink's client or a JobManager.
     */
    public static void main(String[] args) {
        Host host = Host.current();
        Console console = new Console(writer(System.out), writer(System.err));
        int exitCode = execute(args, console, host);
        if (host == Host.OWN_PROCESS) {
            System.exit(exitCode);
        }
        FlinkFailure failure = console.failure();
        if (failure != null) {
            throw failure;
        }
    }

    /** Runs a command line in this process as if on its own; returns the exit code. */
    static int run(String[] args, PrintWriter out, PrintWriter err) {
        return execute(args, new Console(out, err), Host.OWN_PROCESS);
    }

    private static int execute(String[] args, Console console, Host host) {
        CommandLine line = new CommandLine(new PaimonInPlace());
        CommandFrame frame = new CommandFrame(console, host);
        line.addSubcommand(new EnableDataEvolutionCommand(frame));
        line.addSubcommand(new VerifyDataEvolutionCommand(frame));
        line.addSubcommand(new RepairDataEvolutionCommand(frame));
        line.setOut(console.out());
        line.setErr(console.err());
        line.setColorScheme(CommandLine.Help.defaultColorScheme(Ansi.OFF));
        line.setUsageHelpWidth(100);
        // A file named by "@" could hold anything, and picocli's errors would quote it.
        line.setExpandAtFiles(false);
        // Else "--table --dry_run" would take the dry run for a name, and convert.
        line.setAllowOptionsAsOptionParameters(false);
        line.setParameterExceptionHandler(
                (failure, arguments) -> console.fail(UsageErrors.of(failure), arguments));
        int exitCode = line.execute(args);
        console.flush();
        return exitCode;
    }

    private static PrintWriter writer(PrintStream stream) {
        return new PrintWriter(stream, true, Charset.defaultCharset());
    }

    static final class Version implements IVersionProvider {

        @Override
        public String[] getVersion() {
            String version = PaimonInPlace.class.getPackage().getImplementationVersion();
            return new String[] {
                "Paimon In-Place " + (version == null ? "(development build)" : version)
            };
        }
    }
}
