package dev.paimoninplace.verify;

import dev.paimoninplace.conversion.ProgressListener;
import dev.paimoninplace.conversion.ProgressListener.Stage;
import dev.paimoninplace.plan.EntryReader;
import dev.paimoninplace.plan.FileFindings;
import dev.paimoninplace.plan.FileShapes;
import dev.paimoninplace.plan.Mending;
import dev.paimoninplace.plan.MisleadingStrays;
import dev.paimoninplace.plan.Parallel;
import dev.paimoninplace.plan.TableFacts;
import dev.paimoninplace.plan.TableHandle;
import dev.paimoninplace.plan.TableView;
import dev.paimoninplace.rowid.FileRule;
import dev.paimoninplace.rowid.FileRule.KnownSequences;
import dev.paimoninplace.verify.ManifestCheck.Content;
import dev.paimoninplace.verify.ManifestCheck.Mended;
import dev.paimoninplace.verify.RangeCheck.Problem;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.paimon.Snapshot;
import org.apache.paimon.manifest.FileEntry;

/** The checks of one snapshot. */
final class SnapshotVerification {

    /**
     * How to look.
     *
     * @param level how closely
     * @param threads files worked on at a time
     * @param progress hears how far it is
     * @param mended what is taken as mended
     */
    record Manner(Level level, int threads, ProgressListener progress, Optional<Mending> mended) {}

    /** Findings of files without row id, on which every read fails. */
    private static final Set<FindingCode> WITHOUT_ROW_ID =
            EnumSet.of(
                    FindingCode.STRAY_FILE,
                    FindingCode.IDS_INSIDE_FILE,
                    FindingCode.PARTIAL_WITHOUT_ROW_ID,
                    FindingCode.UPDATES_AS_ROWS);

    private final TableHandle handle;
    private final TableView view;
    private final Findings findings;
    private final Manner manner;
    private final Parallel parallel;
    private final EntryReader entries;
    private final FileShapes shapes;

    SnapshotVerification(TableHandle handle, TableView view, Findings findings, Manner manner) {
        this.handle = handle;
        this.view = view;
        this.findings = findings;
        this.manner = manner;
        this.parallel = new Parallel(manner.threads);
        this.entries = new EntryReader(handle);
        this.shapes = new FileShapes(handle);
    }

    Content check(Snapshot snapshot) {
        Set<FileEntry.Identifier> deleted = deletions();
        DeletionVectorCheck vectors = new DeletionVectorCheck(handle, snapshot, shapes, findings);
        Content content = manifests(snapshot, deleted, vectors);
        vectors.report();
        misleadingStrays();
        ranges(content, deleted);
        new HistoryCheck(handle, TableFacts.read(handle), findings).check(snapshot);
        if (manner.level == Level.ROWS
                && Collections.disjoint(findings.counts().keySet(), WITHOUT_ROW_ID)) {
            new RowCheck(handle, parallel, findings).check();
        }
        return content;
    }

    private Set<FileEntry.Identifier> deletions() {
        Set<FileEntry.Identifier> all = new HashSet<>();
        view.manifests().stream()
                .filter(m -> m.numDeletedFiles() > 0)
                .forEach(m -> all.addAll(entries.deletions(m)));
        return all;
    }

    private Content manifests(
            Snapshot snapshot, Set<FileEntry.Identifier> deleted, DeletionVectorCheck vectors) {
        ManifestCheck check =
                new ManifestCheck(
                        entries,
                        shapes,
                        handle.table().store().pathFactory(),
                        deleted,
                        view.nextRowId(),
                        snapshot.id(),
                        findings,
                        liveChecks(vectors),
                        manner.mended.map(this::rule).orElse(Mended.NOTHING));
        AtomicLong done = new AtomicLong();
        int total = view.manifests().size();
        List<Content> contents =
                parallel.map(
                        view.manifests(),
                        manifest -> {
                            Content content = check.check(manifest);
                            manner.progress.progress(Stage.VERIFY, done.incrementAndGet(), total);
                            return content;
                        });
        return Content.sum(contents);
    }

    private Mended rule(Mending by) {
        return new FileRule(KnownSequences.MEND, view.snapshotId(), by.restoredRowIds())::changeOf;
    }

    private ManifestCheck.LiveCheck liveChecks(DeletionVectorCheck vectors) {
        if (manner.level == Level.METADATA) {
            return entry -> vectors.see(entry.file());
        }
        DataFileCheck files = new DataFileCheck(handle, findings);
        return entry -> {
            vectors.see(entry.file());
            files.check(entry);
        };
    }

    private void misleadingStrays() {
        for (MisleadingStrays.Stray stray : MisleadingStrays.find(handle, view)) {
            findings.add(
                    Finding.of(
                            stray.kind() == FileFindings.Kind.UPDATES_AS_ROWS
                                    ? FindingCode.UPDATES_AS_ROWS
                                    : FindingCode.PARTIAL_WITHOUT_ROW_ID,
                            Optional.of(stray.fileName()),
                            Optional.of(
                                    handle.table()
                                            .store()
                                            .pathFactory()
                                            .getPartitionString(stray.partition())),
                            Optional.empty(),
                            stray.detail()));
        }
    }

    private void ranges(Content content, Set<FileEntry.Identifier> deleted) {
        List<Problem> problems = new ArrayList<>();
        RangeCheck.check(
                content.full(),
                content.partial(),
                content.dedicated(),
                problem -> {
                    if (problems.size() < Findings.PER_CODE) {
                        problems.add(problem);
                    }
                });
        if (!problems.isEmpty()) {
            name(problems, deleted);
        }
    }

    /** Finds the files behind ranges by reading the manifests once more. */
    private void name(List<Problem> problems, Set<FileEntry.Identifier> deleted) {
        Map<Long, Problem> byStart = new HashMap<>();
        problems.forEach(problem -> byStart.putIfAbsent(problem.start(), problem));
        for (var manifest : view.manifests()) {
            entries.read(
                    manifest,
                    entry -> {
                        Long first = entry.file().firstRowId();
                        Problem problem = first == null ? null : byStart.get(first);
                        if (problem != null
                                && first + entry.file().rowCount() == problem.end()
                                && shapes.of(entry.file()) == problem.shape()
                                && ManifestCheck.isLive(entry, deleted)) {
                            findings.add(
                                    Finding.of(
                                            problem.code(),
                                            Optional.of(entry.file().fileName()),
                                            Optional.of(
                                                    handle.table()
                                                            .store()
                                                            .pathFactory()
                                                            .getPartitionString(entry.partition())),
                                            Optional.empty(),
                                            problem.detail()));
                        }
                    });
        }
    }
}
