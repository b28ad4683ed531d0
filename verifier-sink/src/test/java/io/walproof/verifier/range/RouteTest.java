package io.walproof.verifier.range;

import static org.assertj.core.api.Assertions.assertThat;

import io.walproof.contract.TableId;
import io.walproof.verifier.range.Route.Excluded;
import io.walproof.verifier.range.Route.Published;
import io.walproof.verifier.range.Route.SourceTable;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Which tables stand for which rows: what a publication names carries its partitions' rows, and
 * what it leaves out of a table must be seen to be left out (invariant A).
 */
class RouteTest {

  private static final TableId PLAIN = table("plain");
  private static final TableId ROOT = table("root");
  private static final TableId MIDDLE = table("root_middle");
  private static final TableId ONE = table("root_1");
  private static final TableId TWO = table("root_2");
  private static final TableId THREE = table("root_3");
  private static final TableId ELSEWHERE = table("elsewhere");

  /** {@code root} has {@code root_1} and {@code root_middle}, and that has the other two. */
  private static final Map<TableId, SourceTable> TABLES =
      Map.of(
          PLAIN, new SourceTable(false, List.of()),
          ROOT, new SourceTable(false, List.of(ONE, TWO, THREE)),
          MIDDLE, new SourceTable(true, List.of(TWO, THREE)),
          ONE, new SourceTable(true, List.of()),
          TWO, new SourceTable(true, List.of()),
          THREE, new SourceTable(true, List.of()));

  private static TableId table(String name) {
    return new TableId("public", name);
  }

  private static Route publishing(TableId... tables) {
    Map<TableId, Published> published = new java.util.HashMap<>();
    for (TableId table : tables) {
      published.put(table, Published.WHOLE);
    }
    return new Route(TABLES, Optional.of(published));
  }

  @Test
  void withoutASubscriptionEveryTableIsItself() {
    Route unknown = new Route(TABLES, Optional.empty());
    assertThat(unknown.resolve(ROOT)).containsExactly(ROOT);
    assertThat(unknown.resolve(ELSEWHERE)).containsExactly(ELSEWHERE);
    // A partition's rows are the root's.
    assertThat(unknown.all()).containsExactly(PLAIN, ROOT);
    assertThat(unknown.excluded(PLAIN)).isEmpty();
    assertThat(unknown.rowFilters()).isEmpty();
    assertThat(unknown.columnLists()).isEmpty();
  }

  @Test
  void whatIsPublishedCarriesItsOwnRows() {
    Route route = publishing(PLAIN, ROOT);
    assertThat(route.resolve(PLAIN)).containsExactly(PLAIN);
    assertThat(route.resolve(ROOT)).containsExactly(ROOT);
    assertThat(route.all()).containsExactly(PLAIN, ROOT);
    assertThat(route.excluded(ROOT)).isEmpty();
    assertThat(route.excluded(ELSEWHERE)).isEmpty();
  }

  @Test
  void partitionsCarryTheRowsOfARootThatIsNotPublished() {
    assertThat(publishing(ONE, TWO, THREE).resolve(ROOT)).containsExactly(ONE, TWO, THREE);
    assertThat(publishing(ONE, MIDDLE).resolve(ROOT)).containsExactly(ONE, MIDDLE);
    assertThat(publishing(ONE, MIDDLE).all()).containsExactly(PLAIN, ONE, MIDDLE);
    assertThat(publishing(ONE, MIDDLE).resolve(MIDDLE)).containsExactly(MIDDLE);
    // Of another table's partitions nothing is taken.
    assertThat(publishing(ONE, TWO).resolve(MIDDLE)).containsExactly(TWO, THREE);
  }

  @Test
  void leavesThatNothingCarriesAreNamed() {
    Route route = publishing(MIDDLE);
    assertThat(route.resolve(ROOT)).containsExactly(ONE, MIDDLE);
    assertThat(route.excluded(ONE).map(Excluded::reason)).contains("not_replicated");
    assertThat(route.excluded(MIDDLE)).isEmpty();
    assertThat(publishing(TWO).all()).containsExactly(PLAIN, ONE, TWO, THREE);
  }

  @Test
  void aTableOfWhichNothingIsPublishedIsNamedItself() {
    Route route = publishing(PLAIN);
    assertThat(route.resolve(ROOT)).containsExactly(ROOT);
    assertThat(route.excluded(ROOT).orElseThrow().inPart()).isFalse();
    assertThat(route.all()).containsExactly(PLAIN, ROOT);
  }

  /** A publication may name what the source's catalog did not show. */
  @Test
  void anUnknownPublishedTableCarriesNothingElse() {
    assertThat(publishing(ELSEWHERE).resolve(ROOT)).containsExactly(ROOT);
  }

  @Test
  void filtersAndListsAreThoseOfTheTablesThatHaveThem() {
    Excluded why = new Excluded(Excluded.ROW_FILTER, "several filters");
    Route route =
        new Route(
            TABLES,
            Optional.of(
                Map.of(
                    PLAIN,
                    new Published(Optional.of(Set.of("id")), Optional.empty(), Optional.empty()),
                    ROOT,
                    new Published(Optional.empty(), Optional.of("(id > 5)"), Optional.empty()),
                    ONE,
                    new Published(Optional.empty(), Optional.empty(), Optional.of(why)))));
    assertThat(route.columnLists()).isEqualTo(Map.of(PLAIN, Set.of("id")));
    assertThat(route.rowFilters()).isEqualTo(Map.of(ROOT, "(id > 5)"));
    assertThat(route.excluded(ONE)).contains(why);
    assertThat(why.inPart()).isTrue();
    assertThat(new Excluded(Excluded.CHANGES_NOT_SENT, "no updates").inPart()).isTrue();
  }

  /** Changes may name a table by another level of its partitions than the publication does. */
  @Test
  void howATableIsCarriedIsKnownFromWhicheverLevelIsPublished() {
    Published few = new Published(Optional.empty(), Optional.of("(id < 5)"), Optional.empty());
    assertThat(new Route(TABLES, Optional.empty()).carried(PLAIN)).isEmpty();
    assertThat(reason(publishing(ROOT).carried(PLAIN))).contains("not_replicated");
    assertThat(publishing(ROOT).carried(ELSEWHERE)).contains(Published.WHOLE);
    assertThat(route(Map.of(PLAIN, few)).carried(PLAIN)).contains(few);
    assertThat(route(Map.of(ROOT, few)).carried(TWO)).contains(few);
    assertThat(route(Map.of(ROOT, few)).carried(MIDDLE)).contains(few);
    assertThat(reason(route(Map.of(MIDDLE, few)).carried(ONE))).contains("not_replicated");
    assertThat(route(Map.of(ONE, few, TWO, few, THREE, few)).carried(ROOT)).contains(few);
    assertThat(route(Map.of(ONE, few, MIDDLE, few)).carried(ROOT)).contains(few);
    assertThat(reason(route(Map.of(ONE, few, MIDDLE, Published.WHOLE)).carried(ROOT)))
        .contains("row_filter");
    // Of the rest of its rows nothing is carried.
    assertThat(reason(publishing(ONE, TWO).carried(ROOT))).contains("row_filter");
    assertThat(publishing(ONE, TWO, THREE).carried(ROOT)).contains(Published.WHOLE);
  }

  private static Optional<String> reason(Optional<Published> how) {
    return how.flatMap(Published::excluded).map(Excluded::reason);
  }

  private static Route route(Map<TableId, Published> published) {
    return new Route(TABLES, Optional.of(published));
  }
}
