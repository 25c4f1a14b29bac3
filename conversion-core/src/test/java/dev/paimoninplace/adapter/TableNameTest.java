package dev.paimoninplace.adapter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.paimoninplace.conversion.ConversionException;
import dev.paimoninplace.conversion.ErrorKind;
import org.apache.paimon.catalog.Identifier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class TableNameTest {

    @ParameterizedTest
    @CsvSource({
        "db.t, db, t",
        "' db.t ', db, t",
        "`db`.`t`, db, t",
        "db.`t`, db, t",
        "`db`.t, db, t",
        "db.t.x, db, t.x",
        "`d.b`.`t.x`, d.b, t.x",
        "`d``b`.t, d`b, t",
        "db.t$branch_b, db, t$branch_b",
        "`db`.`t$branch_b`, db, t$branch_b",
        "`db`.`t`$branch_b, db, t$branch_b"
    })
    void readsDatabaseAndTable(String text, String database, String table) {
        assertEquals(Identifier.create(database, table), TableName.parse(text));
    }

    @Test
    void keepsTheBranch() {
        assertEquals("b", TableName.parse("db.t$branch_b").getBranchName());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "zz",
                ".zz",
                "zz.",
                "`zz`",
                "`zz.t",
                "zz.`t",
                "zz.t`",
                "``.zz",
                "`zz`x.t",
                "zz.`t`x",
                "zz.t$a$b",
                "zz.t$a$b$c"
            })
    void refusesWhatIsNoTableNameWithoutRepeatingIt(String text) {
        ConversionException failure =
                assertThrows(ConversionException.class, () -> TableName.parse(text));

        assertEquals(ErrorKind.USAGE, failure.kind());
        assertEquals("TABLE_NAME", failure.code());
        String message = String.valueOf(failure.getMessage());
        assertTrue(message.startsWith("Cannot read the table name: "), message);
        assertFalse(message.contains("zz"), message);
    }

    @Test
    void takesADotInATableNameWhenTheDatabaseIsKnown() {
        assertEquals(Identifier.create("db", "t.x"), TableName.of("`db`", "t.x"));
    }

    @Test
    void takesTheDatabaseFromTheTableWhenItIsNotGiven() {
        assertEquals(Identifier.create("db", "t"), TableName.ofOptions(null, "`db`.t"));
        assertEquals(Identifier.create("db", "a.t"), TableName.ofOptions("db", "a.t"));
    }

    @ParameterizedTest
    @CsvSource({
        ", , --table and --database are missing",
        "zz, , --table is missing",
        ", zz, --database is missing",
        ", `zz.t`, --database is missing"
    })
    void saysWhichOptionIsMissing(
            @Nullable String database, @Nullable String table, String expected) {
        ConversionException failure =
                assertThrows(ConversionException.class, () -> TableName.ofOptions(database, table));

        String message = String.valueOf(failure.getMessage());
        assertEquals("OPTION_MISSING", failure.code());
        assertTrue(message.contains(expected), message);
        assertFalse(message.contains("zz"), message);
    }

    @Test
    void anEmptyBranchIsNotTheTableItself() {
        ConversionException failure =
                assertThrows(ConversionException.class, () -> TableName.parse("db.t$branch_"));

        assertEquals("TABLE_NAME", failure.code());
        assertEquals(
                "Cannot read the table name: its branch or the table before it is empty. Write"
                        + " database and table, as in db.t, or db.t$branch_b for a branch.",
                failure.getMessage());
    }
}
