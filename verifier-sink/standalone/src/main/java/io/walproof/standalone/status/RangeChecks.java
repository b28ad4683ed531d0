package io.walproof.standalone.status;

import io.walproof.contract.RowKey;
import io.walproof.contract.TableId;
import io.walproof.verifier.audit.AuditRecord;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The range checks that say something still: those that have not ended, and of each table the last
 * outcome of every part. An outcome stays until another one of the same part, or of the whole
 * table, settles it. Bounded. Owned by one thread.
 */
final class RangeChecks {

  private final int most;
  private final Map<Begun, RangeView> open = new LinkedHashMap<>();
  private final Map<Part, RangeView> ended = new LinkedHashMap<>();
  private long forgottenFailed;
  private long forgottenOpen;
  private long forgottenProved;

  /** A run checks a table once at a time. */
  private record Begun(TableId table, String runId) {}

  /** A failure stands beside an end that did not look at it. */
  private record Part(
      TableId table, Optional<RowKey> from, Optional<RowKey> to, boolean read, boolean failed) {
    static Part of(RangeView view) {
      return new Part(
          view.table(), view.from(), view.to(), view.read(), view.health() == Health.FAILING);
    }
  }

  RangeChecks(int most) {
    this.most = most;
  }

  void begins(AuditRecord start) {
    RangeView view = RangeView.begun(start);
    // What another run began and left is this one's to end now.
    open.values().removeIf(view::covers);
    open.put(new Begun(view.table(), view.runId()), view);
    evict();
  }

  /**
   * Takes an end, also one without a beginning: what could not be read at all has none.
   *
   * @return the check that ended
   */
  RangeView ends(AuditRecord end) {
    RangeView begun = open.remove(new Begun(end.table().orElseThrow(), end.runId()));
    RangeView view = begun == null ? RangeView.unread(end) : begun.ended(end);
    ended.values().removeIf(view::settles);
    ended.remove(Part.of(view));
    ended.put(Part.of(view), view);
    evict();
    return view;
  }

  /** Proved ones say the least, ones that are under way may still end. */
  private void evict() {
    while (open.size() + ended.size() > most) {
      Optional<RangeView> victim =
          oldest(ended.values(), view -> view.health() == Health.CLEAN)
              .or(() -> oldest(ended.values(), view -> view.health() != Health.FAILING))
              .or(() -> oldest(ended.values(), any -> true));
      RangeView view = victim.or(() -> oldest(open.values(), any -> true)).orElseThrow();
      if (victim.isPresent()) {
        ended.remove(Part.of(view));
      } else {
        open.remove(new Begun(view.table(), view.runId()));
      }
      forgottenFailed += view.health() == Health.FAILING ? 1 : 0;
      forgottenProved += view.health() == Health.CLEAN ? 1 : 0;
      forgottenOpen += view.health() == Health.FAILING || view.health() == Health.CLEAN ? 0 : 1;
    }
  }

  private static Optional<RangeView> oldest(
      Collection<RangeView> views, Predicate<RangeView> which) {
    return views.stream().filter(which).findFirst();
  }

  /**
   * All of them, the newest first.
   *
   * @param underWay whether the run with this id may still end what it began
   */
  List<RangeView> views(Predicate<String> underWay) {
    List<RangeView> all = new ArrayList<>(ended.values());
    open.values().forEach(view -> all.add(underWay.test(view.runId()) ? view : view.cutOff()));
    all.sort(Comparator.comparing(RangeView::startedAt, Comparator.<Instant>reverseOrder()));
    return List.copyOf(all);
  }

  /** Failed ones that there was no room for. */
  long forgottenFailed() {
    return forgottenFailed;
  }

  /** All that there was no room for, proved ones included. */
  long forgotten() {
    return forgottenFailed + forgottenOpen + forgottenProved;
  }

  /** Ones without a judgement that there was no room for. */
  long forgottenOpen() {
    return forgottenOpen;
  }
}
