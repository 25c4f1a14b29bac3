package dev.paimoninplace.containers;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test class that starts containers. Where there is no engine that can do it, the class is
 * skipped and the reason printed; with the system property {@code containers=required} it fails.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(ContainerEngine.class)
@interface NeedsContainerEngine {}
