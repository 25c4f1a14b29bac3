package dev.paimoninplace.plan;

import dev.paimoninplace.conversion.CommitUser;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What surrounds a table, as read once.
 *
 * @param paimonVersion version of Paimon on the class path; empty when its jar does not say
 * @param catalogKind how the catalog keeps tables
 * @param atomicCommits whether a snapshot can be written so that only one of two writers wins
 * @param branch branch to be converted
 * @param branches other branches
 * @param tags tags of the branch and the snapshot that each was made from
 * @param consumers consumers and the snapshot that each reads next
 * @param commitUsers users of the retained snapshots, newest commit first
 */
public record TableFacts(
        Optional<String> paimonVersion,
        CatalogKind catalogKind,
        boolean atomicCommits,
        String branch,
        List<String> branches,
        Map<String, Long> tags,
        Map<String, Long> consumers,
        List<CommitUser> commitUsers) {

    /** Kinds of catalogs that differ in what a conversion can do. */
    public enum CatalogKind {
        /** Tables are folders; also the Hive catalog, whose copy of the schema can be repaired. */
        FILE_SYSTEM,
        /** Tables are rows in a database; there are no branches. */
        JDBC,
        /** A server commits snapshots; manifests cannot be replaced through it. */
        REST
    }

    /** Reads the surroundings of a table. */
    public static TableFacts read(TableHandle handle) {
        return TableFactsReader.read(handle);
    }

    public TableFacts {
        branches = List.copyOf(branches);
        tags = Map.copyOf(tags);
        consumers = Map.copyOf(consumers);
        commitUsers = List.copyOf(commitUsers);
    }
}
