package dev.paimoninplace.adapter;

import dev.paimoninplace.conversion.ConversionException;
import org.apache.paimon.catalog.Identifier;
import org.jspecify.annotations.Nullable;

/**
 * Reads the name of a table as people write it: {@code db.t}, {@code `db`.`t`}, either with a
 * branch as in {@code db.t$branch_b}.
 *
 * <p>Without backticks the first dot ends the database, as in Paimon's {@link
 * Identifier#fromString}. A backtick inside backticks is written twice. No error repeats the name.
 */
public final class TableName {

    private static final char QUOTE = '`';

    private TableName() {}

    /**
     * @throws ConversionException of kind USAGE, code TABLE_NAME
     */
    public static Identifier parse(@Nullable String fullName) {
        if (fullName == null || fullName.isBlank()) {
            throw malformed("it is empty");
        }
        String text = fullName.strip();
        int databaseEnd = endOfFirstPart(text);
        if (databaseEnd == text.length()) {
            throw malformed("it names no database");
        }
        return of(text.substring(0, databaseEnd), text.substring(databaseEnd + 1));
    }

    /**
     * @param database name without a table, with or without backticks
     * @param table name without a database, with or without backticks
     * @throws ConversionException of kind USAGE, code TABLE_NAME
     */
    public static Identifier of(String database, String table) {
        Identifier identifier = Identifier.create(unquoted(database), unquoted(table));
        try {
            // Splits off branch and system table, which Paimon does on the first use only.
            identifier.getTableName();
            String branch = identifier.getBranchName();
            if (identifier.getTableName().isEmpty() || (branch != null && branch.isEmpty())) {
                // Paimon would take an empty branch for the table itself.
                throw malformed("its branch or the table before it is empty");
            }
        } catch (IllegalArgumentException e) {
            throw malformed("what follows '$' is neither a branch nor a system table");
        }
        return identifier;
    }

    /**
     * The table that the options {@code --database} and {@code --table} name together.
     *
     * @param database when absent, {@code table} names the database too
     * @throws ConversionException of kind USAGE, code OPTION_MISSING or TABLE_NAME
     */
    public static Identifier ofOptions(@Nullable String database, @Nullable String table) {
        if (table == null) {
            throw missing(database == null ? "--table and --database are" : "--table is");
        }
        if (database != null) {
            return of(database, table);
        }
        if (endOfFirstPart(table) == table.length()) {
            throw missing("--database is");
        }
        return parse(table);
    }

    /** Index of the dot after the first part, or the length when there is none. */
    private static int endOfFirstPart(String text) {
        boolean quoted = false;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == QUOTE) {
                quoted = !quoted;
            } else if (c == '.' && !quoted) {
                return i;
            }
        }
        return text.length();
    }

    private static String unquoted(String part) {
        String text = part.strip();
        if (text.isEmpty()) {
            throw malformed("a part of it is empty");
        }
        if (text.charAt(0) != QUOTE) {
            if (text.indexOf(QUOTE) >= 0) {
                throw malformed("its backticks do not enclose a whole part");
            }
            return text;
        }
        StringBuilder name = new StringBuilder();
        int i = 1;
        while (i < text.length()) {
            char c = text.charAt(i);
            if (c != QUOTE) {
                name.append(c);
                i++;
            } else if (i + 1 < text.length() && text.charAt(i + 1) == QUOTE) {
                name.append(QUOTE);
                i += 2;
            } else {
                break;
            }
        }
        return closed(name, text, i);
    }

    /** After the closing backtick only a branch or the name of a system table may follow. */
    private static String closed(StringBuilder name, String text, int closing) {
        String rest = closing < text.length() ? text.substring(closing + 1) : "";
        boolean wellFormed = rest.isEmpty() || (rest.startsWith("$") && rest.indexOf(QUOTE) < 0);
        if (closing == text.length() || name.length() == 0 || !wellFormed) {
            throw malformed("its backticks do not enclose a whole part");
        }
        return name.append(rest).toString();
    }

    private static ConversionException missing(String options) {
        return ConversionException.usage(
                "OPTION_MISSING",
                "Cannot tell which table is meant: " + options + " missing. Add what is missing.");
    }

    private static ConversionException malformed(String fact) {
        return ConversionException.usage(
                "TABLE_NAME",
                "Cannot read the table name: "
                        + fact
                        + ". Write database and table, as in db.t, or db.t$branch_b for a branch.");
    }
}
