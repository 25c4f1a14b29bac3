package dev.paimoninplace.commit;

import dev.paimoninplace.plan.AvroEntryLayout;
import dev.paimoninplace.plan.AvroManifest;
import dev.paimoninplace.plan.ManifestPlan.PlannedManifest;
import dev.paimoninplace.plan.TableHandle;
import dev.paimoninplace.rowid.FileChange;
import dev.paimoninplace.rowid.FileRule;
import dev.paimoninplace.rowid.ManifestSummary;
import dev.paimoninplace.rowid.ManifestSummary.PartitionNeed;
import java.io.ByteArrayOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.fs.FileIO;
import org.apache.paimon.fs.Path;
import org.apache.paimon.fs.PositionOutputStream;
import org.apache.paimon.manifest.ManifestFileMeta;
import org.apache.paimon.options.Options;
import org.apache.paimon.shade.org.apache.avro.file.CodecFactory;
import org.apache.paimon.shade.org.apache.avro.file.DataFileWriter;
import org.apache.paimon.shade.org.apache.avro.generic.GenericDatumWriter;
import org.apache.paimon.utils.PathFactory;
import org.apache.paimon.utils.SerializationUtils;

/**
 * Writes the successor of an ordinary manifest without decoding its entries: it copies their bytes
 * and puts in row id, sequence numbers and a missing file source. That is most of the work of a
 * first conversion, and about half as expensive as entry objects.
 *
 * <p>An ordinary manifest is in Avro with Paimon 2.0's own schema, and each of its entries is live
 * and gets a row id. Safe for use by many threads.
 */
final class AvroManifestPatcher {

    /** Larger than Avro's own, since each block costs a new compression context. */
    private static final int SYNC_INTERVAL_BYTES = 256 * 1024;

    private static final String ZSTD = "zstandard";

    private final FileIO fileIO;
    private final PathFactory paths;
    private final boolean ordinaryFormat;
    private final int zstdLevel;

    AvroManifestPatcher(TableHandle handle) {
        CoreOptions options = handle.table().coreOptions();
        Options raw = options.toConfiguration();
        this.fileIO = handle.table().fileIO();
        this.paths = handle.table().store().pathFactory().manifestFileFactory();
        this.zstdLevel = raw.get(CoreOptions.FILE_COMPRESSION_ZSTD_LEVEL);
        this.ordinaryFormat =
                options.manifestFormatString().equals(CoreOptions.FILE_FORMAT_AVRO)
                        && options.manifestCompression().equalsIgnoreCase("zstd")
                        && raw.keySet().stream().noneMatch(key -> key.startsWith("avro."));
    }

    /** Whether a manifest may be ordinary, as far as can be told without opening it. */
    boolean mayTake(PlannedManifest source) {
        ManifestSummary summary = source.summary();
        ManifestFileMeta meta = source.meta();
        long assigned = summary.needs().stream().mapToLong(PartitionNeed::fileCount).sum();
        return ordinaryFormat
                && summary.droppedEntries() == 0
                && summary.liveFiles() > 0
                && assigned == summary.liveFiles()
                && meta.minBucket() != null
                && meta.maxBucket() != null
                && meta.minLevel() != null
                && meta.maxLevel() != null;
    }

    /**
     * Writes the successor of one manifest; empty when its file turns out not to be ordinary.
     *
     * @param firstIds id of the first row per partition
     */
    Optional<StagedManifest> patch(PlannedManifest source, Map<BinaryRow, Long> firstIds)
            throws IOException {
        Optional<AvroManifest> opened = open(source.meta());
        if (opened.isEmpty()) {
            return Optional.empty();
        }
        try (AvroManifest in = opened.get()) {
            if (!in.codec().equals(ZSTD)) {
                return Optional.empty();
            }
            Path path = paths.newPath();
            try {
                return Optional.of(patch(source, in, path, firstIds));
            } catch (IOException | RuntimeException | Error e) {
                fileIO.deleteQuietly(path);
                throw e;
            }
        }
    }

    private StagedManifest patch(
            PlannedManifest source, AvroManifest in, Path path, Map<BinaryRow, Long> firstIds)
            throws IOException {
        Patch patch = new Patch(firstIds);
        long size;
        try (PositionOutputStream out = fileIO.newOutputStream(path, false);
                DataFileWriter<Object> writer =
                        new DataFileWriter<>(new GenericDatumWriter<>(AvroEntryLayout.SCHEMA))) {
            writer.setCodec(CodecFactory.zstandardCodec(zstdLevel));
            writer.setSyncInterval(SYNC_INTERVAL_BYTES);
            writer.setFlushOnEveryBlock(false);
            writer.create(AvroEntryLayout.SCHEMA, new UnclosedStream(out));
            while (in.next()) {
                writer.appendEncoded(patch.patched(in.entry()));
            }
            writer.flush();
            size = out.getPos();
        }
        ManifestFileMeta meta = patch.meta(source.meta(), path, size);
        return new StagedManifest(
                source, Optional.of(meta), firstIds, patch.content(), StagedManifest.By.BYTES);
    }

    /**
     * Digest of the entries of a staged manifest without what was put in, read back from its file.
     */
    ContentDigest.Value digest(ManifestFileMeta staged) {
        EntryBytesDigest digest = new EntryBytesDigest();
        try (AvroManifest in = open(staged).orElseThrow()) {
            while (in.next()) {
                digest.add(in.entry());
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot read manifest " + staged.fileName() + ".", e);
        }
        return digest.value();
    }

    private Optional<AvroManifest> open(ManifestFileMeta manifest) throws IOException {
        return AvroManifest.open(fileIO, paths.toPath(manifest.fileName()));
    }

    /** The patching of one manifest. */
    private static final class Patch {

        private final EntryBytesDigest digest = new EntryBytesDigest();
        private final Map<ByteBuffer, long[]> cursors = new HashMap<>();
        private final PatchBuffer out = new PatchBuffer();
        private long minRowId = Long.MAX_VALUE;
        private long maxRowId = Long.MIN_VALUE;

        Patch(Map<BinaryRow, Long> firstIds) {
            firstIds.forEach(
                    (partition, first) ->
                            cursors.put(
                                    ByteBuffer.wrap(
                                            SerializationUtils.serializeBinaryRow(partition)),
                                    new long[] {first}));
        }

        ByteBuffer patched(AvroEntryLayout entry) {
            digest.add(entry);
            if (entry.hasRowId()) {
                throw new IllegalStateException("A file has a row id that was not planned.");
            }
            long first = take(entry);
            minRowId = Math.min(minRowId, first);
            maxRowId = Math.max(maxRowId, first + entry.rowCount() - 1);
            out.reset();
            out.write(entry.bytes(), entry.start(), entry.sequencesStart() - entry.start());
            out.writeLong(FileChange.SEQUENCE);
            out.writeLong(FileChange.SEQUENCE);
            out.write(
                    entry.bytes(),
                    entry.sequencesEnd(),
                    entry.sourceStart() - entry.sequencesEnd());
            if (entry.hasSource()) {
                out.write(
                        entry.bytes(),
                        entry.sourceStart(),
                        entry.sourceEnd() - entry.sourceStart());
            } else {
                out.writeBytes(EntryBytesDigest.APPEND);
            }
            out.write(entry.bytes(), entry.sourceEnd(), entry.rowIdStart() - entry.sourceEnd());
            out.writeLong(1); // the branch of the union that is not null
            out.writeLong(first);
            out.write(entry.bytes(), entry.rowIdEnd(), entry.end() - entry.rowIdEnd());
            return out.buffer();
        }

        private long take(AvroEntryLayout entry) {
            ByteBuffer partition =
                    ByteBuffer.wrap(
                            entry.bytes(),
                            entry.partitionStart(),
                            entry.partitionEnd() - entry.partitionStart());
            long[] cursor = cursors.get(partition);
            if (cursor == null) {
                throw new IllegalStateException("No row ids were planned for a partition.");
            }
            long first = cursor[0];
            cursor[0] = Math.addExact(first, FileRule.idCount(entry.rowCount()));
            return first;
        }

        ManifestFileMeta meta(ManifestFileMeta source, Path path, long sizeBytes) {
            return new ManifestFileMeta(
                    path.getName(),
                    sizeBytes,
                    source.numAddedFiles(),
                    source.numDeletedFiles(),
                    source.partitionStats(),
                    source.schemaId(),
                    source.minBucket(),
                    source.maxBucket(),
                    source.minLevel(),
                    source.maxLevel(),
                    minRowId,
                    maxRowId);
        }

        ContentDigest.Value content() {
            return digest.value();
        }
    }

    /** A growing array that gives its content without copying it. */
    private static final class PatchBuffer extends ByteArrayOutputStream {

        /** Writes Avro's variable-length zig-zag number. */
        void writeLong(long value) {
            long rest = (value << 1) ^ (value >> 63);
            while ((rest & ~0x7fL) != 0) {
                write((int) ((rest & 0x7f) | 0x80));
                rest >>>= 7;
            }
            write((int) rest);
        }

        ByteBuffer buffer() {
            return ByteBuffer.wrap(buf, 0, count);
        }
    }

    /** Avro closes what it writes to; the size is read after that. */
    private static final class UnclosedStream extends FilterOutputStream {

        UnclosedStream(PositionOutputStream out) {
            super(out);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            out.write(bytes, offset, length);
        }

        @Override
        public void close() throws IOException {
            flush();
        }
    }
}
