package dev.paimoninplace.procedures.spi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.apache.paimon.factories.Factory;
import org.apache.paimon.flink.procedure.ProcedureBase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * On a cluster with an older Java, or with another Paimon, the classes that Paimon discovers must
 * still load: one that does not takes every factory of Paimon with it.
 */
final class ServiceLoadingTest {

    private static final String SERVICES = "META-INF/services/org.apache.paimon.factories.Factory";
    private static final String FLINK_SERVICES =
            "META-INF/services/org.apache.flink.table.factories.Factory";
    private static final String OURS = "dev.paimoninplace.";
    private static final int JAVA_11 = 55;

    @ParameterizedTest
    @MethodSource({"services", "flinkServices"})
    void isCompiledForJava11(String service) throws IOException {
        try (InputStream classFile = classFile(service)) {
            DataInputStream data = new DataInputStream(classFile);
            data.readInt();
            data.readUnsignedShort();

            assertEquals(JAVA_11, data.readUnsignedShort());
        }
    }

    @ParameterizedTest
    @MethodSource("services")
    void loadsWithoutAnyOtherClassOfThisProject(String service) throws Exception {
        Alone loader = new Alone(service);

        Class<?> loaded = Class.forName(service, true, loader);
        Factory factory = (Factory) loaded.getConstructor().newInstance();

        assertFalse(factory.identifier().isEmpty());
        // What Paimon, Flink's type inference and a serialiser look at.
        assertTrue(loaded.getDeclaredMethods().length > 0);
        assertTrue(loaded.getDeclaredFields().length > 0);
        assertEquals(0, loader.refused, "other classes of this project were asked for");
    }

    @ParameterizedTest
    @MethodSource("flinkServices")
    void loadsForFlinkWithoutAnyOtherClassOfThisProject(String service) throws Exception {
        Alone loader = new Alone(service);

        Class<?> loaded = Class.forName(service, true, loader);
        var factory =
                (org.apache.flink.table.factories.Factory) loaded.getConstructor().newInstance();

        assertFalse(factory.factoryIdentifier().isEmpty());
        assertTrue(loaded.getDeclaredMethods().length > 0);
        assertEquals(0, loader.refused, "other classes of this project were asked for");
    }

    @Test
    void findsEachServiceOnce() throws IOException {
        assertEquals(services().size(), services().stream().distinct().count());
        assertFalse(services().isEmpty());
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                EnableDataEvolutionProcedure.class,
                RepairDataEvolutionProcedure.class,
                SavepointOperatorsProcedure.class,
                VerifyDataEvolutionProcedure.class
            })
    void turnsAMissingClassIntoAnErrorOfTheOneProcedure(Class<? extends ProcedureBase> service)
            throws Exception {
        Alone loader = new Alone(service.getName(), Linkage.class.getName());
        Class<?> loaded = Class.forName(service.getName(), true, loader);
        Factory procedure = (Factory) loaded.getConstructor().newInstance();
        Method call =
                List.of(loaded.getMethods()).stream()
                        .filter(method -> method.getName().equals("call"))
                        .findFirst()
                        .orElseThrow();
        Object[] arguments = new Object[call.getParameterCount()];
        arguments[1] = "db.t";

        InvocationTargetException thrown =
                assertThrows(
                        InvocationTargetException.class, () -> call.invoke(procedure, arguments));

        Throwable failure = thrown.getTargetException();
        assertEquals(IllegalStateException.class, failure.getClass());
        String message = String.valueOf(failure.getMessage());
        assertTrue(message.startsWith("Cannot run " + procedure.identifier() + ": "), message);
    }

    static List<String> services() throws IOException {
        return named(SERVICES);
    }

    static List<String> flinkServices() throws IOException {
        return named(FLINK_SERVICES);
    }

    private static List<String> named(String resource) throws IOException {
        try (InputStream services =
                ServiceLoadingTest.class.getClassLoader().getResourceAsStream(resource)) {
            String text =
                    new String(
                            Objects.requireNonNull(services).readAllBytes(),
                            StandardCharsets.UTF_8);
            return text.lines().filter(line -> !line.isBlank()).toList();
        }
    }

    private static InputStream classFile(String className) {
        String resource = className.replace('.', '/') + ".class";
        return Objects.requireNonNull(
                ServiceLoadingTest.class.getClassLoader().getResourceAsStream(resource), resource);
    }

    /** Defines the allowed classes anew and refuses every other class of this project. */
    private static final class Alone extends ClassLoader {

        private final List<String> allowed;
        private int refused;

        Alone(String... allowed) {
            super(ServiceLoadingTest.class.getClassLoader());
            this.allowed = List.of(allowed);
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith(OURS)) {
                return super.loadClass(name, resolve);
            }
            if (!allowed.contains(name)) {
                refused++;
                throw new ClassNotFoundException(name);
            }
            Class<?> loaded = findLoadedClass(name);
            return loaded == null ? define(name) : loaded;
        }

        private Class<?> define(String name) throws ClassNotFoundException {
            try (InputStream classFile = classFile(name)) {
                byte[] bytes = classFile.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }
}
