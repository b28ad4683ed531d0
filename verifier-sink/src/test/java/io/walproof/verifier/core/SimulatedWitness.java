package io.walproof.verifier.core;

import io.walproof.contract.Operation;
import io.walproof.contract.RowKey;
import io.walproof.verifier.core.SimulatedApplier.Applied;
import io.walproof.verifier.core.SimulatedApplier.Behaviour;
import io.walproof.verifier.core.SimulatedDatabase.Change;
import io.walproof.verifier.model.AuditEntry;
import io.walproof.verifier.model.AuditEntry.Decision;
import io.walproof.verifier.model.AuditEntry.Observation;
import io.walproof.verifier.model.IncompleteReason;
import io.walproof.verifier.model.Side;
import io.walproof.verifier.model.Verdict;
import io.walproof.verifier.model.Verdict.Unresolved.Kind;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * Sees everything that happens in a simulated world and judges every decision by it, also by what
 * the code under test cannot know: both rows at each read, and what a correct applier would have
 * written. It goes by no evidence that the code recorded. Failures are {@link AssertionError}s.
 */
final class SimulatedWitness {

  /** A mismatch on hold: when each side was first read, and which transactions that read saw. */
  private record OnHold(long sourceAt, int seen, Optional<Long> source, long targetAt) {}

  /** One read of one row. */
  private record Reading(long at, Optional<Long> row, int seen) {}

  private static final int OBSERVED_ANEW = 3;

  private static final class Row {
    private long sourceCommitted;
    private long sourceVisible;
    private long targetWritten;
    private long stray;
    private Optional<Long> honest = Optional.empty();
    private boolean wrong;
    private Reading source = new Reading(0, Optional.empty(), 0);
    private Reading target = new Reading(0, Optional.empty(), 0);
    private Optional<Reading> firstOfRound = Optional.empty();
    private Optional<Long> targetAtRead = Optional.empty();
    private long targetWrittenAtRead;
    private Optional<Long> honestAtRead = Optional.empty();
    private int delivered = -1;
    private int shapeChanges;
    private final Deque<OnHold> onHold = new ArrayDeque<>();
    private final Set<Integer> unchecked = new TreeSet<>();
    private Optional<Verdict> last = Optional.empty();
  }

  private final Behaviour behaviour;
  private final boolean valuesRecur;
  private final SimulatedDatabase source;
  private final SimulatedDatabase target;
  private final SimulatedTally tally = new SimulatedTally();
  private final Row[] rows;
  private final Set<IncompleteReason> obstacles = EnumSet.noneOf(IncompleteReason.class);
  private long now;
  private int position;
  private long emitted;
  private long confirmed;

  SimulatedWitness(
      Behaviour behaviour,
      boolean valuesRecur,
      SimulatedDatabase source,
      SimulatedDatabase target) {
    this.behaviour = behaviour;
    this.valuesRecur = valuesRecur;
    this.source = source;
    this.target = target;
    this.rows = IntStream.range(0, source.keys()).mapToObj(i -> new Row()).toArray(Row[]::new);
  }

  SimulatedTally tally() {
    return tally;
  }

  /** The source committed its newest transaction. */
  void committed(List<Change> changes) {
    now++;
    changes.forEach(change -> rows[change.key()].sourceCommitted = now);
  }

  /** Queries see these rows of the source as they are now. */
  void visible(Set<Integer> keys) {
    now++;
    keys.forEach(key -> rows[key].sourceVisible = now);
  }

  /** The applier came to a position, and wrote that. */
  void applied(int to, Applied written) {
    now++;
    written.keys().forEach(key -> rows[key].targetWritten = now);
    written.stray().forEach(key -> rows[key].stray = now);
    for (; position < to; position++) {
      for (Change change : source.transaction(position)) {
        rows[change.key()].honest =
            change.delete() ? Optional.empty() : Optional.of(change.value());
      }
    }
    if (behaviour.faulty()) {
      for (int key = 0; key < rows.length; key++) {
        boolean wrong = !target.row(key).equals(rows[key].honest);
        tally.injected += wrong && !rows[key].wrong ? 1 : 0;
        rows[key].wrong = wrong;
      }
    }
  }

  /** The stream brought a change. */
  void delivered(int transaction, int key, Operation operation) {
    if (operation == Operation.DELETE) {
      // Nothing to judge any more.
      rows[key].unchecked.clear();
    } else if (transaction > rows[key].delivered) {
      // Whatever a check has covered once stays covered, also if it comes again.
      rows[key].delivered = transaction;
      rows[key].unchecked.add(transaction);
    }
  }

  /** A read succeeded. */
  void read(Side side, int key) {
    now++;
    Row row = rows[key];
    if (side == Side.SOURCE) {
      row.source = new Reading(now, source.row(key), source.revealed());
      if (row.firstOfRound.isEmpty()) {
        row.firstOfRound = Optional.of(row.source);
      }
      if (row.source.row().isEmpty()) {
        checkedThrough(row, source.revealed());
      }
    } else {
      row.target = new Reading(now, target.row(key), 0);
      row.targetAtRead = target.row(key);
      row.targetWrittenAtRead = row.targetWritten;
      row.honestAtRead = row.honest;
      if (row.target.row().equals(row.source.row())) {
        checkedThrough(row, row.source.seen());
      }
    }
  }

  private static void checkedThrough(Row row, int seen) {
    row.unchecked.removeIf(transaction -> transaction < seen);
  }

  /** Something kept the code under test from what it wanted to know. */
  void obstacle(IncompleteReason reason) {
    obstacles.add(reason);
  }

  /** A batch of first reads or a recheck round begins. */
  void begins() {
    obstacles.clear();
    emitted = 0;
    confirmed = 0;
    for (Row row : rows) {
      row.firstOfRound = Optional.empty();
    }
  }

  void boundaryEmitted() {
    emitted = ++now;
  }

  void boundaryConfirmed() {
    confirmed = ++now;
  }

  /** The process died. */
  void died() {
    for (Row row : rows) {
      row.onHold.clear();
    }
  }

  /** Evidence is durable. */
  void recorded(AuditEntry entry) {
    if (entry instanceof Observation observation) {
      Row row = row(observation.key());
      row.onHold.add(
          new OnHold(row.source.at(), row.source.seen(), row.source.row(), row.target.at()));
    } else if (entry instanceof Decision decision) {
      Row row = row(decision.key());
      if (decision.originalTarget().isPresent()) {
        require(!row.onHold.isEmpty(), decision, "a second recheck of one mismatch");
        decided(row, decision, row.onHold.remove());
      } else {
        requireObstacle(decision, (Verdict.Incomplete) decision.verdict());
        if (!isObservedAnew(row, decision)) {
          row.unchecked.clear();
        }
      }
      row.last = Optional.of(decision.verdict());
    }
  }

  /** What the table's change kept from being judged must be checked again, three times at most. */
  private static boolean isObservedAnew(Row row, Decision decision) {
    return decision.verdict().equals(new Verdict.Incomplete(IncompleteReason.SCHEMA_CHANGED))
        && ++row.shapeChanges <= OBSERVED_ANEW;
  }

  private void decided(Row row, Decision decision, OnHold held) {
    if (!isObservedAnew(row, decision)) {
      checkedThrough(row, held.seen());
    }
    tally.count(decision.verdict());
    if (decision.verdict() instanceof Verdict.Incomplete incomplete) {
      requireObstacle(decision, incomplete);
      return;
    }
    Reading before = row.firstOfRound.orElseThrow();
    require(decision.boundary().isPresent(), decision, "judged without a boundary");
    require(
        before.at() < emitted
            && emitted < confirmed
            && confirmed < row.target.at()
            && row.target.at() < row.source.at(),
        decision,
        "judged out of order: S1, boundary, confirmed, T, S2");
    require(held.targetAt() < before.at(), decision, "the recheck uses the first read");
    boolean stable = row.sourceCommitted <= row.sourceVisible && row.sourceVisible < before.at();
    boolean right = row.targetAtRead.equals(before.row());
    boolean moved = row.targetWrittenAtRead > held.targetAt();
    if (decision.verdict() instanceof Verdict.Converged) {
      require(
          right || wasCommittedSince(decision, before.seen(), row.targetAtRead),
          decision,
          "called equal, and is nothing that the source held since S1");
    }
    if (decision.verdict() instanceof Verdict.Unresolved unresolved) {
      requireGuilty(row, decision, unresolved.kind(), before, held);
    }
    if (stable) {
      settle(row, decision, right, moved);
    }
  }

  /** The source row was at rest: what must come out does not depend on luck. */
  private void settle(Row row, Decision decision, boolean right, boolean moved) {
    if (right) {
      require(decision.verdict() instanceof Verdict.Converged, decision, "is right and at rest");
    } else if (decision.verdict() instanceof Verdict.Unresolved) {
      tally.found++;
    } else {
      require(
          moved && decision.verdict() instanceof Verdict.Advanced,
          decision,
          "is wrong and at rest: " + row.targetAtRead);
      tally.excused++;
    }
  }

  private void requireGuilty(Row row, Decision decision, Kind kind, Reading before, OnHold held) {
    require(behaviour.faulty(), decision, "a correct applier is accused");
    require(
        valuesRecur || !row.targetAtRead.equals(row.honestAtRead),
        decision,
        "a row is accused that a correct applier could have left so");
    switch (kind) {
      case MISSING -> require(row.targetAtRead.isEmpty(), decision, "is there");
      case DIFFERENT -> require(row.targetAtRead.isPresent(), decision, "is not there");
      case STALE ->
          require(
              held.source().equals(row.targetAtRead)
                  || wasChangedBefore(decision, before.seen(), row.targetAtRead),
              decision,
              "called stale, and never was on the source");
      case TARGET_STALLED -> {}
    }
  }

  private boolean wasCommittedSince(Decision decision, int from, Optional<Long> wanted) {
    int key = id(decision.key());
    return IntStream.range(from, source.transactions())
        .mapToObj(i -> source.lastOf(key, i))
        .flatMap(Optional::stream)
        .anyMatch(change -> state(change).equals(wanted));
  }

  private boolean wasChangedBefore(Decision decision, int to, Optional<Long> wanted) {
    int key = id(decision.key());
    return wanted.isEmpty()
        || IntStream.range(0, to)
            .mapToObj(source::transaction)
            .flatMap(List::stream)
            .anyMatch(change -> change.key() == key && state(change).equals(wanted));
  }

  private static Optional<Long> state(Change change) {
    return change.delete() ? Optional.empty() : Optional.of(change.value());
  }

  private void requireObstacle(Decision decision, Verdict.Incomplete verdict) {
    require(
        obstacles.contains(verdict.reason())
            || verdict.reason() == IncompleteReason.SOURCE_UNSTABLE,
        decision,
        "left unjudged, though nothing stood in the way but " + obstacles);
  }

  /** The stream will not be asked again for transactions below this one. */
  void offsetCommitted(int transaction) {
    for (int key = 0; key < rows.length; key++) {
      for (int open : rows[key].unchecked) {
        if (open < transaction) {
          throw new AssertionError(
              "transaction "
                  + (open + 1)
                  + " of key "
                  + key
                  + " was never checked, and its offset"
                  + " is committed");
        }
      }
    }
  }

  /**
   * Nothing moves any more, and nothing is pending.
   *
   * @param hindered whether something may have kept keys from being judged
   */
  void ended(boolean hindered) {
    for (int key = 0; key < rows.length; key++) {
      Row row = rows[key];
      if (!row.onHold.isEmpty()) {
        throw new AssertionError("key " + key + " was put on hold and never rechecked");
      }
      if (target.row(key).equals(source.row(key))) {
        continue;
      }
      if (source.row(key).isEmpty()) {
        tally.onlyOnTarget++;
      } else if (row.stray > row.target.at() || hadTheSameBefore(row, key)) {
        tally.strayAfterwards++;
      } else if (row.last.filter(Verdict.Unresolved.class::isInstance).isPresent()) {
        tally.endedFound++;
      } else if (row.last.filter(Verdict.Advanced.class::isInstance).isPresent()) {
        tally.endedExcused++;
      } else if ((hindered || behaviour == Behaviour.STOPS)
          && row.last.filter(Verdict.Incomplete.class::isInstance).isPresent()) {
        tally.endedUnjudged++;
      } else {
        throw new AssertionError("key " + key + " ends wrong, and passed as " + row.last);
      }
    }
  }

  /** It was read right, with an older change that came to the same, and left that state later. */
  private boolean hadTheSameBefore(Row row, int key) {
    return valuesRecur
        && row.targetWritten > row.target.at()
        && row.target.row().equals(source.row(key));
  }

  private void require(boolean holds, Decision decision, String what) {
    if (!holds) {
      throw new AssertionError(what + ": " + decision);
    }
  }

  private Row row(RowKey key) {
    return rows[id(key)];
  }

  static int id(RowKey key) {
    return Integer.parseInt(key.texts().get(0));
  }
}
