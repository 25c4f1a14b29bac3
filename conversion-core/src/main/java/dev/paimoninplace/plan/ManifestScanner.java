package dev.paimoninplace.plan;

import dev.paimoninplace.rowid.FileChange;
import dev.paimoninplace.rowid.FileRule;
import dev.paimoninplace.rowid.ManifestSummary;
import dev.paimoninplace.rowid.ManifestSummary.PartitionNeed;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.format.blob.BlobFileFormat;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.manifest.BinaryManifestEntry;
import org.apache.paimon.manifest.FileEntry;
import org.apache.paimon.manifest.ManifestEntry;
import org.apache.paimon.manifest.ManifestFile;
import org.apache.paimon.manifest.ManifestFileMeta;
import org.apache.paimon.schema.SchemaManager;
import org.apache.paimon.schema.TableSchema;
import org.apache.paimon.table.SpecialFields;
import org.apache.paimon.types.BlobType;
import org.apache.paimon.types.RowType;
import org.apache.paimon.types.VectorType;
import org.apache.paimon.utils.CloseableIterator;

/**
 * Reads manifests for the assignment: one pass, entry by entry, only the attributes that the rules
 * look at. Safe for use by many threads.
 */
final class ManifestScanner {

    private static final BinaryManifestEntry.Projection PROJECTION =
            BinaryManifestEntry.Projection.create(
                    new RowType(
                            false,
                            List.of(
                                    ManifestEntry.MANIFEST_ROW_TYPE.getField(ManifestEntry.KIND),
                                    ManifestEntry.MANIFEST_ROW_TYPE.getField(
                                            ManifestEntry.PARTITION),
                                    ManifestEntry.MANIFEST_ROW_TYPE.getField(ManifestEntry.BUCKET),
                                    ManifestEntry.MANIFEST_ROW_TYPE
                                            .getField(ManifestEntry.FILE)
                                            .newType(
                                                    DataFileMeta.SCHEMA.project(
                                                            DataFileMeta.FILE_NAME,
                                                            DataFileMeta.ROW_COUNT,
                                                            DataFileMeta.MIN_SEQUENCE_NUMBER,
                                                            DataFileMeta.MAX_SEQUENCE_NUMBER,
                                                            DataFileMeta.SCHEMA_ID,
                                                            DataFileMeta.LEVEL,
                                                            DataFileMeta.EXTRA_FILES,
                                                            DataFileMeta.EMBEDDED_FILE_INDEX,
                                                            DataFileMeta.FILE_SOURCE,
                                                            DataFileMeta.EXTERNAL_PATH,
                                                            DataFileMeta.FIRST_ROW_ID,
                                                            DataFileMeta.WRITE_COLS)))));

    private final ManifestFile manifestFile;
    private final SchemaManager schemas;
    private final Map<Long, TableSchema> schemaCache = new ConcurrentHashMap<>();

    ManifestScanner(TableHandle handle) {
        this.manifestFile = handle.table().store().manifestFileFactory().create();
        this.schemas = handle.schemas();
    }

    /** The files that a manifest deletes; their additions may lie in any manifest. */
    List<FileEntry.Identifier> deletions(ManifestFileMeta manifest) {
        List<FileEntry.Identifier> deletions = new ArrayList<>();
        read(
                manifest,
                BinaryManifestEntry.DELETE_ENTRY_PROJECTION,
                entry -> {
                    if (entry.isDelete()) {
                        deletions.add(entry.identifier());
                    }
                });
        return deletions;
    }

    /**
     * Reads one manifest.
     *
     * @param deleted deletions of all manifests of the snapshot
     * @param tracksRows whether the latest schema tracks rows without being Data Evolution
     */
    ScannedManifest scan(
            ManifestFileMeta manifest,
            Set<FileEntry.Identifier> deleted,
            FileRule rule,
            boolean tracksRows) {
        Scan scan = new Scan(manifest, deleted, rule, tracksRows);
        read(manifest, PROJECTION, scan::accept);
        return scan.result();
    }

    private void read(
            ManifestFileMeta manifest,
            BinaryManifestEntry.Projection projection,
            Consumer<BinaryManifestEntry> consumer) {
        try (CloseableIterator<BinaryManifestEntry> entries =
                manifestFile.scan(manifest.fileName(), manifest.fileSize(), projection)) {
            while (entries.hasNext()) {
                consumer.accept(entries.next());
            }
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("Cannot read manifest " + manifest.fileName(), e);
        }
    }

    /** Whether a file holds every column that its schema keeps in ordinary data files. */
    private boolean holdsAllColumns(DataFileMeta file) {
        List<String> written = file.writeCols();
        if (written == null) {
            return true;
        }
        Set<String> present = new HashSet<>(written);
        return schemaCache.computeIfAbsent(file.schemaId(), schemas::schema).fields().stream()
                .filter(field -> !BlobType.isBlobFileField(field.type()))
                .filter(field -> !(field.type() instanceof VectorType))
                .allMatch(field -> present.contains(field.name()));
    }

    private static boolean isDedicated(String fileName) {
        return BlobFileFormat.isBlobFile(fileName) || VectorType.isVectorStoreFile(fileName);
    }

    private static boolean idsInside(DataFileMeta file) {
        List<String> written = file.writeCols();
        return written != null && written.contains(SpecialFields.ROW_ID.name());
    }

    /** The state of one reading. */
    private final class Scan {

        private final ManifestFileMeta manifest;
        private final Set<FileEntry.Identifier> deleted;
        private final FileRule rule;
        private final boolean tracksRows;
        private final Set<FileEntry.Identifier> cancelled = new HashSet<>();
        private final Set<BinaryRow> partitions = new HashSet<>();
        private final Map<BinaryRow, long[]> needs = new LinkedHashMap<>();
        private final FileFindings.Collector findings = new FileFindings.Collector();
        private final RowIdRanges fullRanges = new RowIdRanges();
        private final RowIdRanges partialRanges = new RowIdRanges();
        private long cancelledAdditions;
        private long liveFiles;
        private long liveRows;
        private long changedFiles;
        private long droppedEntries;
        private long idsEnd;
        private long minRowId = Long.MAX_VALUE;
        private long maxRowId = Long.MIN_VALUE;

        Scan(
                ManifestFileMeta manifest,
                Set<FileEntry.Identifier> deleted,
                FileRule rule,
                boolean tracksRows) {
            this.manifest = manifest;
            this.deleted = deleted;
            this.rule = rule;
            this.tracksRows = tracksRows;
        }

        void accept(BinaryManifestEntry entry) {
            BinaryRow partition = entry.partition();
            partitions.add(partition);
            idsEnd = Math.max(idsEnd, FileRule.endOf(entry.file()).orElse(0L));
            if (entry.isDelete()) {
                droppedEntries++;
                return;
            }
            if (!deleted.isEmpty() && isCancelled(entry)) {
                droppedEntries++;
                return;
            }
            live(partition, entry.file());
        }

        private boolean isCancelled(BinaryManifestEntry entry) {
            FileEntry.Identifier identifier = entry.identifier();
            if (!deleted.contains(identifier)) {
                return false;
            }
            cancelled.add(identifier);
            cancelledAdditions++;
            return true;
        }

        private void live(BinaryRow partition, DataFileMeta file) {
            liveFiles++;
            liveRows += file.rowCount();
            boolean dedicated = isDedicated(file.fileName());
            boolean full = !dedicated && holdsAllColumns(file);
            find(file, dedicated, full);
            change(partition, file);
            Long first = file.firstRowId();
            if (first != null && file.rowCount() > 0) {
                (full ? fullRanges : partialRanges)
                        .add(first, Math.addExact(first, file.rowCount()));
            }
            if (first != null) {
                minRowId = Math.min(minRowId, first);
                maxRowId = Math.max(maxRowId, first + file.rowCount() - 1);
            }
        }

        private void change(BinaryRow partition, DataFileMeta file) {
            FileChange change = rule.changeOf(file);
            if (!change.isNeeded()) {
                return;
            }
            changedFiles++;
            if (change.rowId()) {
                long[] need = needs.computeIfAbsent(partition, p -> new long[3]);
                need[0]++;
                need[1] += file.rowCount();
                need[2] = Math.addExact(need[2], FileRule.idCount(file.rowCount()));
            }
        }

        private void find(DataFileMeta file, boolean dedicated, boolean full) {
            boolean hasId = file.firstRowId() != null;
            if (idsInside(file) && (!hasId || tracksRows)) {
                findings.add(FileFindings.Kind.IDS_INSIDE, file.fileName());
            } else if (hasId) {
                return;
            } else if (tracksRows) {
                findings.add(FileFindings.Kind.ID_MISSING, file.fileName());
            } else if (dedicated) {
                findings.add(FileFindings.Kind.DEDICATED_WITHOUT_ID, file.fileName());
            } else if (!full) {
                findings.add(FileFindings.Kind.PARTIAL_WITHOUT_ID, file.fileName());
            }
        }

        ScannedManifest result() {
            List<PartitionNeed> list = new ArrayList<>(needs.size());
            needs.forEach((p, need) -> list.add(new PartitionNeed(p, need[0], need[1], need[2])));
            ManifestSummary summary =
                    new ManifestSummary(
                            manifest.fileName(),
                            list,
                            liveFiles,
                            liveRows,
                            changedFiles,
                            droppedEntries,
                            idsEnd,
                            minRowId,
                            maxRowId);
            return new ScannedManifest(
                    manifest,
                    summary,
                    Set.copyOf(cancelled),
                    cancelledAdditions,
                    Set.copyOf(partitions),
                    findings.findings(),
                    fullRanges,
                    partialRanges);
        }
    }
}
