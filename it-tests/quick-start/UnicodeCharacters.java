import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Set;
import java.util.TreeSet;

/**
 * Writes the Unicode Character Database, as the running JDK carries it, to files for the quick start.
 *
 * <p>Usage: {@code java UnicodeCharacters.java <folder>}. Each {@code part-<n>.csv} has a range of
 * code points, one row per assigned character: code point, name, script, block, bytes of its UTF-8
 * encoding in hexadecimal, general category; separated by {@code |}. Surrogates and private use
 * characters are left out, as they have no name. Standard output gets the counts that the tables
 * must show, as {@code name=value} lines.
 */
public final class UnicodeCharacters {

    /** First code points of the parts after the first one. */
    private static final int[] PART_STARTS = {0x3400, 0xA000, 0x10000};

    private final Path folder;
    private final Set<String> categories = new TreeSet<>();
    private long rowCount;
    private long utf8SizeBytes;

    private UnicodeCharacters(Path folder) {
        this.folder = folder;
    }

    public static void main(String[] args) throws IOException {
        Path folder = Files.createDirectories(Path.of(args[0]));
        new UnicodeCharacters(folder).writeParts();
    }

    private void writeParts() throws IOException {
        int start = 0;
        for (int part = 1; part <= PART_STARTS.length + 1; part++) {
            int end =
                    part <= PART_STARTS.length
                            ? PART_STARTS[part - 1]
                            : Character.MAX_CODE_POINT + 1;
            long rowsBefore = rowCount;
            writePart(part, start, end);
            System.out.println("part_" + part + "_rows=" + (rowCount - rowsBefore));
            start = end;
        }
        System.out.println("rows=" + rowCount);
        System.out.println("utf8_bytes=" + utf8SizeBytes);
        System.out.println("categories=" + categories.size());
    }

    private void writePart(int part, int start, int end) throws IOException {
        Path file = folder.resolve("part-" + part + ".csv");
        try (PrintWriter out =
                new PrintWriter(Files.newBufferedWriter(file, StandardCharsets.UTF_8))) {
            for (int codePoint = start; codePoint < end; codePoint++) {
                if (isNamed(codePoint)) {
                    out.print(row(codePoint));
                    out.print('\n');
                }
            }
        }
    }

    private static boolean isNamed(int codePoint) {
        int type = Character.getType(codePoint);
        return type != Character.UNASSIGNED
                && type != Character.SURROGATE
                && type != Character.PRIVATE_USE;
    }

    private String row(int codePoint) {
        byte[] utf8 = Character.toString(codePoint).getBytes(StandardCharsets.UTF_8);
        String category = category(codePoint);
        rowCount++;
        utf8SizeBytes += utf8.length;
        categories.add(category);
        return String.join(
                "|",
                Integer.toString(codePoint),
                Character.getName(codePoint),
                Character.UnicodeScript.of(codePoint).name(),
                String.valueOf(Character.UnicodeBlock.of(codePoint)),
                HexFormat.of().withUpperCase().formatHex(utf8),
                category);
    }

    private static String category(int codePoint) {
        return switch (Character.getType(codePoint)) {
            case Character.UPPERCASE_LETTER -> "Lu";
            case Character.LOWERCASE_LETTER -> "Ll";
            case Character.TITLECASE_LETTER -> "Lt";
            case Character.MODIFIER_LETTER -> "Lm";
            case Character.OTHER_LETTER -> "Lo";
            case Character.NON_SPACING_MARK -> "Mn";
            case Character.COMBINING_SPACING_MARK -> "Mc";
            case Character.ENCLOSING_MARK -> "Me";
            case Character.DECIMAL_DIGIT_NUMBER -> "Nd";
            case Character.LETTER_NUMBER -> "Nl";
            case Character.OTHER_NUMBER -> "No";
            case Character.SPACE_SEPARATOR -> "Zs";
            case Character.LINE_SEPARATOR -> "Zl";
            case Character.PARAGRAPH_SEPARATOR -> "Zp";
            case Character.CONTROL -> "Cc";
            case Character.FORMAT -> "Cf";
            case Character.DASH_PUNCTUATION -> "Pd";
            case Character.START_PUNCTUATION -> "Ps";
            case Character.END_PUNCTUATION -> "Pe";
            case Character.CONNECTOR_PUNCTUATION -> "Pc";
            case Character.OTHER_PUNCTUATION -> "Po";
            case Character.INITIAL_QUOTE_PUNCTUATION -> "Pi";
            case Character.FINAL_QUOTE_PUNCTUATION -> "Pf";
            case Character.MATH_SYMBOL -> "Sm";
            case Character.CURRENCY_SYMBOL -> "Sc";
            case Character.MODIFIER_SYMBOL -> "Sk";
            case Character.OTHER_SYMBOL -> "So";
            default -> throw new IllegalArgumentException("No such category: " + codePoint);
        };
    }
}
