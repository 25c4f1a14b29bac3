package dev.paimoninplace.adapter;

import dev.paimoninplace.fence.GuardedCatalog;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Takes the values of catalog options out of a text. Drivers and file systems like to quote them in
 * their errors, and some of them are passwords.
 */
public final class Scrubber {

    public static final Scrubber NONE = new Scrubber(List.of());

    private static final String MASK = "***";

    /** They say where the table is, which a person needs, or name a plug-in. */
    private static final Set<String> KEPT_KEYS =
            Set.of(
                    "warehouse",
                    "default-database",
                    "type",
                    "metastore",
                    GuardedCatalog.REAL_METASTORE_KEY);

    /** Values that hold no secret and that a message needs, such as the number of a snapshot. */
    private static final Pattern KEPT_VALUES = Pattern.compile("true|false|[0-9]{1,5}");

    /** Shorter values are replaced as whole words only, or they would eat the text. */
    private static final int SUBSTRING_LENGTH = 6;

    /** User, password and parameters of a URL, which may be quoted without the rest of it. */
    private static final Pattern URL_PARTS =
            Pattern.compile("//([^/@\\s:]*):([^/@\\s]*)@|[?&;][^=&;\\s]+=([^&;\\s]+)");

    private final List<Pattern> patterns;

    private Scrubber(List<Pattern> patterns) {
        this.patterns = patterns;
    }

    /**
     * @param catalogOptions options as a catalog was opened with
     */
    public static Scrubber of(Map<String, String> catalogOptions) {
        Set<String> secrets = new HashSet<>();
        catalogOptions.forEach(
                (key, value) -> {
                    if (!KEPT_KEYS.contains(key)) {
                        secrets.add(value);
                    }
                    addUrlParts(value, secrets);
                });
        secrets.removeIf(secret -> secret.isBlank() || KEPT_VALUES.matcher(secret).matches());
        return new Scrubber(
                secrets.stream()
                        .sorted(Comparator.comparingInt(String::length).reversed())
                        .map(Scrubber::pattern)
                        .toList());
    }

    public String scrub(String text) {
        String scrubbed = text;
        for (Pattern pattern : patterns) {
            scrubbed = pattern.matcher(scrubbed).replaceAll(Matcher.quoteReplacement(MASK));
        }
        return scrubbed;
    }

    private static void addUrlParts(String value, Set<String> secrets) {
        if (!value.contains("//")) {
            return;
        }
        Matcher matcher = URL_PARTS.matcher(value);
        while (matcher.find()) {
            for (int group = 1; group <= matcher.groupCount(); group++) {
                String part = matcher.group(group);
                if (part != null) {
                    secrets.add(part);
                }
            }
        }
    }

    private static Pattern pattern(String secret) {
        String quoted = Pattern.quote(secret);
        return secret.length() >= SUBSTRING_LENGTH
                ? Pattern.compile(quoted)
                : Pattern.compile("(?<![\\p{Alnum}_])" + quoted + "(?![\\p{Alnum}_])");
    }
}
