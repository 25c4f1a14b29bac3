package dev.paimoninplace.rowid;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.paimoninplace.rowid.FileRule.KnownSequences;
import dev.paimoninplace.testing.DataFiles;
import java.util.List;
import java.util.Optional;
import org.apache.paimon.data.BinaryString;
import org.apache.paimon.data.GenericArray;
import org.apache.paimon.io.DataFileMeta;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

final class FileRuleTest {

    private static final long LATEST_SNAPSHOT = 7;

    private static DataFileMeta known(long minSequence, long maxSequence) {
        return DataFiles.plain("data-1.parquet", 10)
                .assignFirstRowId(100)
                .assignSequenceNumber(minSequence, maxSequence);
    }

    @ParameterizedTest
    @EnumSource(KnownSequences.class)
    void aFileWithoutIdGetsOneAndTheSequencesOfAnOldFile(KnownSequences known) {
        DataFileMeta file = DataFiles.plain("data-1.parquet", 10).assignSequenceNumber(3, 4);

        FileChange change = new FileRule(known, LATEST_SNAPSHOT).changeOf(file);

        assertEquals(new FileChange(true, true, false), change);
    }

    @ParameterizedTest
    @CsvSource({"0,0", "0,5", "-1,5", "1,8", "8,8", "0,8"})
    void sequencesThatDataEvolutionCannotUseAreMendedBeforeTheTableIsDataEvolution(
            long min, long max) {
        DataFileMeta file = known(min, max);

        assertEquals(
                new FileChange(false, true, false),
                new FileRule(KnownSequences.MEND, LATEST_SNAPSHOT).changeOf(file));
        assertEquals(
                FileChange.NONE, new FileRule(KnownSequences.KEEP, LATEST_SNAPSHOT).changeOf(file));
    }

    @ParameterizedTest
    @CsvSource({"1,1", "1,7", "7,7", "3,5"})
    void sequencesOfCommittedSnapshotsStay(long min, long max) {
        DataFileMeta file = known(min, max);

        assertEquals(
                FileChange.NONE, new FileRule(KnownSequences.MEND, LATEST_SNAPSHOT).changeOf(file));
    }

    @Test
    void sequencesOfAnUpdateStay() {
        DataFileMeta file =
                DataFiles.with(
                        known(0, 99),
                        DataFileMeta.WRITE_COLS,
                        new GenericArray(new Object[] {BinaryString.fromString("v")}));

        assertEquals(List.of("v"), file.writeCols());
        assertEquals(
                FileChange.NONE, new FileRule(KnownSequences.MEND, LATEST_SNAPSHOT).changeOf(file));
    }

    @ParameterizedTest
    @EnumSource(KnownSequences.class)
    void aMissingFileSourceIsFilledInAlone(KnownSequences known) {
        DataFileMeta file = DataFiles.with(known(2, 2), DataFileMeta.FILE_SOURCE, null);

        FileChange change = new FileRule(known, LATEST_SNAPSHOT).changeOf(file);

        assertEquals(new FileChange(false, false, true), change);
    }

    @Test
    void aFileTakesOneIdForEachRowAndAtLeastOne() {
        assertEquals(1, FileRule.idCount(0));
        assertEquals(1, FileRule.idCount(1));
        assertEquals(12345, FileRule.idCount(12345));
    }

    @Test
    void aFileEndsAfterItsLastRow() {
        DataFileMeta file = DataFiles.plain("data-1.parquet", 10);

        assertEquals(Optional.empty(), FileRule.endOf(file));
        assertEquals(Optional.of(110L), FileRule.endOf(file.assignFirstRowId(100)));
        assertEquals(
                Optional.of(101L),
                FileRule.endOf(DataFiles.plain("empty.parquet", 0).assignFirstRowId(100)));
    }

    @Test
    void anEndAboveALongIsAnError() {
        DataFileMeta file = DataFiles.plain("data-1.parquet", 10).assignFirstRowId(Long.MAX_VALUE);

        assertThrows(ArithmeticException.class, () -> FileRule.endOf(file));
    }
}
