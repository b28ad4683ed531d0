package io.walproof.verifier.decide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IgnoredAppsTest {

  @Test
  void blanksAndRepeatsAreNormalised() {
    assertThat(IgnoredApps.parse("7,42")).containsExactly(7L, 42L);
    assertThat(IgnoredApps.parse(" 42 ,\t7,42 ")).containsExactly(7L, 42L);
    assertThat(IgnoredApps.parse("9223372036854775807")).containsExactly(Long.MAX_VALUE);
    assertThat(IgnoredApps.parse("")).isEmpty();
    assertThat(IgnoredApps.parse("  ")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0                    | entry 1 of 1 is not a positive whole number",
        "-1                   | entry 1 of 1 is not a positive whole number",
        "1,                   | entry 2 of 2 is empty",
        ",1                   | entry 1 of 2 is empty",
        "1,,2                 | entry 2 of 3 is empty",
        "1, ,2                | entry 2 of 3 is empty",
        ",                    | entry 1 of 2 is empty",
        "foo                  | entry 1 of 1 is not a positive whole number",
        "1.5                  | entry 1 of 1 is not a positive whole number",
        "7;42                 | entry 1 of 1 is not a positive whole number",
        "+7                   | entry 1 of 1 is not a positive whole number",
        "\u0667               | entry 1 of 1 is not a positive whole number",
        "7,9223372036854775808| entry 2 of 2 does not fit a bigint",
      })
  void anythingElseIsRefused(String text, String message) {
    assertThatThrownBy(() -> IgnoredApps.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message.strip())
        .hasMessageMatching("(?s).*(7,42|largest id).*");
  }
}
