package io.walproof.verifier;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Imports point one way: adapters, settings, assembly, core, leaves, model, contract. No cycles.
 */
class ImportDirectionTest {

  private static final String ROOT = "io.walproof.verifier.";
  private static final Set<String> LEAVES =
      Set.of(
          "ingest",
          "row",
          "decide",
          "defer",
          "versions",
          "replay",
          "preflight",
          "range",
          "schedule",
          "audit",
          "publish",
          "metrics");

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("io.walproof");

  @Test
  void layersDependDownwardsOnly() {
    layeredArchitecture()
        .consideringOnlyDependenciesInAnyPackage("io.walproof..")
        .withOptionalLayers(true)
        .layer("adapter")
        .definedBy("io.walproof.verifier", ROOT + "connect..")
        .layer("settings")
        .definedBy(ROOT + "settings..")
        .layer("assembly")
        .definedBy(ROOT + "assembly..")
        .layer("core")
        .definedBy(ROOT + "core..")
        .layer("leaves")
        .definedBy(LEAVES.stream().map(leaf -> ROOT + leaf + "..").toArray(String[]::new))
        .layer("database")
        .definedBy(ROOT + "database..")
        .layer("model")
        .definedBy(ROOT + "model..")
        .layer("contract")
        .definedBy("io.walproof.contract..")
        .whereLayer("adapter")
        .mayNotBeAccessedByAnyLayer()
        .whereLayer("settings")
        .mayOnlyBeAccessedByLayers("adapter")
        .whereLayer("assembly")
        .mayOnlyBeAccessedByLayers("adapter", "settings")
        .whereLayer("core")
        .mayOnlyBeAccessedByLayers("adapter", "settings", "assembly")
        .whereLayer("leaves")
        .mayOnlyBeAccessedByLayers("adapter", "settings", "assembly", "core")
        .whereLayer("database")
        .mayOnlyBeAccessedByLayers("adapter", "settings", "assembly", "leaves")
        .whereLayer("model")
        .mayOnlyBeAccessedByLayers("adapter", "settings", "assembly", "core", "leaves", "database")
        .check(CLASSES);
  }

  @Test
  void packagesHaveNoCycles() {
    slices().matching(ROOT + "(*)..").should().beFreeOfCycles().check(CLASSES);
  }

  @Test
  void theVerifierKnowsNothingOfTheConnectorOrTheCommand() {
    noClasses()
        .that()
        .resideInAPackage("io.walproof.verifier..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "io.walproof.connector..",
            "io.walproof.standalone..",
            "io.walproof.embedded..",
            "io.walproof.cluster..",
            "io.debezium..")
        .check(CLASSES);
  }

  @Test
  void decisionsDoNoInputOrOutput() {
    noClasses()
        .that()
        .resideInAnyPackage(ROOT + "decide..", ROOT + "model..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("java.io..", "java.nio..", "java.net..", "java.sql..", "org.slf4j..")
        .check(CLASSES);
  }

  /** A package that no layer holds would escape the rules above. */
  @Test
  void everyPackageBelongsToALayer() {
    Set<String> known = new TreeSet<>(LEAVES);
    known.addAll(Set.of("model", "database", "core", "assembly", "settings", "connect"));
    Set<String> found =
        CLASSES.stream()
            .map(JavaClass::getPackageName)
            .filter(name -> name.startsWith(ROOT))
            .map(name -> name.substring(ROOT.length()).split("\\.", 2)[0])
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(found).isSubsetOf(known).contains("model", "row", "decide", "replay", "audit");
  }
}
