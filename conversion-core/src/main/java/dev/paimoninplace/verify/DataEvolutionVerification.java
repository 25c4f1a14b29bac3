package dev.paimoninplace.verify;

import dev.paimoninplace.conversion.ConversionException;
import dev.paimoninplace.conversion.ProgressListener;
import dev.paimoninplace.conversion.TableState;
import dev.paimoninplace.plan.Mending;
import dev.paimoninplace.plan.TableHandle;
import dev.paimoninplace.plan.TableView;
import dev.paimoninplace.verify.ManifestCheck.Content;
import java.util.List;
import java.util.Optional;
import org.apache.paimon.Snapshot;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.Identifier;

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
            content =
                    new SnapshotVerification(
                                    handle,
                                    view,
                                    findings,
                                    new SnapshotVerification.Manner(
                                            settings.level,
                                            settings.threads,
                                            settings.progress,
                                            settings.mended))
                            .check(view.snapshot().get());
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
}
