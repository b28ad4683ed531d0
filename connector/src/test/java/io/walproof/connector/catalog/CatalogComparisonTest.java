package io.walproof.connector.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.walproof.connector.catalog.CatalogDifference.Loss;
import io.walproof.contract.DriftEvent.ColumnChange;
import io.walproof.contract.DriftEvent.ColumnChange.What;
import io.walproof.contract.TableId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What two readings say of one table, and what of an older build's reading nothing is said. */
class CatalogComparisonTest {

  private static final TableId T = new TableId("public", "t");

  @Test
  void anotherMemberInPlaceOfAllOthersIsATableThatWasOut() {
    assertThat(published("[7]", "[8]"))
        .isEqualTo(
            new CatalogDifference(
                List.of(change(What.PUBLISHED, "published", "published anew")),
                true,
                Optional.of(Loss.ANEW)));
    assertThat(published("[7,8]", "[9,10]").loss()).contains(Loss.ANEW);
  }

  @Test
  void aTableThatStayedByOneMemberWasNeverOut() {
    assertThat(published("[7]", "[7]").isEmpty()).isTrue();
    assertThat(published("[7]", "[7,8]").isEmpty()).isTrue();
    assertThat(published("[7,8]", "[8]").isEmpty()).isTrue();
    assertThat(published("[7,8]", "[8,9]").isEmpty()).isTrue();
  }

  @Test
  void namesThatAreNotCapturedAreALossAndTheWayBackToo() {
    String root = "{\"published\":true,\"members\":[7],\"via_root\":true}";
    String leaves = "{\"published\":true,\"members\":[7],\"via_root\":false}";
    String elsewhere = leaves.replace("}", ",\"elsewhere\":true}");
    ColumnChange there = change(What.PUBLISHED_AS, "partition root", "partitions");
    ColumnChange back = change(What.PUBLISHED_AS, "partitions", "partition root");
    assertThat(difference(root, leaves))
        .as("all are captured")
        .isEqualTo(new CatalogDifference(List.of(there), true, Optional.empty()));
    assertThat(difference(root, elsewhere))
        .isEqualTo(new CatalogDifference(List.of(there), true, Optional.of(Loss.ELSEWHERE)));
    assertThat(difference(elsewhere, root))
        .isEqualTo(new CatalogDifference(List.of(back), true, Optional.of(Loss.CAPTURED_AGAIN)));
    assertThat(difference(leaves, elsewhere).isEmpty())
        .as("a new partition, which a pattern may include")
        .isTrue();
    String older = "{\"published\":true,\"members\":[7]}";
    assertThat(difference(older, elsewhere).isEmpty()).isTrue();
    assertThat(difference(elsewhere, older).isEmpty()).isTrue();
  }

  @Test
  void operationsAreThePublicationsAndNotTheTables() {
    String all = "{\"operations\":\"insert, update, delete\"}";
    String some = "{\"operations\":\"insert\"}";
    assertThat(CatalogComparison.operations(Map.of(T, all), Map.of(T, some)))
        .contains(change(What.PUBLISHED_OPERATIONS, "insert, update, delete", "insert"));
    assertThat(CatalogComparison.operations(Map.of(T, some), Map.of(T, "{\"operations\":\"\"}")))
        .contains(change(What.PUBLISHED_OPERATIONS, "insert", ""));
    assertThat(difference(all, some).isEmpty()).isTrue();
    for (String unknown :
        new String[] {"{\"oid\":5}", TableFacts.GONE, FactsDigest.of(some), "#1:00"}) {
      assertThat(CatalogComparison.operations(Map.of(T, unknown), Map.of(T, all))).isEmpty();
    }
    assertThat(CatalogComparison.operations(Map.of(T, all), Map.of())).isEmpty();
    assertThat(CatalogComparison.operations(Map.of(T, all), Map.of(T, "{\"oid\":5}"))).isEmpty();
  }

  @Test
  void aReadingOfAnOlderBuildIsABaseline() {
    String old = "{\"oid\":5,\"key\":[\"id\"],\"published\":true}";
    String now = "{\"oid\":5,\"key\":[\"id\"],\"published\":true,\"members\":[7]}";
    assertThat(difference(old, now).isEmpty()).isTrue();
    assertThat(difference(now, old).isEmpty()).as("and the other way round").isTrue();
    assertThat(difference("#1:000102030405060708090a0b", now).isEmpty()).isTrue();
  }

  @Test
  void aTableThatIsThereAgainIsPublishedOrNot() {
    assertThat(difference(TableFacts.GONE, "{\"published\":true,\"members\":[8]}").loss())
        .contains(Loss.EXISTS_AGAIN);
    assertThat(difference(TableFacts.GONE, "{\"published\":false}").loss()).contains(Loss.LEFT);
    assertThat(difference(TableFacts.GONE, TableFacts.GONE).isEmpty()).isTrue();
  }

  @Test
  void aKeyIsComparedWhereTheStreamDoesNotFlagIt() {
    for (String identity : new String[] {"f", "n"}) {
      assertThat(key(identity, "[\"id\",\"a\"]", identity, "[\"b\",\"id\"]"))
          .as(identity)
          .containsExactly(
              new ColumnChange("a", What.KEY, "key", "not key", false),
              new ColumnChange("b", What.KEY, "not key", "key", false));
      assertThat(key("d", "[\"id\"]", identity, "[]"))
          .as("also with another identity, which the stream tells without the key")
          .containsExactly(new ColumnChange("id", What.KEY, "key", "not key", false));
      assertThat(key(identity, "[\"id\"]", identity, "[\"id\"]")).isEmpty();
      assertThat(key(identity, "[\"id\"]", "d", "[\"a\"]")).as("the stream tells").isEmpty();
      assertThat(key("i", "[\"id\"]", identity, "[\"a\"]")).as("another index").isEmpty();
      assertThat(key("", "[\"id\"]", identity, "[\"a\"]")).as("an older build's").isEmpty();
    }
    assertThat(key("d", "[\"id\"]", "d", "[\"a\"]")).isEmpty();
    assertThat(key("i", "[\"id\"]", "i", "[\"a\"]")).isEmpty();
  }

  private static List<ColumnChange> key(String was, String before, String is, String after) {
    return difference(keyed(was, before), keyed(is, after)).changes();
  }

  private static String keyed(String identity, String key) {
    return "{\"key\":"
        + key
        + (identity.isEmpty() ? "" : ",\"identity\":\"" + identity + "\"")
        + "}";
  }

  private static CatalogDifference published(String before, String after) {
    String facts = "{\"oid\":5,\"published\":true,\"members\":";
    return difference(facts + before + "}", facts + after + "}");
  }

  private static ColumnChange change(What what, String before, String after) {
    return new ColumnChange("", what, before, after, false);
  }

  /** An empty one where there is none. */
  private static CatalogDifference difference(String before, String after) {
    return CatalogComparison.between(Map.of(T, before), Map.of(T, after))
        .getOrDefault(T, new CatalogDifference(List.of(), true, Optional.empty()));
  }
}
