package io.walproof.connector;

import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/**
 * Imports point one way: connect, engine, emit, then drift and offset, schema, relation, contract.
 */
class ArchitectureTest {

  private static final String BASE = "io.walproof.connector.";

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("io.walproof.connector", "io.walproof.contract");

  @Test
  void importsPointOneWay() {
    layeredArchitecture()
        .consideringOnlyDependenciesInAnyPackage("io.walproof..")
        .layer("plugin")
        .definedBy("io.walproof.connector")
        .layer("connect")
        .definedBy(BASE + "connect..")
        .layer("engine")
        .definedBy(BASE + "engine..")
        .layer("emit")
        .definedBy(BASE + "emit..")
        .layer("drift")
        .definedBy(BASE + "drift..")
        .layer("offset")
        .definedBy(BASE + "offset..")
        .layer("schema")
        .definedBy(BASE + "schema..")
        .layer("catalog")
        .definedBy(BASE + "catalog..")
        .layer("relation")
        .definedBy(BASE + "relation..")
        .layer("contract")
        .definedBy("io.walproof.contract..")
        .whereLayer("plugin")
        .mayNotBeAccessedByAnyLayer()
        .whereLayer("connect")
        .mayOnlyBeAccessedByLayers("plugin")
        .whereLayer("engine")
        .mayOnlyBeAccessedByLayers("connect")
        .whereLayer("emit")
        .mayOnlyBeAccessedByLayers("engine", "connect")
        .whereLayer("drift")
        .mayOnlyBeAccessedByLayers("catalog", "emit", "engine")
        .whereLayer("offset")
        .mayOnlyBeAccessedByLayers("emit", "engine", "connect")
        .whereLayer("catalog")
        .mayOnlyBeAccessedByLayers("engine", "connect")
        .whereLayer("schema")
        .mayOnlyBeAccessedByLayers("drift", "catalog", "offset", "emit", "engine", "connect")
        .whereLayer("relation")
        .mayOnlyBeAccessedByLayers("offset", "emit", "engine")
        .whereLayer("contract")
        .mayOnlyBeAccessedByLayers(
            "relation",
            "schema",
            "drift",
            "catalog",
            "offset",
            "emit",
            "engine",
            "connect",
            "plugin")
        .check(CLASSES);
  }

  @Test
  void thereAreNoCycles() {
    slices().matching(BASE + "(*)..").should().beFreeOfCycles().check(CLASSES);
  }
}
