package dev.paimoninplace.procedures;

import dev.paimoninplace.adapter.ActionResult;
import dev.paimoninplace.adapter.FlinkFailure;
import dev.paimoninplace.adapter.Scrubber;
import dev.paimoninplace.adapter.TableAction;
import dev.paimoninplace.adapter.TableName;
import dev.paimoninplace.verify.DataEvolutionVerification;
import dev.paimoninplace.verify.Finding;
import dev.paimoninplace.verify.Finding.Origin;
import dev.paimoninplace.verify.FindingCode;
import dev.paimoninplace.verify.Level;
import dev.paimoninplace.verify.VerificationReport;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.types.Row;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.flink.action.MultipleParameterToolAdapter;
import org.jspecify.annotations.Nullable;

/**
 * {@code verify_data_evolution} as a procedure and as an action. As for {@link
 * EnableDataEvolution}, the signatures hold no type of this project.
 */
public final class VerifyDataEvolution {

    /** Code of the one row that a table gives in which nothing was found. */
    private static final String CLEAN = "CLEAN";

    private static final String OK = "OK";

    private VerifyDataEvolution() {}

    /**
     * Runs the procedure.
     *
     * @param catalog catalog of the session; stays open
     * @param level name of a level in any case; null means METADATA
     * @return a row for each finding, with code, severity, file, partition, snapshot, commit user,
     *     commit time, detail and repair; a single row with code CLEAN when there is none
     * @throws FlinkFailure whose message carries the code
     */
    public static Row[] call(Catalog catalog, @Nullable String table, @Nullable String level) {
        Scrubber scrubber = Scrubber.of(catalog.options());
        try {
            Identifier identifier = TableName.parse(table);
            return rows(verify(catalog, identifier, Level.parse(level)), scrubber);
        } catch (RuntimeException e) {
            throw FlinkFailure.of(e, scrubber);
        }
    }

    /**
     * Runs the action and prints the report to stdout.
     *
     * @throws FlinkFailure whose message carries the code, also when something was found
     */
    public static void run(MultipleParameterToolAdapter params) {
        ActionRun.run(
                new ActionOptions("verify_data_evolution", params), VerifyDataEvolution::action);
    }

    private static TableAction action(ActionOptions options) {
        Level level = Level.parse(options.value("level"));
        return (catalog, table, scrubber) ->
                ActionResult.of(verify(catalog, table, level), scrubber);
    }

    private static VerificationReport verify(Catalog catalog, Identifier table, Level level) {
        return DataEvolutionVerification.of(catalog, table).atLevel(level).run();
    }

    private static Row[] rows(VerificationReport report, Scrubber scrubber) {
        if (report.isClean()) {
            return new Row[] {ofTable(CLEAN, OK, report.resultLine(), null)};
        }
        List<Row> rows = new ArrayList<>();
        for (FindingCode code : report.counts().keySet()) {
            report.findings(code).forEach(finding -> rows.add(row(finding, scrubber)));
            if (report.unlisted(code) > 0) {
                String detail = "and " + report.unlisted(code) + " more";
                rows.add(ofTable(code.name(), code.severity().name(), detail, code.repair()));
            }
        }
        return rows.toArray(new Row[0]);
    }

    private static Row row(Finding finding, Scrubber scrubber) {
        return Row.of(
                finding.code().name(),
                finding.severity().name(),
                finding.file().orElse(null),
                finding.partition().orElse(null),
                finding.origin().map(Origin::snapshotId).orElse(null),
                finding.origin().map(Origin::commitUser).orElse(null),
                finding.origin().map(o -> Instant.ofEpochMilli(o.commitMillis())).orElse(null),
                scrubber.scrub(finding.detail()),
                finding.repair());
    }

    private static Row ofTable(
            String code, String severity, String detail, @Nullable String repair) {
        return Row.of(code, severity, null, null, null, null, null, detail, repair);
    }
}
