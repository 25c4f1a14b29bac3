package dev.paimoninplace.verify;

import dev.paimoninplace.plan.EntryReader;
import dev.paimoninplace.plan.TableHandle;
import dev.paimoninplace.plan.TableView;
import java.io.FileNotFoundException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.paimon.Snapshot;
import org.apache.paimon.manifest.ManifestFileMeta;

/** Finds the commits that added files, as far as retained snapshots tell. */
final class OriginFinder {

    /** Snapshots looked at, newest first. */
    private static final int MAX_SNAPSHOTS = 200;

    /** Findings that name a manifest, which no manifest adds. */
    private static final Set<FindingCode> OF_MANIFESTS =
            Set.of(FindingCode.MANIFEST_RANGE_MISSING, FindingCode.MANIFEST_RANGE_WRONG);

    private final TableHandle handle;
    private final EntryReader entries;

    OriginFinder(TableHandle handle) {
        this.handle = handle;
        this.entries = new EntryReader(handle);
    }

    /** The findings in the order of their codes and files, with their origins where known. */
    List<Finding> complete(List<Finding> findings, TableView view) {
        Set<String> wanted = new HashSet<>();
        for (Finding finding : findings) {
            if (finding.origin().isEmpty() && !OF_MANIFESTS.contains(finding.code())) {
                finding.file().ifPresent(wanted::add);
            }
        }
        Map<String, Finding.Origin> origins = origins(wanted, view.snapshotId());
        return findings.stream()
                .map(
                        finding ->
                                finding.file()
                                        .map(origins::get)
                                        .map(finding::withOrigin)
                                        .orElse(finding))
                .sorted(
                        (a, b) -> {
                            int byCode = a.code().compareTo(b.code());
                            return byCode != 0
                                    ? byCode
                                    : a.file().orElse("").compareTo(b.file().orElse(""));
                        })
                .toList();
    }

    private Map<String, Finding.Origin> origins(Set<String> wanted, long newest) {
        Map<String, Finding.Origin> origins = new HashMap<>();
        long oldest = Math.max(1, newest - MAX_SNAPSHOTS + 1);
        for (long id = newest; id >= oldest && origins.size() < wanted.size(); id--) {
            Snapshot snapshot;
            try {
                snapshot = handle.snapshots().tryGetSnapshot(id);
            } catch (FileNotFoundException e) {
                break;
            }
            for (ManifestFileMeta manifest : delta(snapshot)) {
                entries.read(
                        manifest,
                        entry -> {
                            if (entry.isAdd() && wanted.contains(entry.fileName())) {
                                origins.put(entry.fileName(), HistoryCheck.origin(snapshot));
                            }
                        });
            }
        }
        return origins;
    }

    private List<ManifestFileMeta> delta(Snapshot snapshot) {
        return handle.table().store().manifestListFactory().create().readDeltaManifests(snapshot);
    }
}
