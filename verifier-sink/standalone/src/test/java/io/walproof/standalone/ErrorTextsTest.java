package io.walproof.standalone;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

/**
 * Servers speak any language ({@code lc_messages}), and their texts may hold row values: nothing
 * here asks a database error for its text, neither to tell what it means nor to pass it on.
 */
class ErrorTextsTest {

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("io.walproof");

  @Test
  void noDatabaseErrorIsAskedForItsText() {
    assertThat(CLASSES.contain("io.walproof.connector.PostgresDriftTask")).isTrue();
    assertThat(CLASSES.contain("io.walproof.verifier.VerifierSinkTask")).isTrue();
    noClasses()
        .should()
        .callMethodWhere(
            target(owner(assignableTo(SQLException.class)))
                .and(target(nameMatching("getMessage|getLocalizedMessage|toString"))))
        .orShould()
        .callMethodWhere(target(nameMatching("getServerErrorMessage")))
        .check(CLASSES);
  }
}
