package io.walproof.connector.offset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.walproof.connector.offset.TimelineHistory.Switch;
import io.walproof.connector.relation.ChangeOrdinal;
import io.walproof.connector.schema.SchemaHistory;
import io.walproof.contract.Lsn;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The rules are PostgreSQL's: a timeline shares all WAL up to its switch point with its parent. */
class TimelineHistoryTest {

  @Test
  void aServersHistoryFileIsRead() {
    String file =
        """
        1\t0/3000110\tno recovery target specified

        # a comment
        2\t1/A0\tat restore point "a b"
        """;
    TimelineHistory history = TimelineHistory.ofFile(3, file);
    assertThat(history)
        .isEqualTo(
            new TimelineHistory(
                List.of(new Switch(1, Lsn.parse("0/3000110")), new Switch(2, Lsn.parse("1/A0"))),
                3));
    assertThat(history).hasToString("1 0/3000110,2 1/A0,3");
    assertThat(TimelineHistory.parse("1 0/3000110,2 1/A0,3")).isEqualTo(history);
    assertThat(TimelineHistory.parse("1")).isEqualTo(new TimelineHistory(List.of(), 1));
  }

  @Test
  void whatIsNoHistoryIsRefused() {
    for (String text : List.of("", "x", "1 0/5", "2 0/5,2", "3 0/5,1 0/6,4", "1 0/5 2")) {
      assertThatThrownBy(() -> TimelineHistory.parse(text))
          .as(text)
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void theSameTimelineSharesEverything() {
    assertShared("1", "1", TimelineHistory.EVERYTHING);
    assertShared("1 0/5,2", "1 0/5,2", TimelineHistory.EVERYTHING);
  }

  @Test
  void aPromotedStandbySharesUpToTheSwitch() {
    assertShared("1", "1 0/5,2", lsn(5));
    assertShared("1", "1 0/5,2 0/9,3", lsn(5));
    assertShared("1 0/5,2", "1 0/5,2 0/9,3", lsn(9));
    // A standby promoted twice from its first timeline's copy: 2 was never on this line.
    assertShared("1 0/5,2", "1 0/7,3", lsn(5));
    assertShared("1 0/7,2", "1 0/5,3", lsn(5));
  }

  @Test
  void twoStandbysPromotedApartHaveTheSameNumberAndOtherWal() {
    assertShared("1 0/5,2", "1 0/7,2", lsn(5));
    // Promoted at the same place into different numbers.
    assertShared("1 0/5,2", "1 0/5,3", lsn(5));
  }

  @Test
  void ancestorsThatAreNotKnownAreTakenToBeTheSame() {
    assertShared("2 0/9,3", "1 0/5,2 0/9,3", TimelineHistory.EVERYTHING);
    assertShared("2 0/9,3", "1 0/5,2 0/9,3 0/C,4", lsn(12));
    // Where the one left the other is not known at all.
    assertShared("1", "2", Lsn.NONE);
    assertShared("3", "1 0/5,4", Lsn.NONE);
  }

  @Test
  void aPositionKeepsOnlyTheNewestAncestors() {
    List<Switch> many = new ArrayList<>();
    for (int i = 1; i <= 300; i++) {
      many.add(new Switch(i, lsn(i)));
    }
    TimelineHistory history = new TimelineHistory(many, 301);
    assertThat(history.ancestors()).hasSize(100).endsWith(new Switch(300, lsn(300)));
    assertThat(history.sharedWith(TimelineHistory.parse("300 0/12C,301 0/200,302")))
        .isEqualTo(lsn(0x200));
  }

  @Test
  void aPositionDivergesIfAnythingOfItLiesBehindTheSwitch() {
    TimelineHistory promoted = TimelineHistory.parse("1 0/5,2");
    assertThat(position("1", 5, ChangeOrdinal.NONE).divergesFrom(promoted)).isEmpty();
    assertThat(position("1", 6, ChangeOrdinal.NONE).divergesFrom(promoted)).contains(lsn(5));
    // The transaction whose commit record begins at the switch is not shared.
    assertThat(position("1", 4, decided(4)).divergesFrom(promoted)).isEmpty();
    assertThat(position("1", 4, decided(5)).divergesFrom(promoted)).contains(lsn(5));
    assertThat(position("1 0/5,2", 9, decided(8)).divergesFrom(promoted)).isEmpty();
    // LSNs are unsigned.
    assertThat(position("1", -1, ChangeOrdinal.NONE).divergesFrom(promoted)).contains(lsn(5));
  }

  @Test
  void anOlderBuildsPositionDivergesFromNothing() {
    Position old = Position.of(Map.of("lsn", 99L, "walproof.system_identifier", "7"));
    assertThat(old.divergesFrom(TimelineHistory.parse("1 0/5,2"))).isEmpty();
    assertThat(old.entries()).doesNotContainKey("walproof.timelines");
  }

  private static Position position(String timelines, long resume, ChangeOrdinal decided) {
    Position position =
        new Position(
            Map.of("lsn", resume),
            lsn(resume),
            decided,
            SchemaHistory.empty(),
            new WalOrigin("7", Optional.of(TimelineHistory.parse(timelines))));
    assertThat(Position.of(position.entries())).isEqualTo(position);
    return position;
  }

  private static ChangeOrdinal decided(long commit) {
    return new ChangeOrdinal(lsn(commit), lsn(commit - 1), 0);
  }

  private static void assertShared(String a, String b, Lsn expected) {
    assertThat(TimelineHistory.parse(a).sharedWith(TimelineHistory.parse(b))).isEqualTo(expected);
    assertThat(TimelineHistory.parse(b).sharedWith(TimelineHistory.parse(a))).isEqualTo(expected);
  }

  private static Lsn lsn(long value) {
    return new Lsn(value);
  }
}
