package dev.paimoninplace.conversion;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.paimoninplace.conversion.RepairOptions.RollBack;
import dev.paimoninplace.testing.TestTable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.manifest.ManifestEntry;
import org.apache.paimon.options.ExpireConfig;
import org.apache.paimon.shade.jackson2.com.fasterxml.jackson.databind.JsonNode;
import org.apache.paimon.shade.jackson2.com.fasterxml.jackson.databind.ObjectMapper;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.sink.CommitMessage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a report says of single files. */
final class FileLinesTest {

    @TempDir Path warehouse;
    private Catalog catalog;
    private TestTable table;

    @BeforeEach
    void createTable() {
        catalog = TestTable.catalog(warehouse);
        table = TestTable.partitioned(catalog, "t");
        table.append(0, 1000, i -> "p" + i % 2);
        table.append(1000, 2000, i -> "p" + i % 2);
    }

    @AfterEach
    void close() throws Exception {
        catalog.close();
    }

    private ConversionReport convert() {
        return DataEvolutionConversion.of(catalog, table.identifier()).run();
    }

    private List<JsonNode> lines(ConversionReport report) throws Exception {
        return parsed(FileLines.of(catalog, table.identifier(), report).orElseThrow());
    }

    private static List<JsonNode> parsed(FileLines files) throws Exception {
        List<String> lines = new ArrayList<>();
        files.forEach(lines::add);
        List<JsonNode> parsed = new ArrayList<>();
        for (String line : lines) {
            parsed.add(new ObjectMapper().readTree(line));
        }
        return parsed;
    }

    @Test
    void aConversionNamesEachFileWithItsIdsAndSequenceNumbersBeforeAndAfter() throws Exception {
        table.dropPartition("p1");
        table.append(2000, 2600, i -> "p1");
        Map<String, ManifestEntry> before = files();

        List<JsonNode> lines = lines(convert());

        Map<String, ManifestEntry> after = files();
        assertEquals(
                before.keySet(),
                lines.stream().map(l -> l.get("file").asText()).collect(Collectors.toSet()));
        assertEquals(before.size(), lines.size());
        for (JsonNode line : lines) {
            String name = line.get("file").asText();
            ManifestEntry entry = Objects.requireNonNull(after.get(name));
            assertEquals("CHANGED", line.get("change").asText());
            assertEquals("pt=" + entry.partition().getString(0), line.get("partition").asText());
            assertEquals(entry.file().rowCount(), line.get("rows").asLong());
            assertTrue(line.get("before").get("firstRowId").isNull());
            assertEquals(
                    Objects.requireNonNull(before.get(name)).file().maxSequenceNumber(),
                    line.get("before").get("maxSequenceNumber").asLong());
            assertEquals(
                    entry.file().nonNullFirstRowId(), line.get("after").get("firstRowId").asLong());
            assertEquals(1, line.get("after").get("maxSequenceNumber").asLong());
        }
    }

    private Map<String, ManifestEntry> files() {
        Map<String, ManifestEntry> files = new TreeMap<>();
        table.files().forEach(entry -> files.put(entry.fileName(), entry));
        return files;
    }

    @Test
    void aRepairNamesOnlyTheFilesThatItChanged() throws Exception {
        FileStoreTable stale = table.load();
        convert();
        TestTable.append(stale, 2000, 2500, i -> "p0");

        RepairReport report = DataEvolutionRepair.of(catalog, table.identifier()).run();

        List<JsonNode> lines =
                parsed(FileLines.of(catalog, table.identifier(), report).orElseThrow());
        assertEquals(1, lines.size());
        assertEquals(500, lines.get(0).get("rows").asLong());
        assertEquals(2000, lines.get(0).get("after").get("firstRowId").asLong());
        assertEquals(report.snapshotAfter(), lines.get(0).get("snapshotId").asLong());
        RepairReport second = DataEvolutionRepair.of(catalog, table.identifier()).run();
        assertTrue(FileLines.of(catalog, table.identifier(), second).isEmpty());
    }

    @Test
    void aRollBackNamesWhatCameAndWhatWent() throws Exception {
        FileStoreTable stale = table.load().copy(Map.of("compaction.min.file-num", "2"));
        List<CommitMessage> compaction = TestTable.prepareCompact(stale);
        convert();
        table.updateV(id -> -id);
        TestTable.commit(stale, compaction);

        RepairReport report =
                DataEvolutionRepair.of(catalog, table.identifier())
                        .withOptions(RepairOptions.DEFAULTS.withRollBack(RollBack.ALLOWED))
                        .run();

        Map<String, Long> counts =
                parsed(FileLines.of(catalog, table.identifier(), report).orElseThrow()).stream()
                        .collect(
                                Collectors.groupingBy(
                                        line -> line.get("change").asText(),
                                        TreeMap::new,
                                        Collectors.counting()));
        assertEquals(Map.of("ADDED", 4L, "REMOVED", 2L), counts);
    }

    @Test
    void aSnapshotThatHasExpiredMeanwhileIsSaid() throws Exception {
        ConversionReport report = convert();
        FileLines lines = FileLines.of(catalog, table.identifier(), report).orElseThrow();
        table.append(3000, 3100, i -> "p0");
        table.load()
                .newExpireSnapshots()
                .config(ExpireConfig.builder().snapshotRetainMax(1).snapshotRetainMin(1).build())
                .expire();

        List<JsonNode> parsed = parsed(lines);

        assertEquals(
                List.of("EXPIRED", "EXPIRED"),
                parsed.stream().map(line -> line.get("change").asText()).toList());
    }
}
