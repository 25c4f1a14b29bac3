package dev.paimoninplace.action;

import dev.paimoninplace.adapter.ActionResult;
import dev.paimoninplace.adapter.CatalogConf;
import dev.paimoninplace.adapter.ProgressLines;
import dev.paimoninplace.adapter.ReportFile;
import dev.paimoninplace.adapter.Scrubber;
import dev.paimoninplace.adapter.TableAction;
import dev.paimoninplace.conversion.ProgressListener;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.flink.FlinkFileIOLoader;
import org.apache.paimon.fs.FileIOLoader;
import org.jspecify.annotations.Nullable;

/** What every command does around its action. */
final class CommandFrame {

    private final Console console;
    private final Host host;

    CommandFrame(Console console, Host host) {
        this.console = console;
        this.host = host;
    }

    /** A line that moves on a terminal, plain lines elsewhere. */
    ProgressListener progress() {
        return host == Host.OWN_PROCESS && System.console() != null
                ? new ProgressLine(console.err())
                : new ProgressLines(console::progress);
    }

    /**
     * Reads all options, opens the catalog, runs the action, prints its result and keeps it.
     *
     * @param action reads the options of the action itself
     * @return the exit code
     */
    int run(TableArguments tableArguments, RunArguments arguments, Supplier<TableAction> action) {
        Scrubber scrubber = Scrubber.NONE;
        Format form = Format.TEXT;
        try {
            form = arguments.format();
            Identifier table = tableArguments.identifier();
            CatalogConf catalogConf = tableArguments.catalogConf();
            scrubber = catalogConf.scrubber();
            TableAction ready = action.get();
            Optional<ReportFile> report = arguments.reportFile(catalogConf, fileSystems());
            ActionResult result = run(ready, catalogConf, table);
            console.print(result, form);
            // There is one line of JSON on stdout now; what fails from here on goes to stderr only.
            form = Format.TEXT;
            if (report.isPresent()) {
                report.get().write(result, scrubber);
            }
            return result.found().isPresent() ? console.found(result.found().get(), scrubber) : 0;
        } catch (Exception | LinkageError e) {
            return console.fail(e, form, scrubber, arguments.failureDetail());
        }
    }

    private ActionResult run(TableAction action, CatalogConf catalogConf, Identifier table) {
        Scrubber scrubber = catalogConf.scrubber();
        return catalogConf.use(
                fileSystems(), catalog -> action.run(catalog, table, scrubber), console::warn);
    }

    /**
     * Flink's file systems, with the plug-ins it was set up with, can be used inside Flink only.
     */
    private @Nullable FileIOLoader fileSystems() {
        return host == Host.GUEST ? new FlinkFileIOLoader() : null;
    }
}
