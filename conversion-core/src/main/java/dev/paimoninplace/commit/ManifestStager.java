package dev.paimoninplace.commit;

import dev.paimoninplace.conversion.ProgressListener;
import dev.paimoninplace.plan.ManifestPlan;
import dev.paimoninplace.plan.ManifestPlan.PlannedManifest;
import dev.paimoninplace.plan.Parallel;
import dev.paimoninplace.plan.TableHandle;
import dev.paimoninplace.rowid.ManifestSummary;
import dev.paimoninplace.rowid.ManifestSummary.PartitionNeed;
import dev.paimoninplace.rowid.RowIdAssignment;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.manifest.ManifestFileMeta;

/**
 * Stages the manifests of a snapshot, and of the next one when that came first: what was staged for
 * a manifest is used again as long as nothing about it has changed and its ids are still free.
 * Files that came in between get the next ids; files that went leave a hole.
 */
final class ManifestStager {

    /** Whether staged manifests are read back. */
    enum Comparison {
        /** They are, before anything is committed. */
        READ_BACK,
        /** They are not: they were measured and thrown away. */
        NONE
    }

    private final ManifestRewriter rewriter;
    private final StagedManifestCheck check;
    private final Comparison comparison;
    private final Parallel parallel;
    private final ProgressListener progress;

    private final Queue<ManifestFileMeta> written = new ConcurrentLinkedQueue<>();
    private Map<String, StagedManifest> staged = new LinkedHashMap<>();
    private long floor;
    private long cursor;
    private long manifestsWritten;
    private long readBacks;
    private long bytesReadBack;
    private long bytesRead;
    private long bytesWritten;

    ManifestStager(
            TableHandle handle,
            Comparison comparison,
            Parallel parallel,
            ProgressListener progress) {
        this.rewriter = new ManifestRewriter(handle);
        this.check = new StagedManifestCheck(rewriter);
        this.comparison = comparison;
        this.parallel = parallel;
        this.progress = progress;
    }

    /**
     * Stages every manifest that must be written anew.
     *
     * @param nextRowIdAtLeast lower bound of the next row id of the snapshot
     * @throws IllegalStateException when a staged manifest is not what was planned
     * @throws ArithmeticException when the ids exceed a long
     */
    Staging stage(ManifestPlan plan, long nextRowIdAtLeast) {
        keepWhatStillHolds(plan);
        List<PlannedManifest> fresh =
                plan.manifests().stream()
                        .filter(m -> m.summary().mustBeRewritten())
                        .filter(m -> !staged.containsKey(m.meta().fileName()))
                        .toList();
        RowIdAssignment assignment =
                RowIdAssignment.assign(
                        cursor, fresh.stream().map(PlannedManifest::summary).toList());
        for (StagedManifest one : writeAll(fresh, plan, assignment)) {
            staged.put(one.source().meta().fileName(), one);
            manifestsWritten += one.meta().isPresent() ? 1 : 0;
            readBacks += one.readBacks();
            bytesReadBack += one.readBacks() * one.sizeBytes();
            bytesRead += one.source().meta().fileSize();
            bytesWritten += one.sizeBytes();
        }
        cursor = assignment.nextRowId();
        return assemble(plan, Math.max(nextRowIdAtLeast, Math.max(cursor, plan.firstFreeRowId())));
    }

    /** Forgets staged manifests whose source went or changed, or whose row ids are taken. */
    private void keepWhatStillHolds(ManifestPlan plan) {
        boolean idsAreFree = plan.firstFreeRowId() <= floor;
        Map<String, StagedManifest> kept = new LinkedHashMap<>();
        for (PlannedManifest manifest : plan.manifests()) {
            StagedManifest one = staged.get(manifest.meta().fileName());
            if (one != null
                    && one.source() == manifest
                    && (idsAreFree || one.firstIds().isEmpty())) {
                kept.put(manifest.meta().fileName(), one);
            }
        }
        staged.forEach(
                (source, one) -> {
                    if (!kept.containsKey(source)) {
                        one.meta().ifPresent(this::discard);
                    }
                });
        staged = kept;
        if (kept.values().stream().allMatch(one -> one.firstIds().isEmpty())) {
            floor = plan.firstFreeRowId();
            cursor = floor;
        }
    }

    /** All of them, or none: when one fails, the others are deleted. */
    private List<StagedManifest> writeAll(
            List<PlannedManifest> fresh, ManifestPlan plan, RowIdAssignment assignment) {
        try {
            return write(fresh, plan, assignment);
        } catch (RuntimeException e) {
            Set<ManifestFileMeta> stillUsed = new HashSet<>();
            staged.values().forEach(one -> one.meta().ifPresent(stillUsed::add));
            written.stream()
                    .filter(one -> !stillUsed.contains(one))
                    .toList()
                    .forEach(this::discard);
            throw e;
        }
    }

    private List<StagedManifest> write(
            List<PlannedManifest> fresh, ManifestPlan plan, RowIdAssignment assignment) {
        AtomicLong rewritten = new AtomicLong();
        List<StagedManifest> result =
                parallel.map(
                        fresh,
                        source -> {
                            StagedManifest one = write(source, plan, assignment);
                            progress.progress(
                                    ProgressListener.Stage.REWRITE,
                                    rewritten.incrementAndGet(),
                                    fresh.size());
                            return one;
                        });
        if (comparison == Comparison.READ_BACK) {
            AtomicLong compared = new AtomicLong();
            parallel.map(
                    result,
                    one -> {
                        check.check(one);
                        progress.progress(
                                ProgressListener.Stage.COMPARE,
                                compared.incrementAndGet(),
                                result.size());
                        return one;
                    });
        }
        return result;
    }

    private StagedManifest write(
            PlannedManifest source, ManifestPlan plan, RowIdAssignment assignment) {
        Map<BinaryRow, Long> firstIds =
                assignment.firstIds().getOrDefault(source.meta().fileName(), Map.of());
        StagedManifest one = rewriter.rewrite(source, plan, firstIds);
        one.meta().ifPresent(written::add);
        return one;
    }

    private Staging assemble(ManifestPlan plan, long nextRowId) {
        List<ManifestFileMeta> manifests = new ArrayList<>(plan.manifests().size());
        Set<BinaryRow> partitions = new HashSet<>();
        long files = 0;
        long rows = 0;
        for (PlannedManifest manifest : plan.manifests()) {
            StagedManifest one = staged.get(manifest.meta().fileName());
            if (one != null) {
                one.meta().ifPresent(manifests::add);
            } else if (manifest.summary().liveFiles() > 0) {
                manifests.add(withRowIdRange(manifest));
            }
            for (PartitionNeed need : manifest.summary().needs()) {
                partitions.add(need.partition());
                files += need.fileCount();
                rows += need.rowCount();
            }
        }
        requireSameFiles(plan, manifests);
        return new Staging(
                manifests,
                nextRowId,
                files,
                rows,
                partitions.size(),
                staged.size(),
                plan.manifests().size() - staged.size(),
                manifestsWritten,
                readBacks,
                bytesReadBack,
                bytesRead,
                bytesWritten);
    }

    private static void requireSameFiles(ManifestPlan plan, List<ManifestFileMeta> manifests) {
        long added = manifests.stream().mapToLong(ManifestFileMeta::numAddedFiles).sum();
        long deleted = manifests.stream().mapToLong(ManifestFileMeta::numDeletedFiles).sum();
        if (added != plan.liveFiles() || deleted != 0) {
            throw new IllegalStateException(
                    String.format(
                            "The staged manifests add %d and delete %d files instead of %d and 0;"
                                    + " nothing was committed.",
                            added, deleted, plan.liveFiles()));
        }
    }

    /**
     * A manifest whose live files all have ids, with their range: writers that left it out make
     * readers look into every such manifest, and a wrong one makes them miss rows.
     */
    private static ManifestFileMeta withRowIdRange(PlannedManifest manifest) {
        ManifestFileMeta meta = manifest.meta();
        if (manifest.rangeIsKnown()) {
            return meta;
        }
        ManifestSummary summary = manifest.summary();
        return new ManifestFileMeta(
                meta.fileName(),
                meta.fileSize(),
                meta.numAddedFiles(),
                meta.numDeletedFiles(),
                meta.partitionStats(),
                meta.schemaId(),
                meta.minBucket(),
                meta.maxBucket(),
                meta.minLevel(),
                meta.maxLevel(),
                summary.minRowId(),
                summary.maxRowId());
    }

    /** Deletes everything that was staged; only names that this stager wrote. */
    void discardAll() {
        ManifestFileMeta one = written.poll();
        while (one != null) {
            rewriter.delete(one);
            one = written.poll();
        }
        staged = new LinkedHashMap<>();
    }

    /** Forgets what was staged without deleting it: a snapshot may reference it. */
    void release() {
        written.clear();
        staged = new LinkedHashMap<>();
    }

    private void discard(ManifestFileMeta manifest) {
        written.remove(manifest);
        rewriter.delete(manifest);
    }
}
