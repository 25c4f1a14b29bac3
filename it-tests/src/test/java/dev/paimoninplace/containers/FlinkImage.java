package dev.paimoninplace.containers;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.command.BuildImageResultCallback;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.testcontainers.DockerClientFactory;

/**
 * A container image with this machine's Java and a Flink home with the bundle of this build, of
 * what {@code bin/flink-image} gives. Closing it removes it from the engine.
 */
record FlinkImage(String name) implements AutoCloseable {

    private static final Path SCRIPT = Path.of("bin/flink-image").toAbsolutePath();

    static FlinkImage build() throws IOException {
        String name = "paimon-inplace-flink:test-" + ProcessHandle.current().pid();
        Path errors = Path.of("target/flink-image.err");
        ProcessBuilder script =
                new ProcessBuilder("bash", SCRIPT.toString()).redirectError(errors.toFile());
        script.environment()
                .put("MAVEN_ARGS", "-Dmaven.repo.local=" + System.getProperty("maven.repo.local"));
        try (InputStream files = script.start().getInputStream()) {
            engine().buildImageCmd(files)
                    .withTags(Set.of(name))
                    // Layers of its own: another run may remove its image meanwhile.
                    .withNoCache(true)
                    .exec(new BuildImageResultCallback())
                    .awaitImageId();
        } catch (RuntimeException e) {
            throw new AssertionError("No image: " + Files.readString(errors), e);
        }
        return new FlinkImage(name);
    }

    private static DockerClient engine() {
        return DockerClientFactory.instance().client();
    }

    @Override
    public void close() {
        engine().removeImageCmd(name).withForce(true).exec();
    }
}
