package io.walproof.standalone.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.walproof.contract.TableId;
import io.walproof.verifier.range.Claim;
import io.walproof.verifier.range.OffsetClaims;
import io.walproof.verifier.range.RangeResult;
import io.walproof.verifier.range.Route;
import io.walproof.verifier.row.KeyRange;
import io.walproof.verifier.schedule.TableFilter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RangeRequestTest {

  private static final TableId ORDERS = new TableId("public", "orders");

  /** A mistyped name is looked for, and said not to be there; no list leaves it out. */
  @Test
  void onlyWhatTheSourceHasIsLeftOutByTheLists() {
    Route route =
        new Route(Map.of(ORDERS, new Route.SourceTable(false, List.of())), Optional.empty());
    RangeRequest request =
        new RangeRequest(
            List.of(new TablePattern("public.orders"), new TablePattern("public.ordrs")),
            false,
            KeyRange.ALL,
            Optional.empty(),
            OffsetClaims.Known.NOTHING);
    RangeRequest.Work work = request.resolve(route, TableFilter.including("public\\.others"));
    assertThat(work.refused()).extracting(RangeResult::table).containsExactly(ORDERS);
    assertThat(work.refused().get(0).reason()).contains("excluded_by_filter");
    assertThat(work.claims())
        .extracting(Claim::table)
        .containsExactly(new TableId("public", "ordrs"));
  }
}
