package dev.paimoninplace.verify;

import dev.paimoninplace.conversion.TextReport;
import java.util.function.UnaryOperator;
import org.apache.paimon.shade.jackson2.com.fasterxml.jackson.databind.node.ArrayNode;
import org.apache.paimon.shade.jackson2.com.fasterxml.jackson.databind.node.JsonNodeFactory;
import org.apache.paimon.shade.jackson2.com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * The report of a verification as text for people and as JSON for programs. Both carry the same
 * facts; the JSON field names are listed in docs/verify.md and stay as they are.
 */
public final class VerificationFormat {

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private VerificationFormat() {}

    /**
     * Several lines without a last line break: the result, then each kind of finding with its
     * repair and its findings, then the numbers.
     *
     * @param filter applied to the detail of every finding, which may quote errors from below
     */
    public static String text(VerificationReport report, UnaryOperator<String> filter) {
        TextReport text = new TextReport(report.resultLine());
        for (FindingCode code : report.counts().keySet()) {
            text.section(code + " (" + code.severity() + ", " + report.counts().get(code) + ")");
            text.line(code.repair() + ".");
            report.findings(code).forEach(finding -> add(text, finding, filter));
            if (report.unlisted(code) > 0) {
                text.line("- and " + report.unlisted(code) + " more");
            }
        }
        text.section("Numbers");
        text.value("state", report.state());
        text.value("schema", report.schemaId());
        text.value("snapshot", report.snapshotId());
        text.value("files", report.files());
        text.value("rows", report.rows());
        text.value("next row id", report.nextRowId());
        text.value("elapsed", report.elapsedMillis() + " ms");
        return text.toString();
    }

    private static void add(TextReport text, Finding finding, UnaryOperator<String> filter) {
        String detail = filter.apply(finding.detail());
        text.line("- " + finding.file().map(file -> file + ": " + detail).orElse(detail));
        finding.partition().ifPresent(partition -> text.subLine("partition " + partition));
        finding.origin().ifPresent(origin -> text.subLine(line(origin)));
    }

    private static String line(Finding.Origin origin) {
        return String.format(
                "snapshot %d by %s at %s",
                origin.snapshotId(), origin.commitUser(), TextReport.time(origin.commitMillis()));
    }

    /**
     * One line of JSON.
     *
     * @param filter as for {@link #text}
     */
    public static String json(VerificationReport report, UnaryOperator<String> filter) {
        ObjectNode json = NODES.objectNode();
        json.put("result", report.resultLine());
        json.put("table", report.table());
        json.put("level", report.level().name());
        json.put("state", report.state().name());
        json.put("schemaId", report.schemaId());
        json.put("snapshotId", report.snapshotId());
        json.put("nextRowId", report.nextRowId());
        json.put("files", report.files());
        json.put("rows", report.rows());
        json.put("clean", report.isClean());
        ObjectNode counts = json.putObject("counts");
        report.counts().forEach((code, count) -> counts.put(code.name(), count));
        ArrayNode findings = json.putArray("findings");
        report.findings().forEach(finding -> add(findings.addObject(), finding, filter));
        json.put("elapsedMillis", report.elapsedMillis());
        return json.toString();
    }

    /** Every finding has all fields; those that are not known are null. */
    private static void add(ObjectNode node, Finding finding, UnaryOperator<String> filter) {
        node.put("code", finding.code().name());
        node.put("severity", finding.severity().name());
        node.put("file", finding.file().orElse(null));
        node.put("partition", finding.partition().orElse(null));
        node.put("snapshotId", finding.origin().map(Finding.Origin::snapshotId).orElse(null));
        node.put("commitUser", finding.origin().map(Finding.Origin::commitUser).orElse(null));
        node.put("commitMillis", finding.origin().map(Finding.Origin::commitMillis).orElse(null));
        node.put("detail", filter.apply(finding.detail()));
        node.put("repair", finding.repair());
    }
}
