package dev.paimoninplace.adapter;

import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.Identifier;

/** An action on one table, with its own options read. */
@FunctionalInterface
public interface TableAction {

    /**
     * @param scrubber takes the values of the catalog's options out of the result
     */
    ActionResult run(Catalog catalog, Identifier table, Scrubber scrubber);
}
