package dev.paimoninplace;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import org.apache.paimon.operation.FileStoreCommitImpl;
import org.apache.paimon.schema.SchemaManager;

/** The direction of dependencies in the engine. */
@AnalyzeClasses(packages = "dev.paimoninplace", importOptions = DoNotIncludeTests.class)
final class ArchitectureTest {

    private static final String COMMIT = "dev.paimoninplace.commit..";

    @ArchTest
    static final ArchRule knowsNeitherFlinkNorACommandLine =
            noClasses()
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage("org.apache.flink..", "picocli..");

    @ArchTest
    static final ArchRule onlyTheCommitPackageSeesPaimonsCommit =
            noClasses()
                    .that()
                    .resideOutsideOfPackage(COMMIT)
                    .should()
                    .dependOnClassesThat()
                    .areAssignableTo(FileStoreCommitImpl.class);

    @ArchTest
    static final ArchRule onlyTheCommitPackageWritesASchema =
            noClasses()
                    .that()
                    .resideOutsideOfPackage(COMMIT)
                    .should()
                    .callMethodWhere(
                            target(name("commit"))
                                    .and(target(owner(assignableTo(SchemaManager.class)))));

    @ArchTest
    static final ArchRule theAssignmentDoesNoInputOrOutput =
            noClasses()
                    .that()
                    .resideInAPackage("dev.paimoninplace.rowid..")
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(
                            "org.apache.paimon.fs..",
                            "org.apache.paimon.catalog..",
                            "org.apache.paimon.table..",
                            "java.io..",
                            "java.nio.file..",
                            "org.slf4j..")
                    .orShould()
                    .dependOnClassesThat()
                    .haveNameMatching("org\\.apache\\.paimon\\.manifest\\.Manifest(File|List)");

    @ArchTest
    static final ArchRule theAssignmentKnowsNoOtherPackage =
            noClasses()
                    .that()
                    .resideInAPackage("dev.paimoninplace.rowid..")
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(
                            COMMIT,
                            "dev.paimoninplace.plan..",
                            "dev.paimoninplace.conversion..",
                            "dev.paimoninplace.adapter..");

    @ArchTest
    static final ArchRule thePlanDoesNotKnowHowItIsCommitted =
            noClasses()
                    .that()
                    .resideInAPackage("dev.paimoninplace.plan..")
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(COMMIT);
}
