package io.walproof.contract.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.walproof.contract.TableId;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

/** Every table has a topic of its own that Kafka allows (D9). */
class TopicNamesTest {

  private static final Pattern LEGAL = Pattern.compile("[A-Za-z0-9._-]{1,249}");
  private static final Pattern ESCAPE = Pattern.compile("_x([0-9a-f]{4,6})_");

  private final TopicNames names = new TopicNames("shop.eu");

  @Test
  void plainNamesStayAsTheyAre() {
    assertThat(names.table(new TableId("public", "orders"))).isEqualTo("shop.eu.public.orders");
    assertThat(names.table(new TableId("Public", "tax_xref"))).isEqualTo("shop.eu.Public.tax_xref");
    assertThat(names.drift()).isEqualTo("shop.eu.drift");
    assertThat(names.dlq()).isEqualTo("shop.eu.dlq");
    assertThat(names.verify()).isEqualTo("shop.eu.verify");
    assertThat(names.heartbeat()).isEqualTo("shop.eu.heartbeat");
  }

  @Test
  void whatKafkaDoesNotAllowIsEscaped() {
    assertThat(names.table(new TableId("s", "a.b"))).isEqualTo("shop.eu.s.a_x002e_b");
    assertThat(names.table(new TableId("s", "x#y/z"))).isEqualTo("shop.eu.s.x_x0023_y_x002f_z");
    assertThat(names.table(new TableId("s", "_x0023_"))).isEqualTo("shop.eu.s._x005f_x0023_");
    assertThat(names.table(new TableId("s", "\uD83D\uDC18"))).isEqualTo("shop.eu.s._x1f418_");
  }

  @Test
  void aPrefixThatKafkaDoesNotAllowIsRefused() {
    assertThatThrownBy(() -> new TopicNames("a b"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("topic.prefix");
  }

  @Test
  void whatIsTooLongIsCutAndStaysDistinct() {
    String one = names.table(new TableId("s".repeat(63), "#".repeat(63)));
    String two = names.table(new TableId("s".repeat(63), "#".repeat(62) + "%"));
    assertThat(one).matches(LEGAL).hasSize(249).isNotEqualTo(two);
    // Kafka allows 249 characters, and what it allows stays as it is.
    TopicNames shortest = new TopicNames("p");
    String longest = "t".repeat(245);
    assertThat(shortest.table(new TableId("s", longest))).isEqualTo("p.s." + longest);
    assertThat(shortest.table(new TableId("s", longest + "t")))
        .hasSize(249)
        .startsWith("p.s." + "t".repeat(200));
  }

  @Property
  void aNameCanBeReadBack(
      @ForAll("identifiers") String schema, @ForAll("identifiers") String table) {
    String topic = new TopicNames("p").table(new TableId(schema, table));
    assertThat(topic).matches(LEGAL);
    String[] parts = topic.split("\\.", -1);
    assertThat(parts).hasSize(3);
    assertThat(topic).isNotIn("p.drift", "p.dlq", "p.verify", "p.heartbeat");
    assertThat(unescaped(parts[1])).isEqualTo(schema);
    assertThat(unescaped(parts[2])).isEqualTo(table);
  }

  @Provide
  Arbitrary<String> identifiers() {
    return Arbitraries.oneOf(
            Arbitraries.strings()
                .withChars("_x0f2e#.\uD83D\u00e9aX-")
                .ofMinLength(1)
                .ofMaxLength(12),
            Arbitraries.of("_x0023#", "_x0023_x0023_", "__x00e9_", "x_x", "_x00e9\u00e9"))
        .filter(text -> text.chars().noneMatch(c -> Character.isSurrogate((char) c)));
  }

  private static String unescaped(String name) {
    Matcher matcher = ESCAPE.matcher(name);
    return matcher.replaceAll(
        found ->
            Matcher.quoteReplacement(Character.toString(Integer.parseInt(found.group(1), 16))));
  }
}
