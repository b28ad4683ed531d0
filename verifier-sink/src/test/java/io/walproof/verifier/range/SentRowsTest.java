package io.walproof.verifier.range;

import static org.assertj.core.api.Assertions.assertThat;

import io.walproof.verifier.range.Route.Published;
import io.walproof.verifier.range.SentRows.Publication;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * What PostgreSQL's manual says of several row filters ("Combining Multiple Row Filters"): filters
 * for the same operation are ORed, and one publication without a filter makes the others redundant;
 * the initial copy does not look at {@code publish}.
 */
class SentRowsTest {

  private static final Optional<String> ALL = Optional.empty();
  private static final Optional<String> F = Optional.of("k > 5");
  private static final Optional<String> G = Optional.of("k < 2");

  private static Publication sends(Optional<String> filter, String changes) {
    return new Publication(
        Optional.empty(),
        filter,
        changes.contains("i"),
        changes.contains("u"),
        changes.contains("d"));
  }

  private static Published of(Publication... together) {
    return SentRows.of(List.of(together));
  }

  private static void assertWhole(Publication... together) {
    assertThat(of(together)).isEqualTo(Published.WHOLE);
  }

  private static void assertCondition(String condition, Publication... together) {
    assertThat(of(together))
        .isEqualTo(new Published(Optional.empty(), Optional.of(condition), Optional.empty()));
  }

  private static void assertUnknown(String reason, Publication... together) {
    assertThat(of(together).condition()).isEmpty();
    assertThat(of(together).excluded().map(Route.Excluded::reason)).contains(reason);
    assertThat(of(together).excluded().orElseThrow().inPart()).isTrue();
  }

  /** Its snapshot copies what the filter keeps back. */
  @Test
  void whatAConnectorsFilterLeavesOnTheTargetIsNotTold() {
    assertThat(SentRows.ofConnector(List.of(sends(ALL, "iud")))).isEqualTo(Published.WHOLE);
    for (List<Publication> filtered :
        List.of(List.of(sends(F, "iud")), List.of(sends(F, "i"), sends(F, "ud")))) {
      Published published = SentRows.ofConnector(filtered);
      assertThat(published.condition()).isEmpty();
      assertThat(published.excluded().map(Route.Excluded::reason)).contains("row_filter");
      assertThat(published.excluded().orElseThrow().inPart()).isTrue();
    }
  }

  @Test
  void allRowsWhereInsertsAndUpdatesOfAllAreSent() {
    assertWhole(sends(ALL, "iud"));
    assertWhole(sends(ALL, "iu"));
    assertWhole(sends(ALL, "i"), sends(ALL, "u"));
    assertWhole(sends(ALL, "iud"), sends(F, "iud"));
    assertWhole(sends(ALL, "iu"), sends(F, "d"));
    assertWhole(sends(F, "i"), sends(ALL, "iud"));
  }

  @Test
  void rowsThatMeetAnyFilterWhereEveryKindOfChangeHasTheSame() {
    assertCondition("((k > 5))", sends(F, "iud"));
    assertCondition("((k < 2) OR (k > 5))", sends(F, "iud"), sends(G, "iud"));
    assertCondition("((k > 5))", sends(F, "i"), sends(F, "ud"));
    assertCondition("((k > 5))", sends(F, "iud"), sends(F, ""));
  }

  /** A row outside the filter arrives when it is inserted, and its updates never do. */
  @Test
  void nothingFollowsWhereKindsOfChangesHaveOtherFilters() {
    assertUnknown("row_filter", sends(F, "iud"), sends(ALL, "i"));
    assertUnknown("row_filter", sends(F, "iud"), sends(ALL, "ud"));
    assertUnknown("row_filter", sends(F, "iud"), sends(G, "i"));
    assertUnknown("row_filter", sends(F, "iud"), sends(ALL, ""));
    assertUnknown("row_filter", sends(F, "i"));
    assertUnknown("row_filter", sends(F, "iu"));
    assertUnknown("row_filter", sends(F, "iu"), sends(ALL, "d"));
  }

  @Test
  void nothingFollowsWhereInsertsOrUpdatesAreNotSent() {
    assertUnknown("changes_not_sent", sends(ALL, "i"));
    assertUnknown("changes_not_sent", sends(ALL, "ud"));
    assertUnknown("changes_not_sent", sends(ALL, ""));
    assertUnknown("changes_not_sent", sends(ALL, "i"), sends(ALL, "d"));
  }

  @Test
  void columnsAreWhatAnyPublicationSends() {
    Publication a = new Publication(Optional.of(Set.of("id", "a")), ALL, true, true, true);
    Publication b = new Publication(Optional.of(Set.of("id", "b")), ALL, true, true, true);
    assertThat(of(a, b).columns()).contains(Set.of("id", "a", "b"));
    assertThat(of(a, sends(ALL, "iud")).columns()).isEmpty();
  }

  /** One deletes the row that left its filter, while the other still carries it. */
  @Test
  void subscriptionsDoNotShareTheirFilters() {
    Published filtered = of(sends(F, "iud"));
    Published part = of(sends(ALL, "i"));
    assertThat(SentRows.ofBoth(Published.WHOLE, Published.WHOLE)).isEqualTo(Published.WHOLE);
    for (Published other : List.of(filtered, Published.WHOLE, of(sends(G, "iud")))) {
      assertThat(SentRows.ofBoth(filtered, other).condition()).isEmpty();
      assertThat(SentRows.ofBoth(filtered, other).excluded().orElseThrow().reason())
          .isEqualTo("row_filter");
    }
    assertThat(SentRows.ofBoth(Published.WHOLE, part).excluded()).isEqualTo(part.excluded());
  }
}
