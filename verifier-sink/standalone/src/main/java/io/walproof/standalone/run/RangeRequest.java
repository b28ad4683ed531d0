package io.walproof.standalone.run;

import io.walproof.contract.TableId;
import io.walproof.verifier.range.Claim;
import io.walproof.verifier.range.OffsetClaims;
import io.walproof.verifier.range.RangeException;
import io.walproof.verifier.range.RangeOutcome;
import io.walproof.verifier.range.RangeResult;
import io.walproof.verifier.range.Route;
import io.walproof.verifier.row.KeyRange;
import io.walproof.verifier.schedule.TableFilter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What somebody asks to be checked.
 *
 * @param tables tables by name or pattern
 * @param all every table that the pipeline carries
 * @param range which rows, for one table by name
 * @param offset the offset of a connector whose claims are checked, of the named tables or, where
 *     none is named, of all
 * @param known what the offset does not show
 */
public record RangeRequest(
    List<TablePattern> tables,
    boolean all,
    KeyRange range,
    Optional<Map<String, Object>> offset,
    OffsetClaims.Known known) {

  /** Copies. */
  public RangeRequest {
    tables = List.copyOf(tables);
  }

  /** The same of what an offset claims. */
  public RangeRequest claimedBy(Map<String, Object> claiming) {
    return new RangeRequest(tables, all, range, Optional.of(claiming), known);
  }

  /**
   * What there is to do.
   *
   * @param claims to be checked
   * @param refused tables that were asked for by name and are not judged
   * @param leftOut tables that nobody named and the pipeline does not carry
   */
  record Work(List<Claim> claims, List<RangeResult> refused, List<RangeResult> leftOut) {}

  /**
   * Filters first, then the check: what the pipeline does not carry is not undelivered.
   *
   * @throws RangeException if nothing fits
   */
  Work resolve(Route route, TableFilter filter) {
    Map<TableId, Claim> claims = new LinkedHashMap<>();
    Map<TableId, RangeResult> refused = new LinkedHashMap<>();
    Map<TableId, RangeResult> leftOut = new LinkedHashMap<>();
    offset.ifPresent(
        entries -> {
          Set<TableId> carried = new HashSet<>();
          for (TableId table : route.all()) {
            Optional<Route.Excluded> why = excluded(table, route, filter);
            if (why.isEmpty()) {
              carried.add(table);
            } else if (isNamed(table)) {
              leave(table, why.get(), refused, leftOut);
            }
          }
          // Whoever picks a table says that it was copied.
          OffsetClaims.Known told = tables.isEmpty() ? known : known.copying(this::isNamed);
          OffsetClaims.Answer answer = OffsetClaims.of(entries, carried, told);
          answer.claims().stream()
              .filter(claim -> isNamed(claim.table()))
              .forEach(claim -> claims.put(claim.table(), claim));
          answer.left().stream()
              .filter(left -> isNamed(left.table()))
              .forEach(left -> refused.put(left.table(), left));
        });
    for (TablePattern pattern : offset.isPresent() ? List.<TablePattern>of() : tables) {
      for (TableId table : named(pattern, route)) {
        Claim claim = new Claim(table, range, Claim.Origin.REQUEST);
        excluded(table, route, filter)
            .ifPresentOrElse(
                why -> refused.put(table, skipped(claim, why)), () -> claims.put(table, claim));
      }
    }
    if (all) {
      for (TableId table : route.all()) {
        excluded(table, route, filter)
            .ifPresentOrElse(
                why -> leave(table, why, refused, leftOut),
                () -> claims.putIfAbsent(table, Claim.whole(table)));
      }
    }
    return new Work(
        List.copyOf(claims.values()), List.copyOf(refused.values()), List.copyOf(leftOut.values()));
  }

  private boolean isNamed(TableId table) {
    return tables.isEmpty()
        || tables.stream()
            .anyMatch(
                named -> named.isPattern() ? named.matches(table) : named.table().equals(table));
  }

  /** What the pipeline carries in part is not judged, and that is not for nobody to see. */
  private static void leave(
      TableId table,
      Route.Excluded why,
      Map<TableId, RangeResult> refused,
      Map<TableId, RangeResult> leftOut) {
    (why.inPart() ? refused : leftOut).put(table, skipped(Claim.whole(table), why));
  }

  private List<TableId> named(TablePattern pattern, Route route) {
    if (!pattern.isPattern()) {
      List<TableId> resolved = route.resolve(pattern.table());
      if (resolved.size() > 1 && !range.isWhole()) {
        throw new RangeException(
            pattern.table()
                + " is published by its partitions; give the range of one of them, such as "
                + resolved.get(0));
      }
      return resolved;
    }
    List<TableId> matching = new ArrayList<>();
    for (TableId table : route.all()) {
      if (pattern.matches(table)) {
        matching.add(table);
      }
    }
    if (matching.isEmpty()) {
      throw new RangeException("no table of the source matches " + pattern.text());
    }
    return matching;
  }

  private static Optional<Route.Excluded> excluded(TableId table, Route route, TableFilter filter) {
    // What the source does not have under that name is said where it is looked for.
    if (route.tables().containsKey(table) && !filter.accepts(table)) {
      return Optional.of(
          new Route.Excluded(
              "excluded_by_filter",
              "the include and exclude lists of the configuration leave it out"));
    }
    return route.excluded(table);
  }

  private static RangeResult skipped(Claim claim, Route.Excluded why) {
    return RangeResult.unread(
        claim,
        RangeOutcome.SKIPPED,
        Optional.of(why.reason()),
        Optional.of(why.detail()),
        Duration.ZERO);
  }
}
