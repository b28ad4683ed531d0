package io.walproof.standalone.repair;

import io.walproof.contract.TableId;
import io.walproof.verifier.range.Route;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * For which tables it follows from what the pipeline carries how their rows should be on the
 * target. Pure.
 *
 * @param route what the pipeline carries
 */
record RepairScope(Route route) {

  private static final String BY_HAND = "; repair it by hand";

  /** Why a table's rows are not repaired, if they are not. */
  Optional<String> refused(TableId table) {
    if (route.published().isEmpty() || route.published().get().containsKey(table)) {
      return route.excluded(table).map(why -> why.detail() + BY_HAND);
    }
    Optional<Set<TableId>> leaves = leaves(table);
    if (leaves.isEmpty()) {
      return Optional.empty();
    }
    Set<TableId> uncarried = new HashSet<>(leaves.get());
    for (Map.Entry<TableId, Route.Published> each : route.published().get().entrySet()) {
      Set<TableId> common = leaves(each.getKey()).orElse(Set.of());
      if (common.stream().anyMatch(leaves.get()::contains)) {
        if (!each.getValue().equals(Route.Published.WHOLE)) {
          return Optional.of(
              "its rows are published through "
                  + each.getKey()
                  + ", and not all of their rows, columns or changes"
                  + BY_HAND);
        }
        uncarried.removeAll(common);
      }
    }
    if (uncarried.equals(leaves.get())) {
      return route.excluded(table).map(why -> why.detail() + BY_HAND);
    }
    return uncarried.isEmpty()
        ? Optional.empty()
        : Optional.of("only some of its partitions are published" + BY_HAND);
  }

  /** Where a table's rows are stored; empty if the source has no such table. */
  private Optional<Set<TableId>> leaves(TableId table) {
    return Optional.ofNullable(route.tables().get(table))
        .map(known -> Set.copyOf(known.leaves().isEmpty() ? List.of(table) : known.leaves()));
  }
}
