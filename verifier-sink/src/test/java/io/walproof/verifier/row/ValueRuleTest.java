package io.walproof.verifier.row;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ValueRuleTest {

  @ParameterizedTest
  @CsvSource({
    "1.0,1",
    "1.00,1",
    "1,1",
    "100,100",
    "100.0,100",
    "0.10,0.1",
    "0,0",
    "0.00,0",
    "-0.0,0",
    "-0,0",
    "-1.50,-1.5",
    "NaN,NaN",
    "Infinity,Infinity",
    "-Infinity,-Infinity",
    "10,10",
    "0.000000000000000000010,0.00000000000000000001"
  })
  void numericIsComparedByValue(String text, String canonical) {
    assertThat(apply(ValueRule.NUMERIC_BY_VALUE, text)).isEqualTo(canonical);
    assertThat(apply(ValueRule.MONEY_AS_NUMERIC, text)).isEqualTo(canonical);
  }

  /** Against BigDecimal, which is another statement of "by value". */
  @Property(tries = 5000)
  void numericAgreesWithAnotherImplementation(
      @ForAll @IntRange(min = -20000, max = 20000) int a,
      @ForAll @IntRange(max = 6) int scaleA,
      @ForAll @IntRange(min = -20000, max = 20000) int b,
      @ForAll @IntRange(max = 6) int scaleB) {
    BigDecimal one = BigDecimal.valueOf(a, scaleA);
    BigDecimal other = BigDecimal.valueOf(b, scaleB);
    boolean same =
        apply(ValueRule.NUMERIC_BY_VALUE, one.toPlainString())
            .equals(apply(ValueRule.NUMERIC_BY_VALUE, other.toPlainString()));
    assertThat(same).isEqualTo(one.compareTo(other) == 0);
    assertThat(apply(ValueRule.NUMERIC_BY_VALUE, one.setScale(9).toPlainString()))
        .isEqualTo(apply(ValueRule.NUMERIC_BY_VALUE, one.toPlainString()));
  }

  @ParameterizedTest
  @CsvSource({"-0,0", "0,0", "-0.5,-0.5", "NaN,NaN", "1e-07,1e-07", "-1,-1", "10,10"})
  void floatKnowsOneZero(String text, String canonical) {
    assertThat(apply(ValueRule.FLOAT_SIGNLESS_ZERO, text)).isEqualTo(canonical);
  }

  @Test
  void charLosesItsPaddingAndNothingElse() {
    assertThat(apply(ValueRule.CHAR_WITHOUT_PADDING, "a    ")).isEqualTo("a");
    assertThat(apply(ValueRule.CHAR_WITHOUT_PADDING, " a b ")).isEqualTo(" a b");
    assertThat(apply(ValueRule.CHAR_WITHOUT_PADDING, "     ")).isEmpty();
    assertThat(apply(ValueRule.CHAR_WITHOUT_PADDING, "a\t")).isEqualTo("a\t");
  }

  @Test
  void otherTextStaysAsItIs() {
    for (String text : new String[] {"1.0", " a ", "", "-0", "\u0130i"}) {
      assertThat(apply(ValueRule.EXACT_TEXT, text)).isEqualTo(text);
    }
  }

  @Test
  void namesDoNotDependOnTheLocale() {
    Locale before = Locale.getDefault();
    try {
      Locale.setDefault(Locale.forLanguageTag("tr-TR"));
      assertThat(ValueRule.FLOAT_SIGNLESS_ZERO.text()).isEqualTo("float_signless_zero");
    } finally {
      Locale.setDefault(before);
    }
  }

  private static String apply(ValueRule rule, String text) {
    return new String(
        rule.canonical(text.getBytes(StandardCharsets.UTF_8)), StandardCharsets.UTF_8);
  }
}
