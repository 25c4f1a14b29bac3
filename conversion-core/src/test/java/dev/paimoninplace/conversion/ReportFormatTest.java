package dev.paimoninplace.conversion;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.paimoninplace.conversion.ConversionReport.Outcome;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.paimon.shade.jackson2.com.fasterxml.jackson.databind.JsonNode;
import org.apache.paimon.shade.jackson2.com.fasterxml.jackson.databind.ObjectMapper;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class ReportFormatTest {

    private static final Check PASSED = Check.passed("BUCKET", "bucket is -1");
    private static final Check WARNING =
            Check.warning("COMMIT_USERS", "1 user committed lately", "Expect one restart");

    @Test
    void beginsTheTextWithTheResultLineAndThenTheWarnings() {
        ConversionReport report = report(Outcome.CONVERTED, 7L, List.of(PASSED, WARNING));

        List<String> lines = ReportFormat.text(report).lines().toList();

        assertEquals(report.resultLine(), lines.get(0));
        assertEquals("Warnings:", lines.get(2));
        assertEquals("  COMMIT_USERS: " + WARNING.text(), lines.get(3));
        assertTrue(lines.contains("  ok      BUCKET: bucket is -1"), lines.toString());
        assertTrue(
                lines.contains("  writer-a: snapshot 7 at 2024-01-02T03:04:05Z, APPEND"),
                lines.toString());
    }

    @Test
    void leavesOutEmptySectionsOfTheText() {
        String text = ReportFormat.text(report(Outcome.SKIPPED, 7L, List.of(PASSED)));

        assertFalse(text.contains("Warnings"), text);
    }

    @Test
    void carriesEveryComponentOfTheReportInTheJson() throws Exception {
        ConversionReport report = report(Outcome.DRY_RUN, 7L, List.of(PASSED, WARNING));

        JsonNode json = new ObjectMapper().readTree(ReportFormat.json(report));

        List<String> expected = new ArrayList<>(List.of("result", "dryRun", "warnings"));
        Arrays.stream(ConversionReport.class.getRecordComponents())
                .forEach(component -> expected.add(component.getName()));
        List<String> actual = new ArrayList<>();
        json.fieldNames().forEachRemaining(actual::add);
        assertEquals(expected.stream().sorted().toList(), actual.stream().sorted().toList());
    }

    @Test
    void writesTheValuesOfTheReportIntoTheJson() throws Exception {
        ConversionReport report = report(Outcome.DRY_RUN, 7L, List.of(PASSED, WARNING));

        JsonNode json = new ObjectMapper().readTree(ReportFormat.json(report));

        assertEquals(report.resultLine(), json.get("result").asText());
        assertTrue(json.get("dryRun").asBoolean());
        assertEquals(report.nextRowId(), json.get("nextRowId").asLong());
        assertEquals(2, json.get("checks").size());
        assertEquals(1, json.get("warnings").size());
        JsonNode warning = json.get("warnings").get(0);
        assertEquals(WARNING.name(), warning.get("name").asText());
        assertEquals("WARNING", warning.get("outcome").asText());
        assertEquals(WARNING.detail(), warning.get("detail").asText());
        assertEquals(WARNING.remedy(), warning.get("remedy").asText());
        assertEquals(14, json.get("manifestReads").asLong());
        assertEquals(4, json.get("manifestWrites").asLong());
        assertEquals(
                "{\"list\":3,\"head\":5,\"get\":7,\"put\":11,\"delete\":13}",
                json.get("requests").toString());
        assertEquals(2_500, json.get("estimate").get("elapsedMillis").asLong());
        assertEquals(40_000_000, json.get("estimate").get("bytesPerSecond").asLong());
        JsonNode user = json.get("commitUsers").get(0);
        assertEquals("writer-a", user.get("name").asText());
        assertEquals(7, user.get("lastSnapshotId").asLong());
        assertEquals(1_704_164_645_678L, user.get("lastCommitMillis").asLong());
        assertEquals("APPEND", user.get("lastKind").asText());
    }

    @Test
    void filtersTheTextOfEveryCheck() {
        Check check = Check.warning("CATALOG_COPY", "login with secret failed", "Mend secret");
        ConversionReport report = report(Outcome.CONVERTED, 1L, List.of(check));

        String text = ReportFormat.text(report, t -> t.replace("secret", "***"));
        String json = ReportFormat.json(report, t -> t.replace("secret", "***"));

        assertFalse(text.contains("secret"), text);
        assertFalse(json.contains("secret"), json);
        assertTrue(text.contains("login with *** failed. Mend ***."), text);
    }

    @Test
    void writesNullForASnapshotThatIsNotThere() throws Exception {
        String text = ReportFormat.json(report(Outcome.CONVERTED, null, List.of()));

        assertTrue(new ObjectMapper().readTree(text).get("snapshotBefore").isNull(), text);
    }

    @Test
    void writesJsonInOneLine() {
        String json =
                ReportFormat.json(
                        report(Outcome.CONVERTED, 1L, List.of(Check.passed("X", "a\nb \"c\""))));

        assertEquals(1, json.lines().count());
    }

    @Test
    void carriesCodeAndCommittedStepsOfAFailure() throws Exception {
        ConversionException failure =
                new ConversionException(
                        ErrorKind.CONFLICT,
                        "COMMIT_CONFLICT",
                        "Cannot convert db.t: lost 50 times. Run again.",
                        new CommittedSteps(List.of(3L, 4L), List.of(1L)),
                        null);

        JsonNode error = new ObjectMapper().readTree(ReportFormat.json(failure)).get("error");

        assertEquals("CONFLICT", error.get("kind").asText());
        assertEquals("COMMIT_CONFLICT", error.get("code").asText());
        assertEquals(ErrorKind.CONFLICT.exitCode(), error.get("exitCode").asInt());
        assertEquals(failure.getMessage(), error.get("message").asText());
        assertEquals("[3,4]", error.get("committed").get("snapshotIds").toString());
        assertEquals("[1]", error.get("committed").get("schemaIds").toString());
        assertEquals(0, error.get("checks").size());
    }

    @Test
    void filtersEveryTextOfAFailure() throws Exception {
        Check failed = Check.failed("BUCKET", "bucket is secret", "Ask secret");
        ConversionException failure =
                ConversionException.refused("db.t", List.of(failed), CommittedSteps.NONE);

        String json = ReportFormat.json(failure, text -> text.replace("secret", "***"));

        assertFalse(json.contains("secret"), json);
        JsonNode check = new ObjectMapper().readTree(json).get("error").get("checks").get(0);
        assertEquals("bucket is ***", check.get("detail").asText());
        assertEquals("Ask ***", check.get("remedy").asText());
    }

    private static ConversionReport report(
            Outcome outcome, @Nullable Long snapshotBefore, List<Check> checks) {
        return new ConversionReport(
                outcome,
                "db.t",
                "run-1",
                TableState.PLAIN,
                TableState.SEALED,
                0,
                1,
                snapshotBefore,
                9,
                11,
                1234,
                3,
                2,
                5,
                14,
                4,
                6789,
                987,
                new MetadataRequests(3, 5, 7, 11, 13),
                outcome == Outcome.DRY_RUN ? new Estimate(2_500, 40_000_000) : null,
                1234,
                checks,
                List.of(new CommitUser("writer-a", 7, 1_704_164_645_678L, "APPEND")),
                1,
                42);
    }
}
