package dev.paimoninplace.commit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.paimoninplace.rowid.FileChange;
import dev.paimoninplace.testing.DataFiles;
import java.util.HashMap;
import java.util.Map;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.manifest.FileSource;
import org.apache.paimon.manifest.ManifestEntrySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class EntryRowTest {

    private static final BinaryRow PARTITION = BinaryRow.singleColumn("p0");

    private static final String APPEND = String.valueOf(FileSource.APPEND.toByteValue());

    @ParameterizedTest
    @CsvSource({
        "true,true,true",
        "true,true,false",
        "false,true,false",
        "false,true,true",
        "false,false,true",
        "false,false,false"
    })
    void everyAttributeThatIsNotToBeChangedIsKept(
            boolean rowId, boolean sequences, boolean source) {
        DataFileMeta file =
                DataFiles.with(
                        DataFiles.with(DataFiles.full(), DataFileMeta.FILE_SOURCE, null),
                        DataFileMeta.FIRST_ROW_ID,
                        null);

        DataFileMeta changed = changed(file, new FileChange(rowId, sequences, source), 4711L);

        Map<String, String> expected = new HashMap<>(DataFiles.attributes(file));
        if (rowId) {
            expected.put(DataFileMeta.FIRST_ROW_ID, "4711");
        }
        if (sequences) {
            expected.put(DataFileMeta.MIN_SEQUENCE_NUMBER, "1");
            expected.put(DataFileMeta.MAX_SEQUENCE_NUMBER, "1");
        }
        if (source) {
            expected.put(DataFileMeta.FILE_SOURCE, APPEND);
        }
        assertEquals(expected, DataFiles.attributes(changed));
    }

    @Test
    void aRowIdThatIsThereIsKept() {
        DataFileMeta file = DataFiles.full();

        DataFileMeta changed = changed(file, new FileChange(false, true, false), 4711L);

        assertEquals(file.firstRowId(), changed.firstRowId());
    }

    @Test
    void aFileSourceThatIsThereIsKept() {
        DataFileMeta file =
                DataFiles.with(
                        DataFiles.full(),
                        DataFileMeta.FILE_SOURCE,
                        FileSource.COMPACT.toByteValue());

        DataFileMeta changed = changed(file, new FileChange(true, true, true), 4711L);

        assertEquals(FileSource.COMPACT, changed.fileSource().orElseThrow());
    }

    @Test
    void attributesThatAreMissingStayMissing() {
        DataFileMeta file = DataFiles.plain("data-1.parquet", 10);

        DataFileMeta changed = changed(file, new FileChange(true, true, true), 5L);

        Map<String, String> expected = new HashMap<>(DataFiles.attributes(file));
        expected.put(DataFileMeta.FIRST_ROW_ID, "5");
        expected.put(DataFileMeta.MIN_SEQUENCE_NUMBER, "1");
        expected.put(DataFileMeta.MAX_SEQUENCE_NUMBER, "1");
        assertEquals(expected, DataFiles.attributes(changed));
    }

    private static DataFileMeta changed(DataFileMeta file, FileChange change, long firstRowId) {
        ManifestEntrySerializer serializer = new ManifestEntrySerializer();
        EntryRow row = new EntryRow(serializer.toRow(DataFiles.added(PARTITION, file)));
        row.apply(change);
        if (change.rowId()) {
            row.setFirstRowId(firstRowId);
        }
        assertEquals(PARTITION, row.toEntry().partition());
        return serializer.fromRow(row.row()).file();
    }
}
