package dev.paimoninplace.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.io.CompactIncrement;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.io.DataIncrement;
import org.apache.paimon.manifest.FileSource;
import org.apache.paimon.manifest.ManifestCommittable;
import org.apache.paimon.stats.SimpleStats;
import org.apache.paimon.table.sink.CommitMessage;
import org.apache.paimon.table.sink.CommitMessageImpl;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class CommittablesTest {

    private static final DataFileMeta FIRST = file("first", 0, null, null);
    private static final DataFileMeta SECOND = file("second", 1_000, null, null);
    private static final DataFileMeta WITH_ID = file("with-id", 7, 500L, null);
    private static final DataFileMeta IDS_INSIDE = file("ids-inside", 9, null, List.of("_ROW_ID"));
    private static final CompactIncrement COMPACTION =
            new CompactIncrement(List.of(FIRST), List.of(SECOND), List.of());

    private static DataFileMeta file(
            String name, long sequence, @Nullable Long rowId, @Nullable List<String> columns) {
        return DataFileMeta.forAppend(
                name,
                10_000L,
                1_000L,
                SimpleStats.EMPTY_STATS,
                sequence,
                sequence + 999,
                3,
                List.of("extra"),
                null,
                FileSource.APPEND,
                null,
                "file:/elsewhere/" + name,
                rowId,
                columns);
    }

    private static ManifestCommittable committable(List<DataFileMeta> files) {
        ManifestCommittable committable = new ManifestCommittable(12L, 34L);
        committable.addProperty("key", "value");
        committable.addFileCommittable(
                new CommitMessageImpl(
                        BinaryRow.EMPTY_ROW,
                        0,
                        -1,
                        new DataIncrement(files, List.of(), List.of()),
                        COMPACTION));
        return committable;
    }

    private static CommitMessageImpl message(ManifestCommittable committable) {
        List<CommitMessage> messages = committable.fileCommittables();
        assertEquals(1, messages.size());
        return (CommitMessageImpl) messages.get(0);
    }

    private static void assertSameBesideItsFiles(ManifestCommittable actual) {
        assertEquals(12L, actual.identifier());
        assertEquals(34L, actual.watermark());
        assertEquals("value", actual.properties().get("key"));
        assertEquals(0, message(actual).bucket());
        assertEquals(-1, message(actual).totalBuckets());
    }

    @Test
    void letsTheCommitNumberEveryFileThatGetsRowIds() {
        ManifestCommittable changed =
                Committables.withSequencesToAssign(
                        committable(List.of(FIRST, SECOND, WITH_ID, IDS_INSIDE)));

        assertEquals(
                List.of(
                        FIRST.assignSequenceNumber(0, 0),
                        SECOND.assignSequenceNumber(0, 0),
                        WITH_ID,
                        IDS_INSIDE),
                message(changed).newFilesIncrement().newFiles());
        assertEquals(COMPACTION, message(changed).compactIncrement());
        assertSameBesideItsFiles(changed);
    }

    @Test
    void leavesOutCompactionsOnly() {
        ManifestCommittable before = committable(List.of(FIRST, WITH_ID));

        ManifestCommittable after = Committables.withoutCompactions(before);

        assertTrue(Committables.compacts(before));
        assertFalse(Committables.compacts(after));
        assertEquals(message(before).newFilesIncrement(), message(after).newFilesIncrement());
        assertSameBesideItsFiles(after);
    }

    @Test
    void canBeAddedToAfterwards() {
        ManifestCommittable changed = Committables.withSequencesToAssign(committable(List.of()));

        changed.addFileCommittable(message(committable(List.of(SECOND))));

        assertEquals(2, changed.fileCommittables().size());
    }
}
