package io.walproof.metrics;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

class MetricsArchitectureTest {

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("io.walproof.metrics");

  /** Elsewhere a worker without these types would fail to link what it loads first. */
  @Test
  void onlyTheWorkersRegistryTouchesPluginMetrics() {
    noClasses()
        .that()
        .doNotHaveSimpleName("WorkerRegistry")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.apache.kafka.common.metrics..")
        .check(CLASSES);
  }

  @Test
  void needsTheWorkersInterfacesAndALoggerOnly() {
    classes()
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "java..",
            "javax.management..",
            "io.walproof.metrics..",
            "org.apache.kafka.common..",
            "org.apache.kafka.connect..",
            "org.slf4j..")
        .check(CLASSES);
  }
}
