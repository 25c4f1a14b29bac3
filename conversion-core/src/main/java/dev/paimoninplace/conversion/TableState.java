package dev.paimoninplace.conversion;

/**
 * How far a table has come on its way to data evolution. The table itself says so: there is no
 * state file, so an interrupted conversion is resumed by running it again.
 */
public enum TableState {
    /** At least one live file has no row id, or the table never had a row id; options are off. */
    PLAIN,
    /** Every live file has its row id; the schema does not track rows yet. */
    IDS,
    /** The latest schema has both options; the newest snapshot does not name such a schema yet. */
    FLIPPED,
    /** The newest snapshot names a schema with both options and every live file has its row id. */
    SEALED
}
