package io.walproof.verifier.schedule;

import static io.walproof.verifier.schedule.Schedules.A;
import static io.walproof.verifier.schedule.Schedules.B;
import static io.walproof.verifier.schedule.Schedules.C;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.walproof.contract.TableId;
import io.walproof.verifier.range.Claim;
import io.walproof.verifier.range.OffsetClaims;
import io.walproof.verifier.range.RangeException;
import io.walproof.verifier.range.RangeOutcome;
import io.walproof.verifier.range.RangeResult;
import io.walproof.verifier.range.Route;
import io.walproof.verifier.schedule.Trigger.Reason;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Filters first, then claims; a task's share last, since a cursor speaks of all tables. */
class SurveyTest {

  private static final TableFilter ALL = TableFilter.of(any -> true);
  private static final Trigger EVERYTHING = new Trigger(Reason.RESUME, Optional.empty());

  private static final OffsetClaims.Known COPIED =
      new OffsetClaims.Known(false, any -> true, Optional.empty());

  private static Route route(Map<TableId, Route.Published> published) {
    Map<TableId, Route.SourceTable> tables = new TreeMap<>();
    for (TableId table : List.of(A, B, C)) {
      tables.put(table, new Route.SourceTable(false, List.of()));
    }
    return new Route(tables, Optional.ofNullable(published));
  }

  private static final Route.Published WHOLE = Route.Published.WHOLE;

  private static final Route.Published IN_PART =
      new Route.Published(
          Optional.empty(), Optional.empty(), Optional.of(new Route.Excluded("row_filter", "-")));

  private static Map<String, Object> cursor(String... remaining) {
    StringBuilder listed = new StringBuilder("[");
    for (String table : remaining) {
      listed
          .append(listed.length() > 1 ? "," : "")
          .append("{\"incremental_snapshot_collections_id\":\"")
          .append(table)
          .append("\"}");
    }
    Map<String, Object> offset = new HashMap<>();
    offset.put("lsn", 1L);
    offset.put("incremental_snapshot_collections", listed.append(']').toString());
    return offset;
  }

  private static OffsetClaims.Answer answer(Survey survey, Trigger trigger) {
    return survey.answer(trigger, survey.claims());
  }

  private static List<TableId> tables(OffsetClaims.Answer answer) {
    return answer.claims().stream().map(Claim::table).toList();
  }

  @Test
  void wholeTablesOfWhatThePipelineCarriesAndTheFiltersLetThrough() {
    Route route = route(Map.of(A, WHOLE, B, IN_PART));
    OffsetClaims.Answer answer =
        answer(
            new Survey(route, Optional.empty(), OffsetClaims.Known.NOTHING, ALL, any -> true),
            EVERYTHING);
    assertThat(answer.claims()).containsExactly(Claim.whole(A));
    // In part is said, not carried at all is nobody's business.
    assertThat(answer.left()).hasSize(1);
    assertThat(answer.left().get(0).table()).isEqualTo(B);
    assertThat(answer.left().get(0).outcome()).isEqualTo(RangeOutcome.SKIPPED);
    Survey filtered =
        new Survey(
            route(null),
            Optional.empty(),
            OffsetClaims.Known.NOTHING,
            TableFilter.including("public\\.[bc]"),
            any -> true);
    assertThat(tables(answer(filtered, EVERYTHING))).containsExactly(B, C);
  }

  @Test
  void sharesAreDisjointAndLeaveNothingOut() {
    Survey even =
        new Survey(
            route(null),
            Optional.empty(),
            OffsetClaims.Known.NOTHING,
            ALL,
            table -> table.equals(B));
    Survey odd =
        new Survey(
            route(null),
            Optional.empty(),
            OffsetClaims.Known.NOTHING,
            ALL,
            table -> !table.equals(B));
    assertThat(tables(answer(even, EVERYTHING))).containsExactly(B);
    assertThat(tables(answer(odd, EVERYTHING))).containsExactly(A, C);
  }

  /** A table that the cursor still lists is not delivered, whoever's share it is. */
  @Test
  void aCursorIsReadWithAllTables() {
    Optional<Map<String, Object>> offset = Optional.of(cursor("public.b", "public.c"));
    Survey mine = new Survey(route(null), offset, COPIED, ALL, table -> !table.equals(B));
    assertThat(tables(answer(mine, EVERYTHING))).containsExactly(A);
  }

  /** The second half of case 7. */
  @Test
  void aCursorWhoseCurrentTableIsNotCarriedClaimsNothing() {
    Optional<Map<String, Object>> offset = Optional.of(cursor("public.b", "public.c"));
    Route route = route(Map.of(A, WHOLE, C, WHOLE));
    Survey survey = new Survey(route, offset, OffsetClaims.Known.NOTHING, ALL, any -> true);
    assertThatThrownBy(() -> answer(survey, EVERYTHING))
        .isInstanceOf(RangeException.class)
        .hasMessageContaining("public.b");
  }

  /** Nothing is checked, and that is said. */
  @Test
  void driftOfATableThatIsNotClaimedYetSetsOffNothing() {
    Optional<Map<String, Object>> offset = Optional.of(cursor("public.b", "public.c"));
    Survey survey = new Survey(route(null), offset, COPIED, ALL, any -> true);
    OffsetClaims.Answer answer = answer(survey, new Trigger(Reason.RECREATED, Optional.of(C)));
    assertThat(answer.claims()).isEmpty();
    assertThat(answer.left()).hasSize(1);
    assertThat(answer.left().get(0).table()).isEqualTo(C);
    assertThat(answer.left().get(0).outcome()).isEqualTo(RangeOutcome.SKIPPED);
    assertThat(answer.left().get(0).reason()).contains("not_claimed");
    assertThat(tables(answer(survey, new Trigger(Reason.GAP, Optional.of(A))))).containsExactly(A);
  }

  /** What was never copied is not listed either, and is not accused. */
  @Test
  void aTableThatMayNeverHaveBeenCopiedIsSaidOnceByWhoeverHasIt() {
    Optional<Map<String, Object>> offset = Optional.of(cursor("public.b"));
    OffsetClaims.Known known =
        new OffsetClaims.Known(false, table -> table.equals(C), Optional.empty());
    Survey survey = new Survey(route(null), offset, known, ALL, any -> true);
    OffsetClaims.Answer all = answer(survey, EVERYTHING);
    assertThat(tables(all)).containsExactly(C);
    assertThat(all.left()).extracting(RangeResult::table).containsExactly(A);
    assertThat(all.left().get(0).outcome()).isEqualTo(RangeOutcome.SKIPPED);
    assertThat(all.left().get(0).reason()).contains("not_claimed");
    OffsetClaims.Answer named = answer(survey, new Trigger(Reason.GAP, Optional.of(A)));
    assertThat(named.claims()).isEmpty();
    assertThat(named.left()).extracting(RangeResult::table).containsExactly(A);
    Survey other = new Survey(route(null), offset, known, ALL, table -> !table.equals(A));
    assertThat(answer(other, EVERYTHING).left()).isEmpty();
  }

  @Test
  void driftOfATableThatIsLeftOutIsSaid() {
    Route route = route(Map.of(A, WHOLE));
    OffsetClaims.Answer answer =
        answer(
            new Survey(route, Optional.empty(), OffsetClaims.Known.NOTHING, ALL, any -> true),
            new Trigger(Reason.RECREATED, Optional.of(B)));
    assertThat(answer.claims()).isEmpty();
    assertThat(answer.left()).hasSize(1);
    assertThat(answer.left().get(0).reason()).contains("not_replicated");
    OffsetClaims.Answer filtered =
        answer(
            new Survey(
                route,
                Optional.empty(),
                OffsetClaims.Known.NOTHING,
                TableFilter.including("public\\.a"),
                any -> true),
            new Trigger(Reason.RECREATED, Optional.of(B)));
    assertThat(filtered.left()).isEmpty();
  }

  /** Nothing to check at all is a mistake in the filters, not a success. */
  @Test
  void noTableAtAllIsRefused() {
    Survey survey =
        new Survey(
            route(null),
            Optional.empty(),
            OffsetClaims.Known.NOTHING,
            TableFilter.including("shop\\..*"),
            any -> true);
    assertThatThrownBy(() -> answer(survey, EVERYTHING))
        .isInstanceOf(RangeException.class)
        .hasMessageContaining("no table to check");
  }
}
