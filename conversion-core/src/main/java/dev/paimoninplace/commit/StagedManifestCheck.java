package dev.paimoninplace.commit;

import dev.paimoninplace.rowid.FileChange;
import dev.paimoninplace.rowid.FileRule;
import dev.paimoninplace.rowid.ManifestSummary.PartitionNeed;
import java.util.HashMap;
import java.util.Map;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.manifest.BinaryManifestEntry;
import org.apache.paimon.manifest.FileKind;
import org.apache.paimon.manifest.ManifestEntry;
import org.apache.paimon.manifest.ManifestFileMeta;
import org.apache.paimon.utils.CloseableIterator;

/**
 * Reads a staged manifest back and compares it with what it replaces: the same live files with the
 * same attributes, row ids that they had before included, and in each partition the planned ids one
 * after the other without a gap.
 *
 * <p>The blocks of two manifests or partitions are disjoint by construction, so this makes the
 * ranges of the whole table disjoint without remembering a file.
 */
final class StagedManifestCheck {

    private final ManifestRewriter manifests;

    StagedManifestCheck(ManifestRewriter manifests) {
        this.manifests = manifests;
    }

    /**
     * @throws IllegalStateException when anything differs; it says what
     */
    void check(StagedManifest staged) {
        Cursors cursors = new Cursors(staged);
        ContentDigest.Value content =
                staged.meta()
                        .map(meta -> read(staged, meta, cursors))
                        .orElse(new ContentDigest().value());
        require(
                content.equals(staged.content()),
                staged,
                "its live files differ: " + content + " instead of " + staged.content());
        require(
                staged.content().files() == staged.source().summary().liveFiles()
                        && staged.content().rows() == staged.source().summary().liveRows(),
                staged,
                "it was read twice with different live files: " + staged.content());
        cursors.requireExhausted();
    }

    private ContentDigest.Value read(
            StagedManifest staged, ManifestFileMeta meta, Cursors cursors) {
        return switch (staged.by()) {
            case BYTES -> readBytes(staged, meta, cursors);
            case ENTRIES -> readEntries(meta, cursors);
        };
    }

    /**
     * Reads what was patched through Paimon's reader, which finds its way only if every entry is
     * whole, and the rest as bytes.
     */
    private ContentDigest.Value readBytes(
            StagedManifest staged, ManifestFileMeta meta, Cursors cursors) {
        manifests
                .reader()
                .read(
                        meta,
                        entry ->
                                require(
                                        cursors.accept(entry),
                                        staged,
                                        entry.fileName() + " has an id of no plan"));
        return manifests.patcher().digest(meta);
    }

    private ContentDigest.Value readEntries(ManifestFileMeta meta, Cursors cursors) {
        ContentDigest content = new ContentDigest();
        try (CloseableIterator<BinaryManifestEntry> entries = manifests.entries(meta)) {
            while (entries.hasNext()) {
                BinaryManifestEntry entry = entries.next();
                if (cursors.accept(entry)) {
                    content.addWithoutRowId(entry.fullRow());
                } else {
                    content.add(entry.fullRow());
                }
            }
            return content.value();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("Cannot read manifest " + meta.fileName() + ".", e);
        }
    }

    private static void require(boolean condition, StagedManifest staged, String fact) {
        if (!condition) {
            throw new IllegalStateException(
                    "The successor of manifest "
                            + staged.source().meta().fileName()
                            + " is wrong and was not committed: "
                            + fact
                            + ".");
        }
    }

    /** The ids that the manifest takes in each partition, and how far the reading has come. */
    private static final class Cursors {

        private final StagedManifest staged;
        private final Map<BinaryRow, Block> blocks = new HashMap<>();

        Cursors(StagedManifest staged) {
            this.staged = staged;
            for (PartitionNeed need : staged.source().summary().needs()) {
                Long first = staged.firstIds().get(need.partition());
                if (first == null) {
                    throw new IllegalStateException("No row ids were planned for a partition.");
                }
                blocks.put(
                        need.partition(), new Block(first, Math.addExact(first, need.idCount())));
            }
        }

        /** Whether the file has one of the ids that were planned. */
        boolean accept(ManifestEntry entry) {
            DataFileMeta file = entry.file();
            Long first = file.firstRowId();
            require(entry.kind() == FileKind.ADD, staged, "it deletes " + file.fileName());
            require(first != null, staged, file.fileName() + " has no row id");
            Block block = blocks.get(entry.partition());
            if (block == null || first == null || !block.holds(first)) {
                return false;
            }
            require(
                    first == block.next,
                    staged,
                    file.fileName() + " starts at row id " + first + " instead of " + block.next);
            require(
                    file.minSequenceNumber() == FileChange.SEQUENCE
                            && file.maxSequenceNumber() == FileChange.SEQUENCE,
                    staged,
                    file.fileName() + " has other sequence numbers than 1");
            block.next = Math.addExact(block.next, FileRule.idCount(file.rowCount()));
            return true;
        }

        void requireExhausted() {
            for (Block block : blocks.values()) {
                require(
                        block.next == block.end,
                        staged,
                        "row ids from " + block.next + " to " + block.end + " are missing");
            }
        }
    }

    private static final class Block {

        private final long first;
        private final long end;
        private long next;

        Block(long first, long end) {
            this.first = first;
            this.end = end;
            this.next = first;
        }

        boolean holds(long id) {
            return id >= first && id < end;
        }
    }
}
