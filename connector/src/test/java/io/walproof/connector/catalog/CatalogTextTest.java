package io.walproof.connector.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import io.walproof.connector.catalog.CatalogDifference.Loss;
import io.walproof.contract.DriftEvent.ColumnChange;
import io.walproof.contract.DriftEvent.ColumnChange.What;
import io.walproof.contract.TableId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class CatalogTextTest {

  private static final int PLENTY = 512 * 1024;
  private static final TableId T = new TableId("public", "t");

  @Test
  void aReadingThatFitsComesBackWhole() {
    Map<String, String> facts = tables(200, 10);
    CatalogText.Fitting fitting = CatalogText.write(facts, PLENTY);
    assertThat(fitting.digests()).isZero();
    assertThat(fitting.leftOut()).isZero();
    assertThat(CatalogText.read(fitting.text())).isEqualTo(facts);
    assertThat(CatalogText.write(facts, PLENTY)).isEqualTo(fitting);
    assertThat(CatalogText.read(CatalogText.write(Map.of(), 1024).text())).isEmpty();
  }

  @Test
  void theLongestFactsBecomeDigestsFirst() {
    Map<String, String> facts = tables(50, 3);
    facts.put("public.wide", facts(7, 1600, "text"));
    int room = CatalogText.write(tables(50, 3), PLENTY).text().length() + 200;
    CatalogText.Fitting fitting = CatalogText.write(facts, room);
    assertThat(fitting.text().length()).isLessThanOrEqualTo(room);
    assertThat(fitting.digests()).isEqualTo(1);
    Map<String, String> kept = CatalogText.read(fitting.text());
    assertThat(kept.get("public.wide")).startsWith("#2:").hasSize(29);
    kept.remove("public.wide");
    assertThat(kept).isEqualTo(tables(50, 3));
  }

  @Test
  void whatDoesNotEvenFitAsADigestIsLeftOutAndCounted() {
    Map<String, String> facts = tables(500, 10);
    CatalogText.Fitting fitting = CatalogText.write(facts, 4096);
    assertThat(fitting.text().length()).isBetween(3000, 4096);
    Map<String, String> kept = CatalogText.read(fitting.text());
    assertThat(kept).hasSize(500 - fitting.leftOut()).hasSizeBetween(50, 400);
    assertThat(kept.values()).allMatch(FactsDigest::is);
    assertThat(fitting.digests()).isEqualTo(kept.size());
  }

  @Test
  void damageIsAnError() {
    String text = CatalogText.write(tables(3, 3), PLENTY).text();
    for (String bad : new String[] {"", "x", text.substring(1), text.substring(0, 40), "AAAA"}) {
      assertThatThrownBy(() -> CatalogText.read(bad))
          .as(bad)
          .isInstanceOf(CatalogStoreException.class);
    }
  }

  @Test
  void aDigestIsOverWhatIsComparedAndNotOverHowItIsWritten() {
    String facts = facts(5, 2, "text");
    String digest = FactsDigest.of(facts);
    assertThat(FactsDigest.is(digest)).isTrue();
    assertThat(FactsDigest.is(facts)).isFalse();
    assertThat(differs(digest, facts)).isFalse();
    // A newer build's additional field, and another order, are no difference.
    assertThat(
            differs(
                digest,
                "{\"later\":1,\"columns\":{\"c1\":{\"type\":\"text\",\"number\":2},"
                    + "\"c0\":{\"number\":1,\"type\":\"text\"}},\"oid\":5}"))
        .isFalse();
    assertThat(differs(digest, facts(6, 2, "text"))).isTrue();
    assertThat(differs(digest, facts(5, 3, "text"))).isTrue();
    assertThat(differs(digest, facts(5, 2, "int"))).isTrue();
    // Another build's digest decides nothing.
    assertThat(differs("#1:00", facts)).isFalse();
    assertThat(differs("#3:00", facts)).isFalse();
    assertThatThrownBy(() -> differs(digest.substring(0, 20), facts))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void everythingThatIsComparedEntersTheDigest() {
    String facts =
        "{\"oid\":5,\"columns\":{\"c\":{\"number\":1,\"type\":\"text\",\"type_oid\":9,\"collation\":"
            + "\"x\",\"generated\":\"s\",\"labels\":[\"a\"],\"rules\":[\"r\"]}},\"key\":[\"c\"],"
            + "\"published\":true,\"members\":[7,9],\"published_columns\":[\"c\"],"
            + "\"row_filter\":\"f\",\"partitions\":[\"p\"]}";
    Map<String, String> changes = new TreeMap<>();
    changes.put("\"oid\":5", "\"oid\":6");
    changes.put("{\"c\":{", "{\"d\":{");
    changes.put("\"number\":1", "\"number\":2");
    changes.put("\"text\"", "\"name\"");
    changes.put("\"type_oid\":9", "\"type_oid\":8");
    changes.put("\"x\"", "\"y\"");
    changes.put("\"s\"", "\"v\"");
    changes.put("[\"a\"]", "[\"a\",\"b\"]");
    changes.put("[\"r\"]", "[]");
    changes.put("\"key\":[\"c\"]", "\"key\":[]");
    changes.put("true", "false");
    changes.put("[7,9]", "[8]");
    changes.put("\"published_columns\":[\"c\"],", "");
    changes.put("\"f\"", "\"g\"");
    changes.put("[\"p\"]", "[\"q\"]");
    changes.forEach(
        (before, after) -> {
          assertThat(facts).contains(before);
          assertThat(differs(FactsDigest.of(facts), facts.replace(before, after)))
              .as(after)
              .isTrue();
        });
    assertThat(differs(FactsDigest.of(facts), facts.replace("[7,9]", "[9]"))).isFalse();
    assertThat(FactsDigest.of(TableFacts.GONE)).isEqualTo(TableFacts.GONE);
  }

  @Test
  void aDifferingDigestIsAChangeThatIsNotNamed() {
    String before = facts(5, 2, "text");
    String after = "{\"oid\":5,\"row_filter\":\"(id > 5)\"}";
    assertThat(differs(FactsDigest.of(before), before)).isFalse();
    assertThat(CatalogComparison.between(Map.of(T, FactsDigest.of(before)), Map.of(T, after)))
        .containsExactly(entry(T, new CatalogDifference(List.of(), false, Optional.empty())));
  }

  @Test
  void aDigestStillTellsThatChangesWereLost() {
    String before = "{\"oid\":5,\"published\":true,\"members\":[7]}";
    Map<TableId, String> kept = Map.of(T, FactsDigest.of(before));
    assertThat(
            CatalogComparison.between(
                kept, Map.of(T, "{\"oid\":6,\"published\":true,\"members\":[8]}")))
        .containsExactly(
            entry(
                T,
                new CatalogDifference(
                    List.of(published("published", "published anew")),
                    false,
                    Optional.of(Loss.ANEW))));
    assertThat(CatalogComparison.between(kept, Map.of(T, "{\"oid\":5,\"published\":false}")))
        .containsExactly(
            entry(
                T,
                new CatalogDifference(
                    List.of(published("published", "not published")),
                    true,
                    Optional.of(Loss.LEFT))));
    String unpublished = FactsDigest.of("{\"oid\":5,\"published\":false}");
    assertThat(CatalogComparison.between(Map.of(T, unpublished), Map.of(T, before)))
        .containsExactly(
            entry(
                T,
                new CatalogDifference(
                    List.of(published("not published", "published")),
                    true,
                    Optional.of(Loss.RETURNED))));
  }

  private static ColumnChange published(String before, String after) {
    return new ColumnChange("", What.PUBLISHED, before, after, false);
  }

  private static boolean differs(String digest, String facts) {
    return !CatalogComparison.between(Map.of(T, digest), Map.of(T, facts)).isEmpty();
  }

  private static Map<String, String> tables(int number, int columns) {
    Map<String, String> facts = new TreeMap<>();
    for (int i = 0; i < number; i++) {
      facts.put("public.table_name_" + i, facts(16384 + i, columns, "character varying(20)"));
    }
    return facts;
  }

  private static String facts(long oid, int columns, String type) {
    StringBuilder text = new StringBuilder("{\"oid\":").append(oid).append(",\"columns\":{");
    for (int i = 0; i < columns; i++) {
      text.append(i == 0 ? "" : ",")
          .append("\"c")
          .append(i)
          .append("\":{\"number\":")
          .append(i + 1)
          .append(",\"type\":\"")
          .append(type)
          .append("\"}");
    }
    return text.append("}}").toString();
  }
}
