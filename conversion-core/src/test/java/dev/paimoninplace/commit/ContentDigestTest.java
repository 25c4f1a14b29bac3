package dev.paimoninplace.commit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.paimoninplace.commit.ContentDigest.Value;
import dev.paimoninplace.testing.DataFiles;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.manifest.FileKind;
import org.apache.paimon.manifest.ManifestEntry;
import org.apache.paimon.manifest.ManifestEntrySerializer;
import org.apache.paimon.types.DataField;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class ContentDigestTest {

    private static final BinaryRow PARTITION = BinaryRow.singleColumn("p0");

    private static Value digest(List<ManifestEntry> entries) {
        ContentDigest digest = new ContentDigest();
        ManifestEntrySerializer serializer = new ManifestEntrySerializer();
        entries.forEach(entry -> digest.add(serializer.toRow(entry)));
        return digest.value();
    }

    private static Value digest(DataFileMeta file) {
        return digest(List.of(DataFiles.added(PARTITION, file)));
    }

    static Stream<String> attributes() {
        return DataFileMeta.SCHEMA.getFields().stream().map(DataField::name);
    }

    @ParameterizedTest
    @MethodSource("attributes")
    void everyAttributeOfAFileMatters(String attribute) {
        DataFileMeta file = DataFiles.full();

        DataFileMeta other =
                DataFiles.with(file, attribute, DataFiles.otherValues().get(attribute));

        assertNotEquals(digest(file), digest(other));
    }

    @ParameterizedTest
    @MethodSource("optionalAttributes")
    void aMissingAttributeMatters(String attribute) {
        DataFileMeta file = DataFiles.full();

        assertNotEquals(digest(file), digest(DataFiles.with(file, attribute, null)));
    }

    static Stream<String> optionalAttributes() {
        return DataFileMeta.SCHEMA.getFields().stream()
                .filter(field -> field.type().isNullable())
                .map(DataField::name)
                .filter(name -> !name.equals(DataFileMeta.CREATION_TIME));
    }

    @Test
    void kindPartitionAndBucketsMatter() {
        DataFileMeta file = DataFiles.full();
        BinaryRow other = BinaryRow.singleColumn("p1");
        List<ManifestEntry> entries =
                List.of(
                        ManifestEntry.create(FileKind.ADD, PARTITION, 0, -1, file),
                        ManifestEntry.create(FileKind.DELETE, PARTITION, 0, -1, file),
                        ManifestEntry.create(FileKind.ADD, other, 0, -1, file),
                        ManifestEntry.create(FileKind.ADD, PARTITION, 1, -1, file),
                        ManifestEntry.create(FileKind.ADD, PARTITION, 0, 2, file));

        Set<Value> digests = new HashSet<>();
        entries.forEach(entry -> digests.add(digest(List.of(entry))));

        assertEquals(entries.size(), digests.size());
    }

    @Test
    void orderDoesNotMatter() {
        List<ManifestEntry> entries = new ArrayList<>(entries(100));

        Value before = digest(entries);
        Collections.shuffle(entries, new Random(7));

        assertEquals(before, digest(entries));
        assertEquals(entries.size(), before.files());
        assertEquals(entries.stream().mapToLong(e -> e.file().rowCount()).sum(), before.rows());
    }

    @Test
    void oneFileLessAndOneFileTwiceMatter() {
        List<ManifestEntry> entries = entries(10);
        List<ManifestEntry> more = new ArrayList<>(entries);
        more.add(entries.get(3));
        List<ManifestEntry> swapped = new ArrayList<>(entries.subList(1, 10));
        swapped.add(entries.get(3));

        Value value = digest(entries);

        assertNotEquals(value, digest(entries.subList(1, 10)));
        assertNotEquals(value, digest(more));
        assertNotEquals(value, digest(swapped));
    }

    @Test
    void nothingIsZero() {
        assertEquals(new Value(0, 0, 0, 0), digest(List.of()));
    }

    private static List<ManifestEntry> entries(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> DataFiles.plain("data-" + i + ".parquet", 10L * i))
                .map(file -> DataFiles.added(PARTITION, file))
                .toList();
    }
}
