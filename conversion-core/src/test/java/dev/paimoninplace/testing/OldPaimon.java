package dev.paimoninplace.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A released Paimon of another version, which writes tables in a process of its own. */
public final class OldPaimon {

    private static final Path SOURCES = Path.of("old-paimon");
    private static final Path TARGET = Path.of("target", "old-paimon");
    private static final int MINUTES = 5;

    private final Path bundle;

    private OldPaimon(Path bundle) {
        this.bundle = bundle;
    }

    /** The bundle of a version, fetched by Maven when it is missing; empty when it cannot be. */
    public static Optional<OldPaimon> of(String version) throws Exception {
        Path bundle = TARGET.resolve("paimon-bundle-" + version + ".jar");
        if (!Files.exists(bundle)) {
            Files.createDirectories(TARGET);
            List<String> command = new ArrayList<>();
            command.addAll(List.of("mvn", "-q", "-B", "-ntp", "-f", SOURCES + "/pom.xml"));
            command.add("-Dold.version=" + version);
            command.add("-Dold.folder=" + TARGET.toAbsolutePath());
            String repository = System.getProperty("maven.repo.local", "");
            if (!repository.isEmpty()) {
                command.add("-Dmaven.repo.local=" + repository);
            }
            command.add("dependency:copy@bundle");
            int exitCode = run(command);
            if (exitCode != 0 || !Files.exists(bundle)) {
                System.out.println(
                        "Skipped: Maven could not copy paimon-bundle "
                                + version
                                + ", see "
                                + logOf(command)
                                + ".");
                return Optional.empty();
            }
        }
        return Optional.of(new OldPaimon(bundle));
    }

    /** Runs commands of OldWriter. */
    public void write(Path warehouse, List<String> commands) throws Exception {
        String classPath =
                Stream.concat(
                                Stream.of(bundle.toString()),
                                Stream.of(System.getProperty("java.class.path").split(":"))
                                        .filter(OldPaimon::isNeeded))
                        .collect(Collectors.joining(":"));
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx512m", "-cp", classPath));
        command.add(SOURCES.resolve("OldWriter.java").toString());
        command.add(warehouse.toUri().toString());
        command.addAll(commands);
        int exitCode = run(command);
        if (exitCode != 0) {
            throw new IllegalStateException(Files.readString(logOf(command)));
        }
    }

    private static boolean isNeeded(String jar) {
        String name = Path.of(jar).getFileName().toString();
        return name.startsWith("hadoop-client")
                || name.startsWith("commons-logging")
                || name.startsWith("snappy-java")
                || name.startsWith("slf4j-api");
    }

    /** Exit code; -1 when the program is not there or takes too long. */
    private static int run(List<String> command) throws InterruptedException {
        try {
            Process process =
                    new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(logOf(command).toFile())
                            .start();
            if (process.waitFor(MINUTES, TimeUnit.MINUTES)) {
                return process.exitValue();
            }
            process.destroyForcibly();
            return -1;
        } catch (IOException e) {
            return -1;
        }
    }

    private static Path logOf(List<String> command) {
        return TARGET.resolve(Path.of(command.get(0)).getFileName() + ".log");
    }
}
