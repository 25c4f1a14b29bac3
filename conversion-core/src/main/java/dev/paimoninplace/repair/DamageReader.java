package dev.paimoninplace.repair;

import dev.paimoninplace.conversion.ConversionException;
import dev.paimoninplace.conversion.ProgressListener;
import dev.paimoninplace.plan.Mending;
import dev.paimoninplace.plan.Mending.HiddenUpdates;
import dev.paimoninplace.plan.Parallel;
import dev.paimoninplace.plan.TableHandle;
import dev.paimoninplace.plan.TableView;
import dev.paimoninplace.verify.DataEvolutionVerification;
import dev.paimoninplace.verify.FindingCode;
import dev.paimoninplace.verify.VerificationReport;
import java.io.FileNotFoundException;
import java.util.Optional;
import org.apache.paimon.Snapshot;
import org.apache.paimon.schema.TableSchema;

/** Finds out what is damaged in the newest snapshot of a table. */
public final class DamageReader {

    /** Each further attempt means that another commit came in between. */
    private static final int MAX_ATTEMPTS = 10;

    private final TableHandle handle;
    private final int threads;
    private final ProgressListener progress;

    public DamageReader(TableHandle handle, int threads, ProgressListener progress) {
        this.handle = handle;
        this.threads = threads;
        this.progress = progress;
    }

    /** Whether the table was ever a Data Evolution table, or on the way to it. */
    public boolean wasEverConverted() {
        TableView view = handle.read();
        boolean tracksRows = view.options().rowTrackingEnabled();
        return (view.nextRowId() > 0 && !tracksRows)
                || handle.schemas().listAll().stream().anyMatch(DamageReader::isDataEvolution);
    }

    private static boolean isDataEvolution(TableSchema schema) {
        return TableView.isDataEvolution(schema);
    }

    /**
     * Reads all of the metadata, and those data files that hold row ids inside.
     *
     * @throws ConversionException as a verification
     */
    public Damage read() {
        for (int attempt = 1; ; attempt++) {
            TableView view = handle.read();
            try {
                Damage damage = read(view);
                // The stages that write check again; here the parts should be of one snapshot.
                boolean ofOneSnapshot = handle.latestSnapshot().equals(view.snapshot());
                if (ofOneSnapshot || attempt == MAX_ATTEMPTS) {
                    return damage;
                }
            } catch (RuntimeException e) {
                if (attempt == MAX_ATTEMPTS || !handle.isOutdated(view, e)) {
                    throw e;
                }
            }
        }
    }

    /** As {@link #read}, of an older snapshot. */
    public Damage readAt(Snapshot snapshot) {
        return read(handle.readAt(snapshot));
    }

    private Damage read(TableView view) {
        DataEvolutionVerification verification =
                view.snapshot()
                        .map(verification()::at)
                        .orElseGet(this::verification)
                        .lookingAnyway();
        VerificationReport found = verification.run();
        InsideIds insideIds =
                found.counts().containsKey(FindingCode.IDS_INSIDE_FILE)
                        ? InsideIds.read(handle, view, new Parallel(threads))
                        : InsideIds.NONE;
        Mending mending = new Mending(HiddenUpdates.COME_TO_LIGHT, insideIds.firstRowIds());
        boolean asItIs = found.counts().isEmpty();
        VerificationReport left = asItIs ? found : verification.asIfMended(mending).run();
        ShownUpdates shown =
                found.counts().containsKey(FindingCode.SEQUENCE_OUT_OF_RANGE)
                        ? ShownUpdates.read(handle, view)
                        : ShownUpdates.NONE;
        boolean oldWriter =
                found.counts().containsKey(FindingCode.NEXT_ROW_ID_MISSING)
                        && found.counts().containsKey(FindingCode.STRAY_FILE);
        return new Damage(
                found,
                left,
                mending,
                insideIds,
                shown,
                oldWriter ? DestroyedIds.find(handle, view) : Optional.empty(),
                nextRowIdFloor(view));
    }

    /** Verifies the table as it is. */
    public VerificationReport verify() {
        return verification().run();
    }

    private DataEvolutionVerification verification() {
        return DataEvolutionVerification.of(handle.catalog(), handle.identifier())
                .withThreads(threads)
                .withProgress(progress);
    }

    /** Ids that were given out, as far as retained snapshots and tags tell. */
    private long nextRowIdFloor(TableView view) {
        long floor = 1;
        for (long id = view.snapshotId(); id >= 1; id--) {
            try {
                floor = Math.max(floor, nextRowId(handle.snapshots().tryGetSnapshot(id)));
            } catch (FileNotFoundException e) {
                break;
            }
        }
        for (Snapshot tagged : handle.table().tagManager().tags().keySet()) {
            floor = Math.max(floor, nextRowId(tagged));
        }
        return floor;
    }

    private static long nextRowId(Snapshot snapshot) {
        Long next = snapshot.nextRowId();
        return next == null ? 0 : next;
    }
}
