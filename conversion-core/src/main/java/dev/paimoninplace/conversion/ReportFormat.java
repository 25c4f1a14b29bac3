package dev.paimoninplace.conversion;

import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.paimon.shade.jackson2.com.fasterxml.jackson.databind.JsonNode;
import org.apache.paimon.shade.jackson2.com.fasterxml.jackson.databind.node.ArrayNode;
import org.apache.paimon.shade.jackson2.com.fasterxml.jackson.databind.node.JsonNodeFactory;
import org.apache.paimon.shade.jackson2.com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/**
 * A report or a failure as text for people and as JSON for programs. Both carry the same facts; the
 * JSON field names are listed in docs/convert.md and stay as they are.
 */
public final class ReportFormat {

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private ReportFormat() {}

    /**
     * Several lines without a last line break: the result, then what needs attention, then what was
     * looked at, the numbers and the commit users.
     */
    public static String text(ConversionReport report) {
        return text(report, UnaryOperator.identity());
    }

    /**
     * As {@link #text(ConversionReport)}.
     *
     * @param filter applied to the text of every check, which may quote errors from below
     */
    public static String text(ConversionReport report, UnaryOperator<String> filter) {
        TextReport text = new TextReport(report.resultLine());
        List<Check> warnings = report.warnings();
        if (!warnings.isEmpty()) {
            text.section("Warnings");
            warnings.forEach(w -> text.line(w.name() + ": " + filter.apply(w.text())));
        }
        if (!report.checks().isEmpty()) {
            text.section("Checks");
            report.checks().forEach(check -> text.line(line(check, filter)));
        }
        text.section("Numbers");
        addNumbers(text, report);
        if (!report.commitUsers().isEmpty()) {
            text.section("Commit users, newest first");
            report.commitUsers().forEach(user -> text.line(line(user)));
        }
        return text.toString();
    }

    /** One line of JSON. */
    public static String json(ConversionReport report) {
        return json(report, UnaryOperator.identity());
    }

    /**
     * As {@link #json(ConversionReport)}.
     *
     * @param filter applied to the text of every check, which may quote errors from below
     */
    public static String json(ConversionReport report, UnaryOperator<String> filter) {
        ObjectNode json = NODES.objectNode();
        json.put("result", report.resultLine());
        json.put("outcome", report.outcome().name());
        json.put("dryRun", report.outcome() == ConversionReport.Outcome.DRY_RUN);
        json.put("table", report.table());
        json.put("runId", report.runId());
        json.put("stateBefore", report.stateBefore().name());
        json.put("stateAfter", report.stateAfter().name());
        json.put("schemaBefore", report.schemaBefore());
        json.put("schemaAfter", report.schemaAfter());
        json.put("snapshotBefore", report.snapshotBefore());
        json.put("snapshotAfter", report.snapshotAfter());
        json.put("files", report.files());
        json.put("rows", report.rows());
        json.put("partitions", report.partitions());
        json.put("manifestsRewritten", report.manifestsRewritten());
        json.put("manifestsKept", report.manifestsKept());
        json.put("manifestReads", report.manifestReads());
        json.put("manifestWrites", report.manifestWrites());
        json.put("metadataBytesRead", report.metadataBytesRead());
        json.put("metadataBytesWritten", report.metadataBytesWritten());
        json.set("requests", requests(report.requests()));
        json.set("estimate", estimate(report.estimate()));
        json.put("nextRowId", report.nextRowId());
        json.put("attempts", report.attempts());
        json.set("checks", checks(report.checks(), filter));
        json.set("warnings", checks(report.warnings(), filter));
        json.set("commitUsers", commitUsers(report.commitUsers()));
        json.put("elapsedMillis", report.elapsedMillis());
        return json.toString();
    }

    /** One line of JSON with the single field {@code error}. */
    public static String json(ConversionException failure) {
        return json(failure, UnaryOperator.identity());
    }

    /**
     * One line of JSON with the single field {@code error}.
     *
     * @param filter applied to every text that may come from below, before it is quoted
     */
    public static String json(ConversionException failure, UnaryOperator<String> filter) {
        ObjectNode committed = NODES.objectNode();
        committed.set("snapshotIds", numbers(failure.committed().snapshotIds()));
        committed.set("schemaIds", numbers(failure.committed().schemaIds()));
        ObjectNode error = NODES.objectNode();
        error.put("kind", failure.kind().name());
        error.put("code", failure.code());
        error.put("exitCode", failure.kind().exitCode());
        error.put("message", filter.apply(String.valueOf(failure.getMessage())));
        error.set("committed", committed);
        error.set("checks", checks(failure.failedChecks(), filter));
        ObjectNode json = NODES.objectNode();
        json.set("error", error);
        return json.toString();
    }

    static String line(Check check, UnaryOperator<String> filter) {
        String mark =
                switch (check.outcome()) {
                    case PASSED -> "ok    ";
                    case WARNING -> "warn  ";
                    case FAILED -> "FAILED";
                };
        return mark + "  " + check.name() + ": " + filter.apply(check.detail());
    }

    private static void addNumbers(TextReport text, ConversionReport report) {
        Long snapshotBefore = report.snapshotBefore();
        text.value("state", report.stateBefore() + " -> " + report.stateAfter());
        text.value("schema", report.schemaBefore() + " -> " + report.schemaAfter());
        text.value(
                "snapshot",
                (snapshotBefore == null ? "none" : snapshotBefore)
                        + " -> "
                        + report.snapshotAfter());
        text.value("files", report.files() + " in " + report.partitions() + " partition(s)");
        text.value("rows", report.rows());
        text.value("next row id", report.nextRowId());
        text.value(
                "manifests",
                report.manifestsRewritten() + " rewritten, " + report.manifestsKept() + " kept");
        text.value(
                "metadata",
                report.manifestReads()
                        + " manifest(s) with "
                        + report.metadataBytesRead()
                        + " bytes read, "
                        + report.manifestWrites()
                        + " with "
                        + report.metadataBytesWritten()
                        + " bytes written");
        text.value("requests", report.requests());
        if (report.estimate() != null) {
            text.value("real run", report.estimate());
        }
        text.value("attempts", report.attempts());
        text.value("elapsed", report.elapsedMillis() + " ms");
        text.value("run id", report.runId());
    }

    private static String line(CommitUser user) {
        return user.name()
                + ": snapshot "
                + user.lastSnapshotId()
                + " at "
                + TextReport.time(user.lastCommitMillis())
                + ", "
                + user.lastKind();
    }

    static ArrayNode checks(List<Check> checks, UnaryOperator<String> filter) {
        ArrayNode array = NODES.arrayNode();
        for (Check check : checks) {
            ObjectNode node = array.addObject();
            node.put("name", check.name());
            node.put("outcome", check.outcome().name());
            node.put("detail", filter.apply(check.detail()));
            node.put("remedy", filter.apply(check.remedy()));
        }
        return array;
    }

    private static ObjectNode requests(MetadataRequests requests) {
        ObjectNode node = NODES.objectNode();
        node.put("list", requests.list());
        node.put("head", requests.head());
        node.put("get", requests.get());
        node.put("put", requests.put());
        node.put("delete", requests.delete());
        return node;
    }

    private static JsonNode estimate(@Nullable Estimate estimate) {
        if (estimate == null) {
            return NODES.nullNode();
        }
        ObjectNode node = NODES.objectNode();
        node.put("elapsedMillis", estimate.elapsedMillis());
        node.put("bytesPerSecond", estimate.bytesPerSecond());
        return node;
    }

    private static ArrayNode commitUsers(List<CommitUser> users) {
        ArrayNode array = NODES.arrayNode();
        for (CommitUser user : users) {
            ObjectNode node = array.addObject();
            node.put("name", user.name());
            node.put("lastSnapshotId", user.lastSnapshotId());
            node.put("lastCommitMillis", user.lastCommitMillis());
            node.put("lastKind", user.lastKind());
        }
        return array;
    }

    private static ArrayNode numbers(List<Long> values) {
        ArrayNode array = NODES.arrayNode();
        values.forEach(array::add);
        return array;
    }
}
