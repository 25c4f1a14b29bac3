package dev.paimoninplace.conversion;

import dev.paimoninplace.plan.EntryReader;
import dev.paimoninplace.plan.TableHandle;
import java.io.FileNotFoundException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.paimon.Snapshot;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.manifest.BinaryManifestEntry;
import org.apache.paimon.manifest.ManifestFileMeta;
import org.apache.paimon.manifest.ManifestList;
import org.apache.paimon.utils.CloseableIterator;

/**
 * What a run changed in single data files, one JSON line each. They are read from the manifests
 * when they are asked for, two at a time and entry by entry, so that a million files need no
 * memory.
 */
public final class FileLines {

    private final TableHandle handle;
    private final EntryReader entries;
    private final ManifestList manifestList;
    private final String commitUser;
    private final long before;
    private final long after;

    private FileLines(TableHandle handle, String commitUser, long before, long after) {
        this.handle = handle;
        this.entries = new EntryReader(handle);
        this.manifestList = handle.table().store().manifestListFactory().create();
        this.commitUser = commitUser;
        this.before = before;
        this.after = after;
    }

    /** Those of a conversion; empty when it wrote nothing. */
    public static Optional<FileLines> of(
            Catalog catalog, Identifier table, ConversionReport report) {
        boolean wrote =
                report.outcome() == ConversionReport.Outcome.CONVERTED
                        || report.outcome() == ConversionReport.Outcome.REPAIRED;
        Long from = report.snapshotBefore();
        return wrote
                ? Optional.of(
                        new FileLines(
                                TableHandle.load(catalog, table),
                                Goal.CONVERT.commitUserPrefix() + report.runId(),
                                from == null ? 0 : from,
                                report.snapshotAfter()))
                : Optional.empty();
    }

    /** Those of a repair; empty when it wrote nothing. */
    public static Optional<FileLines> of(Catalog catalog, Identifier table, RepairReport report) {
        Long from = report.snapshotBefore();
        return report.outcome() == RepairReport.Outcome.REPAIRED
                ? Optional.of(
                        new FileLines(
                                TableHandle.load(catalog, table),
                                Goal.REPAIR.commitUserPrefix() + report.runId(),
                                from == null ? 0 : from,
                                report.snapshotAfter()))
                : Optional.empty();
    }

    /**
     * Hands over each line, without a line break, in the order of snapshots and manifests. For a
     * snapshot that has expired meanwhile there is one line that says so.
     */
    public void forEach(Consumer<String> lines) {
        for (long id = before + 1; id <= after; id++) {
            try {
                Snapshot snapshot = handle.snapshots().tryGetSnapshot(id);
                if (snapshot.commitUser().equals(commitUser)) {
                    changed(snapshot, lines);
                    committed(snapshot, lines);
                }
            } catch (FileNotFoundException e) {
                lines.accept(FileLine.expired(id));
            }
        }
    }

    /** Files whose entries were written anew with other attributes. */
    private void changed(Snapshot snapshot, Consumer<String> lines) throws FileNotFoundException {
        if (snapshot.id() == 1) {
            return;
        }
        Snapshot previous = handle.snapshots().tryGetSnapshot(snapshot.id() - 1);
        List<ManifestFileMeta> from = manifestList.readDataManifests(previous);
        List<ManifestFileMeta> to =
                manifestList.read(snapshot.baseManifestList(), snapshot.baseManifestListSize());
        // One output per input, in the same order, so entries meet their successors in order.
        try (EntrySequence sources = new EntrySequence(entries, without(from, to))) {
            for (ManifestFileMeta successor : without(to, from)) {
                entries.read(
                        successor,
                        entry ->
                                sources.advanceTo(entry.fileName())
                                        .flatMap(
                                                old ->
                                                        line(snapshot)
                                                                .changed(
                                                                        entry.partition(),
                                                                        old.file(),
                                                                        entry.file()))
                                        .ifPresent(lines));
            }
        }
    }

    private static List<ManifestFileMeta> without(
            List<ManifestFileMeta> manifests, List<ManifestFileMeta> others) {
        Set<String> names = new HashSet<>();
        others.forEach(m -> names.add(m.fileName()));
        return manifests.stream().filter(m -> !names.contains(m.fileName())).toList();
    }

    /** Files that the snapshot added or removed. */
    private void committed(Snapshot snapshot, Consumer<String> lines) {
        for (ManifestFileMeta manifest : manifestList.readDeltaManifests(snapshot)) {
            entries.read(manifest, entry -> lines.accept(line(snapshot).committed(entry)));
        }
    }

    private FileLine line(Snapshot snapshot) {
        return new FileLine(snapshot.id(), handle.table().store().pathFactory());
    }

    /** Entries of several manifests, one after the other. */
    private static final class EntrySequence implements AutoCloseable {

        private final EntryReader reader;
        private final List<ManifestFileMeta> manifests;
        private int next;
        private Optional<CloseableIterator<BinaryManifestEntry>> current = Optional.empty();

        EntrySequence(EntryReader reader, List<ManifestFileMeta> manifests) {
            this.reader = reader;
            this.manifests = manifests;
        }

        /** The next addition of that file; those before it are passed over. */
        Optional<BinaryManifestEntry> advanceTo(String fileName) {
            while (hasNext()) {
                BinaryManifestEntry entry = current.orElseThrow().next();
                if (entry.isAdd() && entry.fileName().equals(fileName)) {
                    return Optional.of(entry);
                }
            }
            return Optional.empty();
        }

        private boolean hasNext() {
            while (current.isEmpty() || !current.get().hasNext()) {
                close();
                if (next == manifests.size()) {
                    return false;
                }
                current = Optional.of(reader.iterate(manifests.get(next++)));
            }
            return true;
        }

        @Override
        public void close() {
            current.ifPresent(
                    iterator -> {
                        try {
                            iterator.close();
                        } catch (Exception e) {
                            throw new IllegalStateException("Cannot close a manifest.", e);
                        }
                    });
            current = Optional.empty();
        }
    }
}
