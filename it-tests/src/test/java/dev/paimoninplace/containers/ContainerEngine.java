package dev.paimoninplace.containers;

import com.github.dockerjava.api.model.Info;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.testcontainers.DockerClientFactory;

/** Looks for a Docker engine whose containers can share this machine's network and folders. */
final class ContainerEngine implements ExecutionCondition {

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        Optional<String> lack = lack();
        if (lack.isEmpty()) {
            return ConditionEvaluationResult.enabled("There is a Docker engine.");
        }
        String reason =
                String.format(
                        "Cannot start the containers of %s: %s. Run 'it-tests/bin/docker-engine run"
                                + " mvn ...' as root, or set DOCKER_HOST.",
                        context.getRequiredTestClass().getSimpleName(), lack.get());
        if ("required".equals(System.getProperty("containers"))) {
            throw new IllegalStateException(reason);
        }
        System.out.println("Skipped. " + reason);
        return ConditionEvaluationResult.disabled(reason);
    }

    private static Optional<String> lack() {
        if (!System.getProperty("os.name").toLowerCase(Locale.ROOT).contains("linux")) {
            return Optional.of(
                    "the image is made of this machine's programs, which must be Linux's");
        }
        if (!DockerClientFactory.instance().isDockerAvailable()) {
            return Optional.of("no Docker engine answers");
        }
        Info info = DockerClientFactory.instance().client().infoCmd().exec();
        if (String.valueOf(info.getOperatingSystem()).contains("Docker Desktop")) {
            return Optional.of("the engine is Docker Desktop, which has a network of its own");
        }
        List<String> security = info.getSecurityOptions();
        if (security != null && security.stream().anyMatch(name -> name.contains("rootless"))) {
            return Optional.of("the engine is rootless and has a network of its own");
        }
        return Optional.empty();
    }
}
