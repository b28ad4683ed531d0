package io.walproof.verifier.schedule;

import io.walproof.contract.TableId;
import io.walproof.verifier.range.Claim;
import io.walproof.verifier.range.OffsetClaims;
import io.walproof.verifier.range.RangeException;
import io.walproof.verifier.range.RangeOutcome;
import io.walproof.verifier.range.RangeResult;
import io.walproof.verifier.range.Route;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * What is claimed now, of the tables that are looked at. Filters first, then the check: what the
 * pipeline does not carry is not undelivered.
 *
 * @param route what the pipeline carries
 * @param offset a connector's offset, whose claims are checked; empty for whole tables
 * @param known what that offset does not show
 * @param filter which tables the pipeline lets through
 * @param share which of them are this task's
 */
public record Survey(
    Route route,
    Optional<Map<String, Object>> offset,
    OffsetClaims.Known known,
    TableFilter filter,
    Predicate<TableId> share) {

  private static final Route.Excluded NOT_CLAIMED =
      new Route.Excluded(
          OffsetClaims.NOT_CLAIMED,
          "the connector's offset does not say that anything of it was delivered, so nothing of it"
              + " was checked");

  /**
   * What the trigger asks for.
   *
   * @param all what is claimed of all tables
   * @return what is to be checked, and the tables that are looked at and not judged
   */
  OffsetClaims.Answer answer(Trigger trigger, OffsetClaims.Answer all) {
    return trigger.table().isEmpty() ? everything(all) : named(trigger.table().get(), all);
  }

  /**
   * What is claimed of all tables. A cursor says what it says of all of them together, so it is
   * read with all of them.
   *
   * @throws RangeException if there is no table at all, or the offset claims nothing or cannot be
   *     related to the tables
   */
  OffsetClaims.Answer claims() {
    Set<TableId> carried = new HashSet<>();
    boolean inPart = false;
    for (TableId table : route.all()) {
      if (filter.accepts(table)) {
        Optional<Route.Excluded> why = route.excluded(table);
        inPart |= why.filter(Route.Excluded::inPart).isPresent();
        if (why.isEmpty()) {
          carried.add(table);
        }
      }
    }
    if (carried.isEmpty() && !inPart) {
      throw new RangeException(
          "there is no table to check: the source has none that the filters let through and the"
              + " pipeline carries");
    }
    return offset
        .map(entries -> OffsetClaims.of(entries, carried, known))
        .orElseGet(
            () ->
                new OffsetClaims.Answer(
                    carried.stream().sorted().map(Claim::whole).toList(), List.of()));
  }

  private OffsetClaims.Answer everything(OffsetClaims.Answer all) {
    List<RangeResult> left = new ArrayList<>(mine(all.left(), RangeResult::table));
    for (TableId table : route.all()) {
      if (isMine(table)) {
        route
            .excluded(table)
            .filter(Route.Excluded::inPart)
            .ifPresent(why -> left.add(skipped(table, why)));
      }
    }
    return new OffsetClaims.Answer(mine(all.claims(), Claim::table), left);
  }

  private <T> List<T> mine(List<T> of, Function<T, TableId> table) {
    return of.stream().filter(each -> share.test(table.apply(each))).toList();
  }

  private OffsetClaims.Answer named(TableId named, OffsetClaims.Answer all) {
    List<Claim> claims = new ArrayList<>();
    List<RangeResult> left = new ArrayList<>();
    for (TableId table : route.resolve(named)) {
      if (isMine(table)) {
        Optional<Claim> claimed =
            all.claims().stream().filter(claim -> claim.table().equals(table)).findFirst();
        Optional<RangeResult> unclear =
            all.left().stream().filter(each -> each.table().equals(table)).findFirst();
        Optional<Route.Excluded> why = route.excluded(table);
        if (claimed.isPresent()) {
          claims.add(claimed.get());
        } else if (unclear.isPresent()) {
          left.add(unclear.get());
        } else if (why.isPresent()) {
          left.add(skipped(table, why.get()));
        } else if (offset.isEmpty()) {
          // Not among the tables any more, or a partition: whatever it is, it is looked at.
          claims.add(Claim.whole(table));
        } else {
          left.add(skipped(table, NOT_CLAIMED));
        }
      }
    }
    return new OffsetClaims.Answer(claims, left);
  }

  private boolean isMine(TableId table) {
    return filter.accepts(table) && share.test(table);
  }

  private static RangeResult skipped(TableId table, Route.Excluded why) {
    return RangeResult.unread(
        Claim.whole(table),
        RangeOutcome.SKIPPED,
        Optional.of(why.reason()),
        Optional.of(why.detail()),
        Duration.ZERO);
  }
}
