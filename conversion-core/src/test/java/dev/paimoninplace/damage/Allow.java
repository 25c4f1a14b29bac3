package dev.paimoninplace.damage;

import dev.paimoninplace.conversion.ConversionOptions;
import dev.paimoninplace.conversion.ConversionOptions.OldWriters;
import dev.paimoninplace.conversion.RepairOptions;
import dev.paimoninplace.conversion.RepairOptions.Renumber;
import dev.paimoninplace.conversion.RepairOptions.RollBack;

/** What a repair may be allowed to do. */
final class Allow {

    static final RepairOptions NOTHING = RepairOptions.DEFAULTS;
    static final RepairOptions ROLL_BACK = NOTHING.withRollBack(RollBack.ALLOWED);
    static final RepairOptions RENUMBER = NOTHING.withRenumber(Renumber.ALLOWED);
    static final RepairOptions OLD_WRITERS =
            NOTHING.withConversion(ConversionOptions.DEFAULTS.withOldWriters(OldWriters.STOPPED));

    private Allow() {}
}
