package dev.paimoninplace.verify;

import dev.paimoninplace.conversion.ConversionException;
import dev.paimoninplace.conversion.ProgressListener;
import dev.paimoninplace.conversion.ProgressListener.Stage;
import dev.paimoninplace.conversion.TableState;
import dev.paimoninplace.plan.EntryReader;
import dev.paimoninplace.plan.FileShapes;
import dev.paimoninplace.plan.Inspection;
import dev.paimoninplace.plan.Parallel;
import dev.paimoninplace.plan.TableFacts;
import dev.paimoninplace.plan.TableHandle;
import dev.paimoninplace.plan.TableView;
import dev.paimoninplace.verify.ManifestCheck.Content;
import dev.paimoninplace.verify.RangeCheck.Problem;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.paimon.Snapshot;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.iceberg.IcebergOptions;
import org.apache.paimon.manifest.FileEntry;
import org.apache.paimon.options.Options;

/**
 * Says everything that is wrong with a table that should be a Data Evolution table. Reads only; a
 * commit that comes meanwhile is not looked at.
 */
public final class DataEvolutionVerification {

    private final Catalog catalog;
    private final Identifier identifier;
    private final Level level;
    private final int threads;
    private final ProgressListener progress;

    private DataEvolutionVerification(
            Catalog catalog,
            Identifier identifier,
            Level level,
            int threads,
            ProgressListener progress) {
        this.catalog = catalog;
        this.identifier = identifier;
        this.level = level;
        this.threads = threads;
        this.progress = progress;
    }

    /**
     * A verification at {@link Level#METADATA}.
     *
     * @param catalog catalog that holds the table; stays open
     * @param identifier the table; a branch in it verifies that branch
     */
    public static DataEvolutionVerification of(Catalog catalog, Identifier identifier) {
        int threads = Runtime.getRuntime().availableProcessors();
        return new DataEvolutionVerification(
                catalog, identifier, Level.METADATA, threads, ProgressListener.NONE);
    }

    public DataEvolutionVerification atLevel(Level newLevel) {
        return new DataEvolutionVerification(catalog, identifier, newLevel, threads, progress);
    }

    /**
     * @param newThreads files worked on at a time, at least 1
     */
    public DataEvolutionVerification withThreads(int newThreads) {
        return new DataEvolutionVerification(catalog, identifier, level, newThreads, progress);
    }

    public DataEvolutionVerification withProgress(ProgressListener newProgress) {
        return new DataEvolutionVerification(catalog, identifier, level, threads, newProgress);
    }

    /**
     * Looks at the newest snapshot.
     *
     * @throws ConversionException usage when there is no such table, refused when it has no file
     *     store
     */
    public VerificationReport run() {
        long startMillis = System.currentTimeMillis();
        TableHandle handle = TableHandle.load(catalog, identifier);
        TableView view = handle.read();
        Findings findings = new Findings();
        TableState state = checkState(handle, view, findings);
        Content content = new Content(0, 0, new FileRanges(), new FileRanges(), new FileRanges());
        if (view.snapshot().isPresent() && view.isDataEvolution()) {
            content = new Session(handle, view, findings).check(view.snapshot().get());
        }
        List<Finding> kept = new OriginFinder(handle).complete(findings.kept(), view);
        return new VerificationReport(
                handle.name(),
                level,
                state,
                view.schema().id(),
                view.snapshotId(),
                view.nextRowId(),
                content.files(),
                content.rows(),
                kept,
                findings.counts(),
                System.currentTimeMillis() - startMillis);
    }

    private static TableState checkState(TableHandle handle, TableView view, Findings findings) {
        if (!view.isDataEvolution()) {
            findings.add(
                    Finding.ofTable(
                            FindingCode.NOT_ENABLED,
                            "schema "
                                    + view.schema().id()
                                    + " does not have row-tracking.enabled and"
                                    + " data-evolution.enabled both true"));
            return view.nextRowId() > 0 ? TableState.IDS : TableState.PLAIN;
        }
        boolean sealed = Inspection.isSealed(handle, view);
        if (!sealed) {
            findings.add(
                    Finding.ofTable(
                            FindingCode.NOT_SEALED,
                            view.snapshot()
                                    .map(
                                            s ->
                                                    "snapshot "
                                                            + s.id()
                                                            + " names schema "
                                                            + s.schemaId())
                                    .orElse("there is no snapshot")));
        }
        if (view.snapshot().isPresent() && view.nextRowId() < 1) {
            findings.add(
                    Finding.ofTable(
                            FindingCode.NEXT_ROW_ID_MISSING,
                            "snapshot " + view.snapshotId() + " has no next row id"));
        }
        Options options = Options.fromMap(view.schema().options());
        var iceberg = options.get(IcebergOptions.METADATA_ICEBERG_STORAGE);
        if (iceberg != IcebergOptions.StorageType.DISABLED) {
            findings.add(
                    Finding.ofTable(
                            FindingCode.ICEBERG_METADATA,
                            "metadata.iceberg.storage is " + iceberg));
        }
        return sealed ? TableState.SEALED : TableState.FLIPPED;
    }

    /** The checks of one snapshot. */
    private final class Session {

        private final TableHandle handle;
        private final TableView view;
        private final Findings findings;
        private final Parallel parallel = new Parallel(threads);
        private final EntryReader entries;
        private final FileShapes shapes;

        Session(TableHandle handle, TableView view, Findings findings) {
            this.handle = handle;
            this.view = view;
            this.findings = findings;
            this.entries = new EntryReader(handle);
            this.shapes = new FileShapes(handle);
        }

        Content check(Snapshot snapshot) {
            Set<FileEntry.Identifier> deleted = deletions();
            DeletionVectorCheck vectors =
                    new DeletionVectorCheck(handle, snapshot, shapes, findings);
            Content content = manifests(snapshot, deleted, vectors);
            vectors.report();
            ranges(content, deleted);
            new HistoryCheck(handle, TableFacts.read(handle), findings).check(snapshot);
            if (level == Level.ROWS && !findings.counts().containsKey(FindingCode.STRAY_FILE)) {
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
                            liveChecks(vectors));
            AtomicLong done = new AtomicLong();
            int total = view.manifests().size();
            List<Content> contents =
                    parallel.map(
                            view.manifests(),
                            manifest -> {
                                Content content = check.check(manifest);
                                progress.progress(Stage.VERIFY, done.incrementAndGet(), total);
                                return content;
                            });
            return Content.sum(contents);
        }

        private ManifestCheck.LiveCheck liveChecks(DeletionVectorCheck vectors) {
            if (level == Level.METADATA) {
                return entry -> vectors.see(entry.file());
            }
            DataFileCheck files = new DataFileCheck(handle, findings);
            return entry -> {
                vectors.see(entry.file());
                files.check(entry);
            };
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
                                                                .getPartitionString(
                                                                        entry.partition())),
                                                Optional.empty(),
                                                problem.detail()));
                            }
                        });
            }
        }
    }
}
