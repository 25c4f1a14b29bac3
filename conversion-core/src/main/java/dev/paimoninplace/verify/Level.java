package dev.paimoninplace.verify;

import dev.paimoninplace.conversion.ConversionException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** How closely a verification looks, named by what it reads; each level includes the one before. */
public enum Level {
    /** Snapshots, schemas, manifests and index manifests. */
    METADATA,
    /** Also each data file's presence, size and footer. */
    FILES,
    /** Also the rows: {@code _ROW_ID} of every one. */
    ROWS;

    /**
     * The level of that name, in any case; {@link #METADATA} when none is given.
     *
     * @throws ConversionException of kind USAGE, code OPTION_VALUE; it does not repeat the name
     */
    public static Level parse(@Nullable String name) {
        if (name == null) {
            return METADATA;
        }
        for (Level level : values()) {
            if (level.name().equals(name.strip().toUpperCase(Locale.ROOT))) {
                return level;
            }
        }
        throw ConversionException.usage(
                "OPTION_VALUE", "Cannot read the level: it accepts METADATA, FILES or ROWS.");
    }
}
