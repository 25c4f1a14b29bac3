package dev.paimoninplace.damage;

import dev.paimoninplace.testing.Folders;
import dev.paimoninplace.testing.TestTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Objects;
import java.util.stream.Stream;

/** What people do to the files of a table by hand. */
final class TableFiles {

    private final Path folder;
    private final Path backup;

    TableFiles(Path warehouse, TestTable table) {
        this.folder = Path.of(table.load().location().toUri().getPath());
        this.backup = warehouse.resolve("backup");
    }

    /** Copies folders of the table to where {@link #restore} finds them. */
    void backUp(String... names) {
        for (String name : names) {
            create(backup);
            Folders.copy(folder.resolve(name), backup.resolve(name));
        }
    }

    /** Replaces folders of the table by their copies. */
    void restore(String... names) {
        for (String name : names) {
            Folders.delete(folder.resolve(name));
            Folders.copy(backup.resolve(name), folder.resolve(name));
        }
    }

    /** Copies the files of a backup over those of the table; newer ones stay. */
    void copyOver(String name) {
        try (Stream<Path> files = Files.list(backup.resolve(name))) {
            for (Path file : files.toList()) {
                Files.copy(
                        file,
                        folder.resolve(name).resolve(file.getFileName().toString()),
                        StandardCopyOption.REPLACE_EXISTING);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Takes one data file away. */
    void takeAwayDataFile() {
        create(backup);
        move(dataFile(folder), backup);
    }

    /** Brings that file back. */
    void bringBackDataFile() {
        Path file = dataFile(backup);
        move(file, Objects.requireNonNull(dataFile(folder).getParent()));
    }

    private static Path dataFile(Path below) {
        try (Stream<Path> files = Files.walk(below)) {
            return files.filter(file -> file.getFileName().toString().startsWith("data-"))
                    .sorted()
                    .findFirst()
                    .orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void move(Path file, Path folder) {
        try {
            Files.move(file, folder.resolve(file.getFileName().toString()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void create(Path folder) {
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
