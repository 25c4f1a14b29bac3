package dev.paimoninplace.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Every file and folder below a folder with its size and modification time. */
public final class FolderListing {

    private FolderListing() {}

    /** Path relative to the folder to size and modification time. */
    public static Map<String, String> of(Path folder) {
        try (Stream<Path> paths = Files.walk(folder)) {
            Map<String, String> listing = new TreeMap<>();
            for (Path path : paths.toList()) {
                listing.put(
                        folder.relativize(path).toString(),
                        Files.size(path) + " bytes, " + Files.getLastModifiedTime(path));
            }
            return listing;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
