package dev.paimoninplace.procedures;

import dev.paimoninplace.adapter.ActionResult;
import dev.paimoninplace.adapter.CatalogConf;
import dev.paimoninplace.adapter.FlinkFailure;
import dev.paimoninplace.adapter.ReportFile;
import dev.paimoninplace.adapter.Scrubber;
import dev.paimoninplace.adapter.TableAction;
import dev.paimoninplace.conversion.ConversionException;
import java.util.Optional;
import java.util.function.Function;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.flink.FlinkFileIOLoader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs an action of Paimon's own action jar and prints its result to stdout. */
final class ActionRun {

    private static final Logger LOG = LoggerFactory.getLogger(ActionRun.class);

    private ActionRun() {}

    /**
     * @param read makes the action from its own options
     * @throws FlinkFailure whose message carries the code, also when a verification found something
     */
    static void run(ActionOptions options, Function<ActionOptions, TableAction> read) {
        Scrubber scrubber = Scrubber.NONE;
        try {
            TableAction action = read.apply(options);
            Identifier table = options.table();
            CatalogConf catalogConf = options.catalogConf();
            scrubber = catalogConf.scrubber();
            run(action, table, catalogConf, options.reportFile(catalogConf));
        } catch (RuntimeException e) {
            throw FlinkFailure.of(e, scrubber);
        }
    }

    private static void run(
            TableAction action,
            Identifier table,
            CatalogConf catalogConf,
            Optional<ReportFile> report) {
        Scrubber scrubber = catalogConf.scrubber();
        ActionResult result =
                catalogConf.use(
                        new FlinkFileIOLoader(),
                        catalog -> action.run(catalog, table, scrubber),
                        LOG::warn);
        System.out.println(result.text());
        report.ifPresent(file -> file.write(result, scrubber));
        Optional<ConversionException> found = result.found();
        if (found.isPresent()) {
            throw found.get();
        }
    }
}
