package dev.paimoninplace.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.paimoninplace.conversion.ConversionException;
import dev.paimoninplace.conversion.ErrorKind;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class LevelTest {

    @ParameterizedTest
    @EnumSource
    void readsItsNameInAnyCase(Level level) {
        assertEquals(level, Level.parse(level.name()));
        assertEquals(level, Level.parse(" " + level.name().toLowerCase(Locale.ROOT)));
    }

    @Test
    void isMetadataWhenNoneIsGiven() {
        assertEquals(Level.METADATA, Level.parse(null));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "zz", "FILES,ROWS", "1"})
    void refusesWhatIsNoLevelWithoutRepeatingIt(String name) {
        ConversionException failure =
                assertThrows(ConversionException.class, () -> Level.parse(name));

        assertEquals(ErrorKind.USAGE, failure.kind());
        assertEquals("OPTION_VALUE", failure.code());
        assertEquals(
                "Cannot read the level: it accepts METADATA, FILES or ROWS.", failure.getMessage());
    }
}
