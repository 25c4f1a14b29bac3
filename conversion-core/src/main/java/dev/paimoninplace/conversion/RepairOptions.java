package dev.paimoninplace.conversion;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * How a repair is to be run.
 *
 * @param conversion threads, attempts and what is known of old writers
 * @param rollBack whether commits may be dropped where nothing else helps
 * @param renumber whether rows may get new ids where their old ones cannot be restored
 * @param level how closely the result is compared with what was there, before the commit
 */
public record RepairOptions(
        ConversionOptions conversion, RollBack rollBack, Renumber renumber, Level level) {

    /** Whether commits may be dropped. */
    public enum RollBack {
        REFUSED,
        /** The content goes back to the newest snapshot that can be used; later appends stay. */
        ALLOWED
    }

    /** Whether rows may get new ids. */
    public enum Renumber {
        REFUSED,
        /** References to the old ids, and global indexes over them, break. */
        ALLOWED
    }

    /** How closely the result is compared. */
    public enum Level {
        /** Live files, rows, ranges. */
        METADATA,
        /** Also every row, by a checksum. */
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
                    "OPTION_VALUE", "Cannot read the level: it accepts METADATA or ROWS.");
        }
    }

    public static final RepairOptions DEFAULTS =
            new RepairOptions(
                    ConversionOptions.DEFAULTS, RollBack.REFUSED, Renumber.REFUSED, Level.METADATA);

    public RepairOptions withConversion(ConversionOptions newConversion) {
        return new RepairOptions(newConversion, rollBack, renumber, level);
    }

    public RepairOptions withRollBack(RollBack newRollBack) {
        return new RepairOptions(conversion, newRollBack, renumber, level);
    }

    public RepairOptions withRenumber(Renumber newRenumber) {
        return new RepairOptions(conversion, rollBack, newRenumber, level);
    }

    public RepairOptions withLevel(Level newLevel) {
        return new RepairOptions(conversion, rollBack, renumber, newLevel);
    }
}
