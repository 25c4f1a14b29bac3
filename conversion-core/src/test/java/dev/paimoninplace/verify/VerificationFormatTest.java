package dev.paimoninplace.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.paimoninplace.adapter.Failures;
import dev.paimoninplace.conversion.ConversionException;
import dev.paimoninplace.conversion.ErrorKind;
import dev.paimoninplace.conversion.TableState;
import dev.paimoninplace.verify.Finding.Origin;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.apache.paimon.shade.jackson2.com.fasterxml.jackson.databind.JsonNode;
import org.apache.paimon.shade.jackson2.com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;

final class VerificationFormatTest {

    private static final Origin ORIGIN = new Origin(7, "writer-a", 1_704_164_645_678L);
    private static final Finding STRAY =
            Finding.of(
                    FindingCode.STRAY_FILE,
                    Optional.of("data-1.orc"),
                    Optional.of("pt=p0/"),
                    Optional.of(ORIGIN),
                    "it has no row id");
    private static final Finding TAG =
            Finding.ofTable(FindingCode.TAG_NOT_READABLE, "tag t of secret");

    @Test
    void showsEachKindWithItsRepairItsFindingsAndTheirOrigin() {
        VerificationReport report =
                report(
                        List.of(STRAY, TAG),
                        Map.of(FindingCode.TAG_NOT_READABLE, 1L, FindingCode.STRAY_FILE, 1L));

        List<String> lines = text(report, UnaryOperator.identity()).lines().toList();

        assertEquals(
                List.of(
                        report.resultLine(),
                        "",
                        "STRAY_FILE (ERROR, 1):",
                        "  " + FindingCode.STRAY_FILE.repair() + ".",
                        "  - data-1.orc: it has no row id",
                        "    partition pt=p0",
                        "    snapshot 7 by writer-a at 2024-01-02T03:04:05Z",
                        "",
                        "TAG_NOT_READABLE (WARNING, 1):",
                        "  " + FindingCode.TAG_NOT_READABLE.repair() + ".",
                        "  - tag t of secret",
                        "",
                        "Numbers:"),
                lines.subList(0, 13));
        assertTrue(lines.contains("  next row id   1234"), lines.toString());
    }

    @Test
    void saysHowManyFindingsAreNotListed() {
        VerificationReport report = report(List.of(STRAY), Map.of(FindingCode.STRAY_FILE, 1000L));

        String text = text(report, UnaryOperator.identity());

        assertTrue(text.contains("STRAY_FILE (ERROR, 1000):"), text);
        assertTrue(text.contains("\n  - and 999 more\n"), text);
    }

    @Test
    void showsACleanTableInTheResultAndTheNumbersOnly() {
        String text = text(report(List.of(), Map.of()), UnaryOperator.identity());

        assertTrue(text.startsWith("Clean. Table 'db.t' is as it should be: "), text);
        assertEquals("Numbers:", text.lines().skip(2).findFirst().orElse(""));
    }

    @Test
    void carriesEveryComponentOfTheReportInTheJson() throws Exception {
        JsonNode json = json(report(List.of(STRAY), Map.of(FindingCode.STRAY_FILE, 1L)));

        List<String> expected = new ArrayList<>(List.of("result", "clean"));
        Arrays.stream(VerificationReport.class.getRecordComponents())
                .forEach(component -> expected.add(component.getName()));
        assertEquals(expected.stream().sorted().toList(), fieldNames(json).sorted().toList());
    }

    @Test
    void writesTheValuesOfAFindingIntoTheJson() throws Exception {
        JsonNode json = json(report(List.of(STRAY), Map.of(FindingCode.STRAY_FILE, 12L)));

        assertFalse(json.get("clean").asBoolean());
        assertEquals("{\"STRAY_FILE\":12}", json.get("counts").toString());
        JsonNode finding = json.get("findings").get(0);
        assertEquals("STRAY_FILE", finding.get("code").asText());
        assertEquals("ERROR", finding.get("severity").asText());
        assertEquals("data-1.orc", finding.get("file").asText());
        assertEquals("pt=p0", finding.get("partition").asText());
        assertEquals(ORIGIN.snapshotId(), finding.get("snapshotId").asLong());
        assertEquals(ORIGIN.commitUser(), finding.get("commitUser").asText());
        assertEquals(ORIGIN.commitMillis(), finding.get("commitMillis").asLong());
        assertEquals(STRAY.detail(), finding.get("detail").asText());
        assertEquals(STRAY.repair(), finding.get("repair").asText());
    }

    @Test
    void givesEveryFindingTheSameFieldsAndNullForWhatIsNotKnown() throws Exception {
        JsonNode findings =
                json(report(
                                List.of(STRAY, TAG),
                                Map.of(
                                        FindingCode.STRAY_FILE, 1L,
                                        FindingCode.TAG_NOT_READABLE, 1L)))
                        .get("findings");

        assertEquals(fieldNames(findings.get(0)).toList(), fieldNames(findings.get(1)).toList());
        for (String field :
                List.of("file", "partition", "snapshotId", "commitUser", "commitMillis")) {
            assertTrue(findings.get(1).get(field).isNull(), field);
        }
    }

    @Test
    void writesJsonOfACleanTableInOneLine() throws Exception {
        VerificationReport report = report(List.of(), Map.of());

        assertTrue(json(report).get("clean").asBoolean());
        assertEquals("{}", json(report).get("counts").toString());
        assertEquals("[]", json(report).get("findings").toString());
        assertEquals(1, VerificationFormat.json(report, UnaryOperator.identity()).lines().count());
    }

    @Test
    void filtersTheDetailOfEveryFinding() {
        VerificationReport report = report(List.of(TAG), Map.of(FindingCode.TAG_NOT_READABLE, 1L));

        String text = text(report, detail -> detail.replace("secret", "***"));
        String json = VerificationFormat.json(report, d -> d.replace("secret", "***"));

        assertTrue(text.contains("tag t of ***"), text);
        assertTrue(json.contains("tag t of ***"), json);
    }

    @Test
    void isAFailureNamedByTheFirstErrorForWhoKnowsNoExitCode() {
        VerificationReport report =
                report(
                        List.of(),
                        Map.of(
                                FindingCode.NEXT_ROW_ID_FALLEN, 1L,
                                FindingCode.HIDDEN_UPDATE, 3L,
                                FindingCode.FILE_MISSING, 2L));

        ConversionException found = Failures.found(report).orElseThrow();

        assertEquals(ErrorKind.FOUND, found.kind());
        assertEquals(6, found.kind().exitCode());
        assertEquals("HIDDEN_UPDATE", found.code());
        String counts = "NEXT_ROW_ID_FALLEN 1, HIDDEN_UPDATE 3, FILE_MISSING 2.";
        String message = String.valueOf(found.getMessage());
        assertTrue(message.startsWith(report.resultLine() + " " + counts), message);
    }

    @Test
    void isAFailureNamedByTheFirstWarningWhenThereIsNoError() {
        VerificationReport report =
                report(
                        List.of(TAG),
                        Map.of(
                                FindingCode.PARQUET_ENCODING, 1L,
                                FindingCode.TAG_NOT_READABLE, 1L));

        assertEquals("TAG_NOT_READABLE", Failures.found(report).orElseThrow().code());
    }

    @Test
    void isNoFailureWhenTheTableIsClean() {
        assertEquals(Optional.empty(), Failures.found(report(List.of(), Map.of())));
    }

    private static String text(VerificationReport report, UnaryOperator<String> filter) {
        return VerificationFormat.text(report, filter);
    }

    private static JsonNode json(VerificationReport report) throws Exception {
        return new ObjectMapper()
                .readTree(VerificationFormat.json(report, UnaryOperator.identity()));
    }

    private static Stream<String> fieldNames(JsonNode node) {
        List<String> names = new ArrayList<>();
        node.fieldNames().forEachRemaining(names::add);
        return names.stream();
    }

    private static VerificationReport report(
            List<Finding> findings, Map<FindingCode, Long> counts) {
        return new VerificationReport(
                "db.t", Level.FILES, TableState.SEALED, 1, 9, 1234, 11, 1234, findings, counts, 42);
    }
}
