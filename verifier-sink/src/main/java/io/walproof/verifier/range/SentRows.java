package io.walproof.verifier.range;

import io.walproof.verifier.range.Route.Excluded;
import io.walproof.verifier.range.Route.Published;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Which rows of a table the target should have, by the publications that carry it. PostgreSQL
 * combines the row filters of one subscription's publications by kind of change: a row is sent if
 * it meets the filter of any publication that sends such changes, or if one of these has none. The
 * first copy takes what any publication lets through. Only where all that comes to the same does it
 * follow which rows there should be. Pure.
 */
final class SentRows {

  private static final Excluded ROW_FILTER =
      new Excluded(
          Excluded.ROW_FILTER,
          "a row filter of its publications keeps rows from being sent, and not the same ones for"
              + " inserts, updates, deletes and the first copy: which rows the target should have"
              + " does not follow from it");

  private static final Excluded SEVERAL_SUBSCRIPTIONS =
      new Excluded(
          Excluded.ROW_FILTER,
          "several subscriptions carry it, and one of them with a row filter, so that one may"
              + " delete what another brings: which rows the target should have does not follow from"
              + " that; verify.replay.subscription names the one that counts");

  private static final Excluded CONNECTORS_FILTER =
      new Excluded(
          Excluded.ROW_FILTER,
          "a row filter of the pipeline's publications keeps changes of rows from being sent, while"
              + " a connector's snapshot copies all rows: which rows the target should have does"
              + " not follow from it");

  private static final Excluded CHANGES_NOT_SENT =
      new Excluded(
          Excluded.CHANGES_NOT_SENT,
          "its publications do not send both inserts and updates, so that a row may be missing or"
              + " old on the target without a fault; publish both to have it checked");

  private SentRows() {}

  /**
   * How one publication sends the table.
   *
   * @param columns its column list; empty for all columns
   * @param filter its row filter; empty for all rows
   * @param inserts whether it sends inserts
   * @param updates whether it sends updates
   * @param deletes whether it sends deletes
   */
  record Publication(
      Optional<Set<String>> columns,
      Optional<String> filter,
      boolean inserts,
      boolean updates,
      boolean deletes) {}

  /**
   * Of the publications that a connector reads. It copies rows without regard to their filters, so
   * that the target may rightly have what they keep back.
   */
  static Published ofConnector(List<Publication> together) {
    Published published = of(together);
    return published.condition().isEmpty()
        ? published
        : new Published(published.columns(), Optional.empty(), Optional.of(CONNECTORS_FILTER));
  }

  /** Of the publications of one subscription that carry the table, at least one. */
  static Published of(List<Publication> together) {
    Optional<Set<String>> columns =
        together.stream().map(Publication::columns).reduce(SentRows::either).orElseThrow();
    Optional<Set<String>> copied = filters(together, any -> true);
    Optional<Set<String>> inserted = filters(together, Publication::inserts);
    Optional<Set<String>> updated = filters(together, Publication::updates);
    // A delete that is not sent leaves a row on the target alone, which is not judged.
    if (inserted.isEmpty() && updated.isEmpty()) {
      return new Published(columns, Optional.empty(), Optional.empty());
    }
    boolean filtered = together.stream().anyMatch(each -> each.filter().isPresent());
    boolean same =
        inserted.equals(copied)
            && updated.equals(copied)
            && filters(together, Publication::deletes).equals(copied);
    return same
        ? new Published(columns, copied.map(SentRows::any), Optional.empty())
        : new Published(
            columns, Optional.empty(), Optional.of(filtered ? ROW_FILTER : CHANGES_NOT_SENT));
  }

  /** The filters of those that count; empty if one lets all rows through. */
  private static Optional<Set<String>> filters(
      List<Publication> publications, Predicate<Publication> counts) {
    Set<String> filters = new TreeSet<>();
    for (Publication each : publications) {
      if (counts.test(each)) {
        if (each.filter().isEmpty()) {
          return Optional.empty();
        }
        filters.add(each.filter().get());
      }
    }
    return Optional.of(filters);
  }

  private static String any(Set<String> filters) {
    return filters.stream()
        .map(filter -> '(' + filter + ')')
        .collect(Collectors.joining(" OR ", "(", ")"));
  }

  /** Of a table that two subscriptions carry: each applies its own stream. */
  static Published ofBoth(Published one, Published other) {
    boolean filtered = one.condition().isPresent() || other.condition().isPresent();
    return new Published(
        either(one.columns(), other.columns()),
        Optional.empty(),
        one.excluded()
            .or(other::excluded)
            .or(() -> filtered ? Optional.of(SEVERAL_SUBSCRIPTIONS) : Optional.empty()));
  }

  private static Optional<Set<String>> either(
      Optional<Set<String>> one, Optional<Set<String>> other) {
    if (one.isEmpty() || other.isEmpty()) {
      return Optional.empty();
    }
    Set<String> both = new HashSet<>(one.get());
    both.addAll(other.get());
    return Optional.of(both);
  }
}
