package io.walproof.verifier.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.walproof.verifier.model.Side;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DatabaseSettingsTest {

  /** O6. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "jdbc:postgresql://host:5432/db?user=me&password=s3cret",
        "jdbc:postgresql://host:5432/db?sslpassword=s3cret",
        "jdbc:postgresql://me:s3cret@host:5432/db",
        "jdbc:postgresql://me:s3/cret@s3cret@host:5432/db?password=s3cret"
      })
  void noSecretIsPrinted(String url) {
    DatabaseSettings settings = DatabaseSettings.of(Side.TARGET, url, "me", "s3cret");
    assertThat(settings.toString())
        .doesNotContain("s3cret", "s3/cret")
        .startsWith("target database at jdbc:postgresql://")
        .endsWith("host:5432/db");
  }

  @Test
  void anotherUrlIsRefusedWithoutPrintingIt() {
    assertThatThrownBy(
            () -> DatabaseSettings.of(Side.SOURCE, "jdbc:mysql://me:s3cret@host", "me", "x"))
        .hasMessageContaining("verify.source.jdbc.url")
        .hasMessageNotContaining("s3cret");
  }
}
