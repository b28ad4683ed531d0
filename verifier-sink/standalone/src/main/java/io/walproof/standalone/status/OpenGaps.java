package io.walproof.standalone.status;

import io.walproof.contract.TableId;
import io.walproof.standalone.timeline.DriftEntry;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Gaps that nothing has made up for. Nobody knows which keys changed in one, so that no decision
 * closes it: one of a table is closed by a range check that proved the whole table and began later,
 * one of the whole stream once that was done for every table that the records name and that is
 * still there. No proof closes a gap that goes on: of a table that the publication has left, or
 * does not send all changes of. Bounded; what is beyond is counted as of the whole stream. Owned by
 * one thread.
 */
final class OpenGaps {

  /** Without one of these a row may be wrong on the target and nothing says so. */
  private static final List<String> OPERATIONS = List.of("insert", "update", "delete");

  private final int most;
  private final Deque<Gap> open = new ArrayDeque<>();
  private final Set<TableId> named = new HashSet<>();

  /** Tables that the publication does not carry now, as far as was told. */
  private final Set<TableId> out = new HashSet<>();

  /** Whether the publication leaves out some kind of change of all of them. */
  private boolean partly;

  /** Several that there was no room for, as one of the whole stream. */
  private Gap beyond;

  private static final class Gap {
    private final Optional<DriftEntry> told;

    /** Empty where nobody knows when it was recorded: no proof is known to be later. */
    private Optional<Instant> at;

    private long gaps = 1;
    private final Set<TableId> proved = new HashSet<>();

    Gap(Optional<DriftEntry> told, Optional<Instant> at) {
      this.told = told;
      this.at = at;
    }

    Optional<TableId> table() {
      return told.flatMap(DriftEntry::table);
    }

    boolean concerns(TableId other) {
      return table().map(other::equals).orElse(!proved.contains(other));
    }
  }

  OpenGaps(int most) {
    this.most = most;
  }

  /** A record names this table. */
  void named(TableId table) {
    named.add(table);
  }

  /** An event of the catalog says what the publication carries, or that a table is no more. */
  void changed(DriftEntry event) {
    for (DriftEntry.Change change : event.changes()) {
      switch (change.what()) {
        case "table" ->
            event.table().filter(gone -> !change.after().equals("exists")).ifPresent(named::remove);
        case "published" -> {
          if (change.after().startsWith("not ")) {
            event.table().ifPresent(out::add);
          } else {
            event.table().ifPresent(out::remove);
          }
        }
        case "published_operations" ->
            partly = !OPERATIONS.stream().allMatch(change.after()::contains);
        default -> {}
      }
    }
  }

  /**
   * A gap was told; one that is told again is the same, and as new as its last telling.
   *
   * @param at when it was recorded, empty where nobody knows
   */
  void told(DriftEntry gap, Optional<Instant> at) {
    Optional<Instant> when = at;
    for (Gap known : open) {
      if (known.told.orElseThrow().isSameGap(gap)) {
        open.remove(known);
        when = latest(known.at, at);
        break;
      }
    }
    open.addLast(new Gap(Optional.of(gap), when));
    if (open.size() > most) {
      letGo(open.removeFirst());
    }
  }

  private static Optional<Instant> latest(Optional<Instant> one, Optional<Instant> other) {
    if (one.isEmpty() || other.isEmpty()) {
      return one.or(() -> other);
    }
    return one.get().isAfter(other.get()) ? one : other;
  }

  private void letGo(Gap gap) {
    if (beyond == null) {
      beyond = new Gap(Optional.empty(), gap.at);
    } else {
      beyond.gaps++;
      beyond.at =
          beyond.at.isEmpty() || gap.at.isEmpty() ? Optional.empty() : latest(beyond.at, gap.at);
    }
    beyond.proved.clear();
  }

  /** A range check that began then has proved the whole table. */
  void proved(TableId table, Instant began) {
    open.removeIf(gap -> isClosed(gap, table, began));
    if (beyond != null && isClosed(beyond, table, began)) {
      beyond = null;
    }
  }

  private boolean isClosed(Gap gap, TableId table, Instant began) {
    if (gap.at.filter(began::isAfter).isEmpty() || partly || out.contains(table)) {
      return false;
    }
    if (gap.table().isPresent()) {
      return gap.table().get().equals(table);
    }
    gap.proved.add(table);
    return out.isEmpty() && gap.proved.containsAll(named);
  }

  /** How many are open. */
  long count() {
    return open.size() + (beyond == null ? 0 : beyond.gaps);
  }

  /** Whether one is open in which this table's changes may have been lost. */
  boolean concern(TableId table) {
    return open.stream().anyMatch(gap -> gap.concerns(table))
        || (beyond != null && beyond.concerns(table));
  }
}
