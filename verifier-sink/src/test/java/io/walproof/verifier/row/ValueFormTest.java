package io.walproof.verifier.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is made of parts, taken apart. */
class ValueFormTest {

  private static final ValueForm NUMERIC = new ValueForm.Plain(ValueRule.NUMERIC_BY_VALUE);
  private static final ValueForm CHAR = new ValueForm.Plain(ValueRule.CHAR_WITHOUT_PADDING);
  private static final ValueForm NUMERICS = new ValueForm.Elements(NUMERIC);
  private static final ValueForm CHARS = new ValueForm.Elements(CHAR);
  private static final ValueForm PAIR = new ValueForm.Attributes(List.of(NUMERIC, CHAR));
  private static final ValueForm RANGE = new ValueForm.Bounds(NUMERIC);
  private static final ValueForm RANGES = new ValueForm.Ranges(NUMERIC);

  @Test
  void partsGoByTheirRules() {
    assertThat(equal(NUMERICS, "{1.0,NULL}", "{1,NULL}")).isTrue();
    assertThat(equal(CHARS, "{\"a \",b}", "{a,\"b  \"}")).isTrue();
    assertThat(equal(PAIR, "(1.0,\"a \")", "(1,a)")).isTrue();
    assertThat(equal(new ValueForm.Elements(PAIR), "{\"(1.0,\\\"a \\\")\"}", "{\"(1,a)\"}"))
        .isTrue();
    assertThat(equal(RANGE, "[1.0,)", "[1.00,)")).isTrue();
    assertThat(equal(RANGES, "{[1.0,2),[3,)}", "{[1,2.0),[3.0,)}")).isTrue();
  }

  @Test
  void whatIsAroundThemCounts() {
    assertThat(equal(CHARS, "{NULL}", "{\"NULL\"}")).isFalse();
    assertThat(equal(CHARS, "{}", "{\"\"}")).isFalse();
    assertThat(equal(CHARS, "{a,b}", "{\"a,b\"}")).isFalse();
    assertThat(equal(NUMERICS, "{1,2}", "{2,1}")).isFalse();
    assertThat(equal(NUMERICS, "{1}", "[0:0]={1}")).isFalse();
    assertThat(equal(NUMERICS, "{{1,2}}", "{{1},{2}}")).isFalse();
    assertThat(equal(NUMERICS, "{12}", "{1,2}")).isFalse();
    assertThat(equal(PAIR, "(1,)", "(1,\"\")")).isFalse();
    assertThat(equal(PAIR, "(,1)", "(1,)")).isFalse();
    assertThat(equal(RANGE, "[1,2)", "[1,2]")).isFalse();
    assertThat(equal(RANGE, "[1,2)", "(1,2)")).isFalse();
    assertThat(equal(RANGE, "(,2)", "(2,)")).isFalse();
    assertThat(equal(RANGE, "empty", "(,)")).isFalse();
    assertThat(equal(RANGES, "{[1,2),[3,4)}", "{[1,4)}")).isFalse();
    assertThat(equal(RANGES, "{}", "{(,)}")).isFalse();
  }

  /** A type that was altered meanwhile prints otherwise; that is no value to compare. */
  @Test
  void anotherFormIsRefused() {
    for (String text : List.of("(1,a,x)", "(1)", "(1,a", "1,a)", "(1,a)x", "(1,\"a\"b)", "")) {
      assertRefused(PAIR, text);
    }
    for (String text : List.of("{1", "1}", "{1}2", "{\"1}", "[0:0]", "")) {
      assertRefused(NUMERICS, text);
    }
    for (String text : List.of("[1,2", "1,2)", "[1)", "[1,2)x", "Empty", "")) {
      assertRefused(RANGE, text);
    }
    assertRefused(RANGES, "{[1,2)");
  }

  private static void assertRefused(ValueForm form, String text) {
    assertThatThrownBy(() -> canonical(form, text))
        .as(text)
        .isInstanceOf(MalformedValueException.class);
  }

  private static boolean equal(ValueForm form, String one, String other) {
    return java.util.Arrays.equals(canonical(form, one), canonical(form, other));
  }

  private static byte[] canonical(ValueForm form, String text) {
    return form.canonical(text.getBytes(StandardCharsets.UTF_8));
  }
}
