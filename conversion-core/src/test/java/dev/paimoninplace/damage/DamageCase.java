package dev.paimoninplace.damage;

import dev.paimoninplace.conversion.RepairOptions;
import dev.paimoninplace.verify.FindingCode;
import dev.paimoninplace.verify.Level;
import java.util.List;

/**
 * How a table is damaged, and what has to come of it. To add one, put it into a list of {@link
 * Corpus}: the damage, what verify finds, and how it ends.
 *
 * @param name what happened, as a sentence
 * @param options options of the table, key and value in turn
 * @param damage does it, to a table that is not converted yet
 * @param level how closely verify has to look
 * @param findings what verify says, in its order
 * @param ending what a repair does
 */
record DamageCase(
        String name,
        List<String> options,
        Damage damage,
        Level level,
        List<FindingCode> findings,
        Ending ending) {

    /** Damages a table by what jobs, people and older versions of Paimon do. */
    interface Damage {

        void to(DamagedTable table) throws Exception;
    }

    /** What a repair does. */
    sealed interface Ending {

        /** It leaves the table alone: nothing is wrong, or nothing that makes reads fail. */
        record Skipped() implements Ending {}

        /** It leaves the table alone, which cannot be read before the remedy. */
        record SkippedUntil(Damage remedy) implements Ending {}

        /** It mends the table, and the rows are the expected ones. */
        record Mended(RepairOptions with) implements Ending {}

        /** It refuses with a code and writes nothing, until the remedy. */
        record RefusedUntil(String code, Damage remedy) implements Ending {}

        /** It refuses with a code until it is allowed more; then it mends the table. */
        record MendedIfAllowed(String code, RepairOptions with) implements Ending {}
    }

    DamageCase(String name, Damage damage) {
        this(name, List.of(), damage, Level.METADATA, List.of(), new Ending.Skipped());
    }

    DamageCase withOptions(String... newOptions) {
        return new DamageCase(name, List.of(newOptions), damage, level, findings, ending);
    }

    DamageCase at(Level newLevel) {
        return new DamageCase(name, options, damage, newLevel, findings, ending);
    }

    DamageCase finds(FindingCode... codes) {
        return new DamageCase(name, options, damage, level, List.of(codes), ending);
    }

    private DamageCase ends(Ending newEnding) {
        return new DamageCase(name, options, damage, level, findings, newEnding);
    }

    DamageCase isSkipped() {
        return ends(new Ending.Skipped());
    }

    DamageCase isMended() {
        return isMendedWith(RepairOptions.DEFAULTS);
    }

    DamageCase isMendedWith(RepairOptions with) {
        return ends(new Ending.Mended(with));
    }

    DamageCase isSkippedUntil(Damage remedy) {
        return ends(new Ending.SkippedUntil(remedy));
    }

    DamageCase isRefusedUntil(String code, Damage remedy) {
        return ends(new Ending.RefusedUntil(code, remedy));
    }

    DamageCase isRefusedUnlessAllowed(String code, RepairOptions with) {
        return ends(new Ending.MendedIfAllowed(code, with));
    }

    @Override
    public String toString() {
        return name;
    }
}
