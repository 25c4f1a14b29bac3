package dev.paimoninplace.verify;

import dev.paimoninplace.conversion.ConversionException;
import dev.paimoninplace.conversion.ProgressListener;
import dev.paimoninplace.conversion.ProgressListener.Stage;
import dev.paimoninplace.conversion.TableState;
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
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.manifest.FileEntry;

/**
 * Says everything that is wrong with a table that should be a Data Evolution table. Reads only; a
 * commit that comes meanwhile is not looked at.
 */
public final class DataEvolutionVerification {

    /** When files are looked at. */
    private enum Scope {
        ENABLED,
        ALWAYS
    }

    /**
     * How to look.
     *
     * @param level how closely
     * @param threads files worked on at a time
     * @param progress hears how far it is
     * @param scope when files are looked at
     * @param mended what is taken as mended
     * @param snapshot what to look at; the newest one when empty
     */
    private record Settings(
            Level level,
            int threads,
            ProgressListener progress,
            Scope scope,
            Optional<Mending> mended,
            Optional<Snapshot> snapshot) {}

    /** Findings of files without row id, on which every read fails. */
    private static final Set<FindingCode> WITHOUT_ROW_ID =
            EnumSet.of(
                    FindingCode.STRAY_FILE,
                    FindingCode.IDS_INSIDE_FILE,
                    FindingCode.PARTIAL_WITHOUT_ROW_ID,
                    FindingCode.UPDATES_AS_ROWS);

    private final Catalog catalog;
    private final Identifier identifier;
    private final Settings settings;

    private DataEvolutionVerification(Catalog catalog, Identifier identifier, Settings settings) {
        this.catalog = catalog;
        this.identifier = identifier;
        this.settings = settings;
    }

    /**
     * A verification at {@link Level#METADATA}.
     *
     * @param catalog catalog that holds the table; stays open
     * @param identifier the table; a branch in it verifies that branch
     */
    public static DataEvolutionVerification of(Catalog catalog, Identifier identifier) {
        return new DataEvolutionVerification(
                catalog,
                identifier,
                new Settings(
                        Level.METADATA,
                        Runtime.getRuntime().availableProcessors(),
                        ProgressListener.NONE,
                        Scope.ENABLED,
                        Optional.empty(),
                        Optional.empty()));
    }

    public DataEvolutionVerification atLevel(Level level) {
        Settings s = settings;
        return with(new Settings(level, s.threads, s.progress, s.scope, s.mended, s.snapshot));
    }

    /**
     * @param threads files worked on at a time, at least 1
     */
    public DataEvolutionVerification withThreads(int threads) {
        Settings s = settings;
        return with(new Settings(s.level, threads, s.progress, s.scope, s.mended, s.snapshot));
    }

    public DataEvolutionVerification withProgress(ProgressListener progress) {
        Settings s = settings;
        return with(new Settings(s.level, s.threads, progress, s.scope, s.mended, s.snapshot));
    }

    /** A verification of the files also where the schema does not say Data Evolution (yet). */
    public DataEvolutionVerification lookingAnyway() {
        Settings s = settings;
        return with(
                new Settings(s.level, s.threads, s.progress, Scope.ALWAYS, s.mended, s.snapshot));
    }

    /**
     * A verification of the table as it would be after a repair: what the repair mends in files is
     * taken as mended.
     */
    public DataEvolutionVerification asIfMended(Mending by) {
        Settings s = settings;
        Optional<Mending> mended = Optional.of(by);
        return with(new Settings(s.level, s.threads, s.progress, Scope.ALWAYS, mended, s.snapshot));
    }

    /** A verification of an older snapshot. */
    public DataEvolutionVerification at(Snapshot snapshot) {
        Settings s = settings;
        return with(
                new Settings(
                        s.level, s.threads, s.progress, s.scope, s.mended, Optional.of(snapshot)));
    }

    private DataEvolutionVerification with(Settings newSettings) {
        return new DataEvolutionVerification(catalog, identifier, newSettings);
    }

    /**
     * Looks at the newest snapshot, or the one that was named.
     *
     * @throws ConversionException usage when there is no such table, refused when it has no file
     *     store
     */
    public VerificationReport run() {
        long startMillis = System.currentTimeMillis();
        TableHandle handle = TableHandle.load(catalog, identifier);
        TableView view = settings.snapshot.map(handle::readAt).orElseGet(handle::read);
        Findings findings = new Findings();
        TableState state = StateCheck.check(handle, view, findings);
        Content content = new Content(0, 0, new FileRanges(), new FileRanges(), new FileRanges());
        if (view.snapshot().isPresent()
                && (view.isDataEvolution() || settings.scope == Scope.ALWAYS)) {
            content = new Session(handle, view, findings).check(view.snapshot().get());
        }
        List<Finding> kept = new OriginFinder(handle).complete(findings.kept(), view);
        return new VerificationReport(
                handle.name(),
                settings.level,
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

    /** The checks of one snapshot. */
    private final class Session {

        private final TableHandle handle;
        private final TableView view;
        private final Findings findings;
        private final Parallel parallel = new Parallel(settings.threads);
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
            misleadingStrays();
            ranges(content, deleted);
            new HistoryCheck(handle, TableFacts.read(handle), findings).check(snapshot);
            if (settings.level == Level.ROWS
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
                            settings.mended.map(this::rule).orElse(Mended.NOTHING));
            AtomicLong done = new AtomicLong();
            int total = view.manifests().size();
            List<Content> contents =
                    parallel.map(
                            view.manifests(),
                            manifest -> {
                                Content content = check.check(manifest);
                                settings.progress.progress(
                                        Stage.VERIFY, done.incrementAndGet(), total);
                                return content;
                            });
            return Content.sum(contents);
        }

        private Mended rule(Mending by) {
            return new FileRule(KnownSequences.MEND, view.snapshotId(), by.restoredRowIds())
                    ::changeOf;
        }

        private ManifestCheck.LiveCheck liveChecks(DeletionVectorCheck vectors) {
            if (settings.level == Level.METADATA) {
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
