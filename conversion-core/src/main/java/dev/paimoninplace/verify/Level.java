package dev.paimoninplace.verify;

/** How closely a verification looks, named by what it reads; each level includes the one before. */
public enum Level {
    /** Snapshots, schemas, manifests and index manifests. */
    METADATA,
    /** Also each data file's presence, size and footer. */
    FILES,
    /** Also the rows: {@code _ROW_ID} of every one. */
    ROWS
}
