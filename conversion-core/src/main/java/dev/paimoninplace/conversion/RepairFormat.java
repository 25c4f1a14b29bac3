package dev.paimoninplace.conversion;

import dev.paimoninplace.verify.FindingCode;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.apache.paimon.shade.jackson2.com.fasterxml.jackson.databind.node.ArrayNode;
import org.apache.paimon.shade.jackson2.com.fasterxml.jackson.databind.node.JsonNodeFactory;
import org.apache.paimon.shade.jackson2.com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * The report of a repair as text for people and as JSON for programs. Both carry the same facts;
 * the JSON field names are listed in docs/repair.md and stay as they are.
 */
public final class RepairFormat {

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private RepairFormat() {}

    /**
     * Several lines without a last line break: the result, what is lost, what needs attention, what
     * was mended and left, and the numbers.
     *
     * @param filter applied to the text of every check, which may quote errors from below
     */
    public static String text(RepairReport report, UnaryOperator<String> filter) {
        TextReport text = new TextReport(report.resultLine());
        if (!report.losses().isEmpty()) {
            text.section("Lost commits");
            report.losses().forEach(loss -> text.line(loss.text()));
        }
        if (!report.warnings().isEmpty()) {
            text.section("Warnings");
            report.warnings().forEach(w -> text.line(w.name() + ": " + filter.apply(w.text())));
        }
        counts(text, "Mended", report.mended());
        counts(text, "Left as it is, see verify_data_evolution", report.left());
        if (!report.checks().isEmpty()) {
            text.section("Checks");
            report.checks().forEach(check -> text.line(ReportFormat.line(check, filter)));
        }
        text.section("Numbers");
        addNumbers(text, report);
        return text.toString();
    }

    private static void counts(TextReport text, String title, Map<FindingCode, Long> counts) {
        if (!counts.isEmpty()) {
            text.section(title);
            counts.forEach((code, count) -> text.line(code + " " + count));
        }
    }

    private static void addNumbers(TextReport text, RepairReport report) {
        Long snapshotBefore = report.snapshotBefore();
        text.value("state", report.stateBefore() + " -> " + report.stateAfter());
        text.value("schema", report.schemaBefore() + " -> " + report.schemaAfter());
        text.value(
                "snapshot",
                (snapshotBefore == null ? "none" : snapshotBefore)
                        + " -> "
                        + report.snapshotAfter());
        text.value("next row id", report.nextRowIdBefore() + " -> " + report.nextRowId());
        text.value("files", report.files() + " got row ids");
        text.value("rows", report.rows());
        text.value("restored", report.filesRestored() + " file(s)");
        text.value("sequences", report.sequencesMended() + " file(s)");
        text.value("renumbered", report.filesRenumbered() + " file(s)");
        text.value("copied", report.filesCopied() + " file(s)");
        text.value("manifests", report.manifestsRewritten() + " rewritten");
        text.value("attempts", report.attempts());
        text.value("elapsed", report.elapsedMillis() + " ms");
        text.value("run id", report.runId());
    }

    /**
     * One line of JSON.
     *
     * @param filter as for {@link #text}
     */
    public static String json(RepairReport report, UnaryOperator<String> filter) {
        ObjectNode json = NODES.objectNode();
        json.put("result", report.resultLine());
        json.put("outcome", report.outcome().name());
        json.put("dryRun", report.outcome() == RepairReport.Outcome.DRY_RUN);
        json.put("table", report.table());
        json.put("runId", report.runId());
        json.put("stateBefore", report.stateBefore().name());
        json.put("stateAfter", report.stateAfter().name());
        json.put("schemaBefore", report.schemaBefore());
        json.put("schemaAfter", report.schemaAfter());
        json.put("snapshotBefore", report.snapshotBefore());
        json.put("snapshotAfter", report.snapshotAfter());
        json.put("nextRowIdBefore", report.nextRowIdBefore());
        json.put("nextRowId", report.nextRowId());
        json.set("mended", counts(report.mended()));
        json.set("left", counts(report.left()));
        json.put("files", report.files());
        json.put("rows", report.rows());
        json.put("filesRestored", report.filesRestored());
        json.put("sequencesMended", report.sequencesMended());
        json.put("filesRenumbered", report.filesRenumbered());
        json.put("rolledBackTo", report.rolledBackTo());
        json.set("losses", losses(report.losses()));
        json.put("filesCopied", report.filesCopied());
        json.put("manifestsRewritten", report.manifestsRewritten());
        json.put("attempts", report.attempts());
        json.set("checks", ReportFormat.checks(report.checks(), filter));
        json.set("warnings", ReportFormat.checks(report.warnings(), filter));
        json.put("elapsedMillis", report.elapsedMillis());
        return json.toString();
    }

    private static ObjectNode counts(Map<FindingCode, Long> counts) {
        ObjectNode node = NODES.objectNode();
        counts.forEach((code, count) -> node.put(code.name(), count));
        return node;
    }

    private static ArrayNode losses(List<LostCommit> losses) {
        ArrayNode array = NODES.arrayNode();
        for (LostCommit loss : losses) {
            ObjectNode node = array.addObject();
            node.put("snapshotId", loss.snapshotId());
            node.put("kind", loss.kind());
            node.put("commitUser", loss.commitUser());
            node.put("commitMillis", loss.commitMillis());
            node.put("addedRows", loss.addedRows());
            node.put("updatedRows", loss.updatedRows());
            node.put("removedRows", loss.removedRows());
        }
        return array;
    }
}
