package io.walproof.verifier.connect;

import io.walproof.contract.ChangedKey;
import io.walproof.contract.DriftEvent;
import io.walproof.contract.Lsn;
import io.walproof.contract.ShapeHash;
import io.walproof.contract.TableId;
import io.walproof.verifier.connect.decode.Decoded;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What one partition holds of diverted tables, and what to do with each of its records.
 *
 * <p>The source connector writes a table's diverted records between two drift events: one that
 * began the diversion, and one that ended it because the shape was accepted. Until the second is
 * met, the keys in between are set aside. Then the partition is read once more from the first on,
 * and that table's keys are checked; other tables' records are passed over, as they were taken
 * before. The topic keeps the keys, so nothing of them is kept here.
 *
 * <p>While any table waits, the partition's offset stays before the oldest record that waits, so
 * that a restart meets them all again ({@link #isHeld()}). If the oldest one is gone by the time
 * that it is wanted, or was never met, the topic has lost keys that nobody checked, and that is
 * told ({@link #takeLoss}). It is also told where an operator withdrew an acceptance before the
 * source connector had made it durable: keys then follow an acceptance without a beginning. And
 * where both connectors died between an acceptance and its durability, because it then comes once
 * more to a task that has never met the first.
 *
 * <p>A source connector whose offsets were reset knows of no diversion: it sees the table's first
 * shape once more, and nobody will accept what waits. That event ends the waiting too.
 *
 * <p>Pure. Confined to the task's thread. As many entries as there are tables.
 */
final class DivertedKeys {

  /** Batches that may have been fetched before the consumer was set back. */
  private static final int STALE_BATCHES = 2;

  /** What to do with a record. */
  enum Step {
    /** It has nothing to do with diverted tables. */
    TAKE,
    /** Its key is not to be checked yet. */
    SET_ASIDE,
    /** Its key was set aside and is to be checked now. */
    CHECK,
    /** It was dealt with before, or is an event. */
    PASS,
    /** It was fetched before the consumer is set back, and comes again. */
    DROP,
    /** The partition must be read again from {@link #from()} on. */
    READ_AGAIN
  }

  /** A table that waits. */
  private static final class Waiting {
    private final long first;

    /** Where in the stream the first lies. */
    private final Lsn since;

    /** Whether the first is the event that began the diversion, so that none is missing. */
    private final boolean begun;

    /** The shape before, if the first is that event. */
    private final Optional<ShapeHash> before;

    private long keys;

    Waiting(long first, DriftEvent event, boolean begun) {
      this.first = first;
      this.since = event.lsn();
      this.begun = begun;
      this.before = begun ? event.previous() : Optional.empty();
    }

    Waiting(long first, ChangedKey key) {
      this.first = first;
      this.since = key.lsn();
      this.begun = false;
      this.before = Optional.empty();
    }

    /**
     * Whether a first shape of the table is from before. LSNs alone do not tell: a transaction that
     * was open when it began may have written before it, and comes after it.
     */
    boolean comesAfter(DriftEvent first) {
      return !first.lsn().hasPassed(since) && (before.isEmpty() || before.equals(first.current()));
    }
  }

  /** A table whose records from one offset up to the accepting event's are read again. */
  private static final class Span {
    private final DriftEvent accepted;
    private final long from;
    private final long until;

    /** Keys that were set aside in it and are still to come. */
    private long keys;

    private long lastKey = -1;
    private boolean reached;
    private boolean headIsGone;
    private int staleBatches;
    private long lastStaleBatch = -1;

    Span(DriftEvent accepted, Waiting waited, long until) {
      this.accepted = accepted;
      this.from = waited.first;
      this.until = until;
      this.keys = waited.keys;
    }

    boolean isOf(Decoded decoded) {
      return decoded instanceof Decoded.Diverted diverted
          && accepted.table().equals(Optional.of(diverted.key().table()));
    }

    /** A key may be asked about more than once, while there is no room for it. */
    void met(long offset) {
      if (offset != lastKey) {
        lastKey = offset;
        keys--;
      }
    }
  }

  private final Map<TableId, Waiting> waiting = new HashMap<>();

  /** Tables whose acceptance was met, with the shape that was accepted last; it may come again. */
  private final Map<TableId, Optional<ShapeHash>> accepted = new HashMap<>();

  private Span again;
  private final Deque<DriftEvent> lost = new ArrayDeque<>();

  /**
   * What to do with a record.
   *
   * @param batch a number that is another one for each batch that was fetched
   */
  Step arrives(long offset, Decoded decoded, long batch) {
    if (again != null) {
      Optional<Step> step = stepOfSpan(offset, decoded, batch);
      if (step.isPresent()) {
        return step.get();
      }
    }
    if (decoded instanceof Decoded.Diverted diverted) {
      ChangedKey key = diverted.key();
      waiting.computeIfAbsent(key.table(), table -> new Waiting(offset, key)).keys++;
      return Step.SET_ASIDE;
    }
    if (decoded instanceof Decoded.Diversion diversion) {
      return event(offset, diversion.event(), diversion.begins());
    }
    return Step.TAKE;
  }

  /** Empty for a record behind the span that is read again. */
  private Optional<Step> stepOfSpan(long offset, Decoded decoded, long batch) {
    if (!again.reached && offset > again.until) {
      if (again.lastStaleBatch != batch) {
        again.lastStaleBatch = batch;
        again.staleBatches++;
      }
      if (again.staleBatches <= STALE_BATCHES) {
        return Optional.of(Step.DROP);
      }
    }
    again.headIsGone |= !again.reached && offset > again.from;
    again.reached = true;
    if (offset >= again.until) {
      boolean event = offset == again.until;
      if (again.headIsGone || again.keys > 0) {
        lost.add(again.accepted);
      }
      again = null;
      return event ? Optional.of(Step.PASS) : Optional.empty();
    }
    if (!again.isOf(decoded)) {
      return Optional.of(Step.PASS);
    }
    again.met(offset);
    return Optional.of(Step.CHECK);
  }

  private Step event(long offset, DriftEvent event, boolean begins) {
    if (event.table().isEmpty()) {
      return Step.PASS;
    }
    TableId table = event.table().get();
    if (event.kind() == DriftEvent.Kind.INITIAL) {
      return firstShape(offset, event, table);
    }
    if (event.kind() != DriftEvent.Kind.SHAPE_ACCEPTED) {
      waiting.putIfAbsent(table, new Waiting(offset, event, begins));
      return Step.PASS;
    }
    Waiting waited = waiting.remove(table);
    Optional<ShapeHash> before = accepted.put(table, event.current());
    if (waited == null) {
      if (!event.current().equals(before)) {
        lost.add(event);
      }
      return Step.PASS;
    }
    return release(offset, event, waited);
  }

  /**
   * One from before the diversion comes again with it after a crash, and ends nothing. The change
   * that began the diversion may itself be the first that is seen after a reset.
   */
  private Step firstShape(long offset, DriftEvent event, TableId table) {
    Waiting waited = waiting.get(table);
    if (waited == null || waited.comesAfter(event)) {
      return Step.PASS;
    }
    waiting.remove(table);
    return release(offset, event, waited);
  }

  private Step release(long offset, DriftEvent event, Waiting waited) {
    if (!waited.begun) {
      lost.add(event);
    }
    again = new Span(event, waited, offset);
    return Step.READ_AGAIN;
  }

  /** Where to read again from; empty if that is not asked for, or has begun. */
  OptionalLong from() {
    return again == null || again.reached ? OptionalLong.empty() : OptionalLong.of(again.from);
  }

  /** Whether the partition's offset must stay where it is. */
  boolean isHeld() {
    return again != null || !waiting.isEmpty();
  }

  /** Tables that wait to be accepted. */
  int tables() {
    return waiting.size();
  }

  /**
   * The acceptance of a table of which diverted keys are missing, so that they cannot be checked;
   * once for each. There may be several.
   */
  Optional<DriftEvent> takeLoss() {
    return Optional.ofNullable(lost.poll());
  }
}
