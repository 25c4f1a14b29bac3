package dev.paimoninplace.rowid;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.paimoninplace.rowid.ManifestSummary.PartitionNeed;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.paimon.data.BinaryRow;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class RowIdAssignmentTest {

    private static final BinaryRow A = BinaryRow.singleColumn("a");
    private static final BinaryRow B = BinaryRow.singleColumn("b");
    private static final BinaryRow C = BinaryRow.singleColumn("c");

    private static PartitionNeed need(BinaryRow partition, long files, long rows, long ids) {
        return new PartitionNeed(partition, files, rows, ids);
    }

    private static ManifestSummary manifest(String name, PartitionNeed... needs) {
        return new ManifestSummary(
                name, List.of(needs), 0, 0, 0, 0, 0, Long.MAX_VALUE, Long.MIN_VALUE);
    }

    @Test
    void eachPartitionIsOneBlockInOrderOfFirstAppearanceAndManifestsFollowEachOtherInIt() {
        List<ManifestSummary> manifests =
                List.of(
                        manifest("m1", need(B, 1, 10, 10), need(A, 2, 5, 5)),
                        manifest("m2", need(A, 1, 7, 7)),
                        manifest("m3", need(C, 1, 1, 1), need(B, 3, 20, 20)));

        RowIdAssignment assignment = RowIdAssignment.assign(100, manifests);

        long startOfA = 100 + 10 + 20;
        long startOfC = startOfA + 5 + 7;
        assertEquals(Map.of(B, 100L, A, startOfA), assignment.firstIds().get("m1"));
        assertEquals(Map.of(A, startOfA + 5), assignment.firstIds().get("m2"));
        assertEquals(Map.of(C, startOfC, B, 110L), assignment.firstIds().get("m3"));
        assertEquals(100, assignment.startRowId());
        assertEquals(startOfC + 1, assignment.nextRowId());
        assertEquals(8, assignment.fileCount());
        assertEquals(43, assignment.rowCount());
    }

    @Test
    void aFileWithoutRowsTakesAnId() {
        List<ManifestSummary> manifests =
                List.of(
                        manifest("m1", need(A, 3, 10, 12), need(B, 1, 0, 1)),
                        manifest("m2", need(A, 1, 4, 4)));

        RowIdAssignment assignment = RowIdAssignment.assign(0, manifests);

        assertEquals(Map.of(A, 0L, B, 16L), assignment.firstIds().get("m1"));
        assertEquals(Map.of(A, 12L), assignment.firstIds().get("m2"));
        assertEquals(17, assignment.nextRowId());
        assertEquals(14, assignment.rowCount());
    }

    @Test
    void nothingToAssignTakesNoId() {
        RowIdAssignment assignment = RowIdAssignment.assign(42, List.of(manifest("m1")));

        assertEquals(42, assignment.nextRowId());
        assertEquals(Map.of("m1", Map.of()), assignment.firstIds());
        assertEquals(0, assignment.fileCount());
    }

    @Test
    void theLastIdOfALongCanBeGivenAndNoneAfterIt() {
        List<ManifestSummary> manifests =
                List.of(manifest("m1", need(A, 1, 6, 6)), manifest("m2", need(B, 1, 4, 4)));

        assertEquals(
                Long.MAX_VALUE, RowIdAssignment.assign(Long.MAX_VALUE - 10, manifests).nextRowId());
        assertThrows(
                ArithmeticException.class,
                () -> RowIdAssignment.assign(Long.MAX_VALUE - 9, manifests));
    }

    @Test
    void idsOfOnePartitionThatExceedALongAreAnError() {
        List<ManifestSummary> manifests =
                List.of(
                        manifest("m1", need(A, 1, Long.MAX_VALUE, Long.MAX_VALUE)),
                        manifest("m2", need(A, 1, 1, 1)));

        assertThrows(ArithmeticException.class, () -> RowIdAssignment.assign(0, manifests));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void randomNeedsGetDisjointBlocksThatCoverEverything(long seed) {
        Random random = new Random(seed);
        List<ManifestSummary> manifests = new ArrayList<>();
        for (int m = 0; m < 1 + random.nextInt(20); m++) {
            Map<BinaryRow, PartitionNeed> needs = new LinkedHashMap<>();
            for (int p = 0; p < random.nextInt(8); p++) {
                BinaryRow partition = BinaryRow.singleColumn("p" + random.nextInt(10));
                long rows = random.nextInt(1000);
                needs.putIfAbsent(partition, need(partition, 1, rows, FileRule.idCount(rows)));
            }
            manifests.add(manifest("m" + m, needs.values().toArray(PartitionNeed[]::new)));
        }
        long start = random.nextInt(1000);

        RowIdAssignment assignment = RowIdAssignment.assign(start, manifests);

        Map<BinaryRow, Long> expectedNext = new HashMap<>();
        Map<BinaryRow, Long> idCounts = new LinkedHashMap<>();
        manifests.forEach(
                m -> m.needs().forEach(n -> idCounts.merge(n.partition(), n.idCount(), Long::sum)));
        long next = start;
        for (Map.Entry<BinaryRow, Long> block : idCounts.entrySet()) {
            expectedNext.put(block.getKey(), next);
            next += block.getValue();
        }
        assertEquals(next, assignment.nextRowId());
        for (ManifestSummary manifest : manifests) {
            Map<BinaryRow, Long> firstIds =
                    assignment.firstIds().getOrDefault(manifest.manifest(), Map.of());
            assertEquals(manifest.needs().size(), firstIds.size());
            for (PartitionNeed need : manifest.needs()) {
                assertEquals(expectedNext.get(need.partition()), firstIds.get(need.partition()));
                expectedNext.merge(need.partition(), need.idCount(), Long::sum);
            }
        }
    }
}
