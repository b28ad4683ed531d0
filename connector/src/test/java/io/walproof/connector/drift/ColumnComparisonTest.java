package io.walproof.connector.drift;

import static org.assertj.core.api.Assertions.assertThat;

import io.walproof.connector.schema.StoredColumn;
import io.walproof.contract.DriftEvent.ColumnChange;
import io.walproof.contract.DriftEvent.ColumnChange.What;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What an event says of each column. */
class ColumnComparisonTest {

  private static StoredColumn column(String name, int type, boolean key) {
    return new StoredColumn(name, "oid:" + type, -1, key);
  }

  private static ColumnChange key(String column, String before, String after) {
    return new ColumnChange(column, What.KEY, before, after, false);
  }

  @Test
  void placesCountFromOneAmongTheColumnsThatStayed() {
    List<StoredColumn> before =
        List.of(column("gone", 25, false), column("a", 25, false), column("b", 25, false));
    List<StoredColumn> after =
        List.of(column("new", 23, false), column("b", 25, false), column("a", 25, false));
    assertThat(new ColumnComparison(before, after).orderChanges())
        .containsExactly(
            new ColumnChange("a", What.ORDER, "1", "2", false),
            new ColumnChange("b", What.ORDER, "2", "1", false));
  }

  @Test
  void aColumnsPartInTheKeyIsToldBeforeAndAfter() {
    List<StoredColumn> before =
        List.of(
            column("stays", 23, true),
            column("leaves", 23, true),
            column("dropped", 23, true),
            column("comes", 23, false),
            column("never", 23, false));
    List<StoredColumn> after =
        List.of(
            column("stays", 23, true),
            column("leaves", 23, false),
            column("comes", 23, true),
            column("never", 23, false),
            column("added", 23, true),
            column("plain", 23, false));
    assertThat(new ColumnComparison(before, after).keyChanges())
        .containsExactly(
            key("leaves", "key", "not key"),
            key("dropped", "key", ""),
            key("comes", "not key", "key"),
            key("added", "", "key"));
  }

  /** Where many columns went and came, naming every pair would tell nothing. */
  @Test
  void onlyTwentyPossibleRenamesAreNamed() {
    List<StoredColumn> before = new ArrayList<>();
    List<StoredColumn> after = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      before.add(column("b" + i, 25, false));
      after.add(column("a" + i, 25, false));
    }
    // Another type is no rename.
    after.add(column("number", 23, false));
    List<ColumnChange> changes = new ColumnComparison(before, after).shapeChanges();
    assertThat(changes).filteredOn(change -> change.what() == What.POSSIBLE_RENAME).hasSize(20);
    assertThat(changes).filteredOn(change -> change.what() == What.REMOVED).hasSize(5);
    assertThat(changes).filteredOn(change -> change.what() == What.ADDED).hasSize(6);
    assertThat(new ColumnComparison(before.subList(0, 4), after).shapeChanges())
        .filteredOn(change -> change.what() == What.POSSIBLE_RENAME)
        .hasSize(20)
        .noneMatch(change -> change.after().equals("number"));
  }

  /** A record takes 1 MiB by default; what narrows is told first. */
  @Test
  void whatFitsIsListedAndWhatNarrowsComesFirst() {
    String long1 = "x".repeat(200_000);
    ColumnChange wide = new ColumnChange("wide", What.TYPE, long1, "", false);
    ColumnChange narrow = new ColumnChange("narrow", What.TYPE, long1, "", true);
    ColumnChange other = new ColumnChange("other", What.TYPE, long1, "", false);
    assertThat(ChangeList.fitting(List.of(wide, narrow))).containsExactly(wide, narrow);
    assertThat(ChangeList.fitting(List.of(wide, other, narrow))).containsExactly(narrow, wide);
    assertThat(ChangeList.leftOut(2, 3)).contains("only 2 of 3");
    assertThat(ChangeList.leftOut(3, 3)).isEmpty();
  }

  /** JSON writes a control character as six, and quotes and backslashes as two at least. */
  @Test
  void roomIsLeftForWhatJsonEscapes() {
    for (String escaped : List.of("\u0001", "\"", "\\")) {
      ColumnChange one = new ColumnChange("c", What.TYPE, escaped.repeat(60_000), "", false);
      assertThat(ChangeList.fitting(List.of(one))).containsExactly(one);
      assertThat(ChangeList.fitting(List.of(one, one))).hasSize(1);
    }
    ColumnChange plain = new ColumnChange("c", What.TYPE, " ".repeat(60_000), "", false);
    assertThat(ChangeList.fitting(List.of(plain, plain))).hasSize(2);
  }

  /** 512 KiB of texts, to the byte; a difference's own names take ninety. */
  @Test
  void theBoundIsReachedAndNotPassed() {
    String most = "x".repeat(512 * 1024 - 90 - 2);
    ColumnChange fits = new ColumnChange("c", What.TYPE, most, "y", false);
    assertThat(ChangeList.fitting(List.of(fits))).containsExactly(fits);
    ColumnChange over = new ColumnChange("cc", What.TYPE, most, "y", false);
    assertThat(ChangeList.fitting(List.of(over))).isEmpty();
    ColumnChange tiny = new ColumnChange("", What.KEY, "", "", false);
    ColumnChange exact = new ColumnChange("c", What.TYPE, most.substring(90), "y", true);
    assertThat(ChangeList.fitting(List.of(exact, tiny, tiny))).containsExactly(exact, tiny);
  }
}
