package io.walproof.verifier.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SortedMembersTest {

  @Test
  void membersAreSortedAtEveryDepthAndElementsAreNot() {
    assertThat(json("{\"b\": [2, {\"\u00e9\": 1, \"aa\": {}}, 1], \"a\": \"x, }\"}"))
        .isEqualTo("{\"a\": \"x, }\", \"b\": [2, {\"aa\": {}, \"\u00e9\": 1}, 1]}");
    assertThat(json("{\"a\\\"b\": 1, \"a\": null}")).isEqualTo("{\"a\": null, \"a\\\"b\": 1}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"null", "1.50", "\"a, b\"", "[]", "{}", "[1, [2, 3], \"]\"]", "-1e5"})
  void whatHasNoMembersStaysAsItIs(String text) {
    assertThat(json(text)).isEqualTo(text);
  }

  @Test
  void hstoreIsSorted() {
    assertThat(hstore("\"b\"=>NULL, \"a\"=>\"x, \\\"=>y\""))
        .isEqualTo("\"a\"=>\"x, \\\"=>y\", \"b\"=>NULL");
    assertThat(hstore("")).isEmpty();
  }

  /** As PostgreSQL prints them: quotes and backslashes doubled, then places and weights. */
  @Test
  void tsvectorIsSorted() {
    assertThat(tsvector("'\u00e9' '\u20ac':1A,2 'it''s' 'a b':3 '\\\\' 'a'':'"))
        .isEqualTo("'\\\\' 'a b':3 'a'':' 'it''s' '\u00e9' '\u20ac':1A,2");
    assertThat(tsvector("")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "'a", "'a' b", "'a''"})
  void whatIsNoTsvectorIsRefused(String text) {
    assertThatThrownBy(() -> tsvector(text)).isInstanceOf(MalformedValueException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"a\": 1", "[1, 2", "\"a", "1]"})
  void anotherFormIsRefused(String text) {
    assertThatThrownBy(() -> json(text)).isInstanceOf(MalformedValueException.class);
  }

  private static String json(String text) {
    return new String(
        SortedMembers.json(text.getBytes(StandardCharsets.UTF_8)), StandardCharsets.UTF_8);
  }

  private static String tsvector(String text) {
    return new String(
        SortedMembers.tsvector(text.getBytes(StandardCharsets.UTF_8)), StandardCharsets.UTF_8);
  }

  private static String hstore(String text) {
    return new String(
        SortedMembers.hstore(text.getBytes(StandardCharsets.UTF_8)), StandardCharsets.UTF_8);
  }
}
