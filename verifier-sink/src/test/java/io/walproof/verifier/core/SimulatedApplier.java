package io.walproof.verifier.core;

import io.walproof.verifier.core.SimulatedDatabase.Change;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;

/**
 * A virtual applier: reads the virtual source's WAL in order and writes the target. Correct ones
 * differ in pace and batching; faulty ones do one named thing wrong now and then. The durable
 * position is what a replay confirmation may look at; a restart falls back to it.
 */
final class SimulatedApplier {

  /** How it goes about its work. */
  enum Behaviour {
    /** One transaction at a time, as soon as it can. */
    PROMPT(false),
    /** Seldom, and then what has come together. */
    SLOW(false),
    /** Several source transactions in one target transaction, last version of a row wins. */
    BATCHING(false),
    /** Works for a while, stands for a while. */
    PAUSING(false),
    /** Restarts from its durable position and applies some transactions twice. */
    RESTARTING(false),
    /** Works until it stops for good; applies nothing wrongly. */
    STOPS(false),
    LOSES_UPDATES(true),
    LOSES_INSERTS(true),
    LOSES_DELETES(true),
    WRITES_THE_WRONG_ROW(true),
    WRITES_A_STALE_VERSION(true),
    SKIPS_TRANSACTIONS(true),
    /** Goes on behind transactions that it never applied. */
    JUMPS_AHEAD(true),
    SWAPS_COLUMNS(true),
    TRUNCATES_VALUES(true),
    /** The first part of a transaction only. */
    APPLIES_PARTIALLY(true);

    private final boolean faulty;

    Behaviour(boolean faulty) {
      this.faulty = faulty;
    }

    boolean faulty() {
      return faulty;
    }
  }

  /**
   * What one step wrote.
   *
   * @param keys rows of the target that were written
   * @param stray those of them that the source did not change then
   */
  record Applied(Set<Integer> keys, Set<Integer> stray) {
    private static final Applied NOTHING = new Applied(Set.of(), Set.of());
  }

  private final Behaviour behaviour;
  private final SimulatedDatabase source;
  private final SimulatedDatabase target;
  private final Random random;
  private int applied;
  private int durable;
  private int pause;
  private boolean stopped;
  private final Set<Integer> stray = new TreeSet<>();

  SimulatedApplier(
      Behaviour behaviour, SimulatedDatabase source, SimulatedDatabase target, Random random) {
    this.behaviour = behaviour;
    this.source = source;
    this.target = target;
    this.random = random;
    // Some never start.
    this.stopped = behaviour == Behaviour.STOPS && random.nextInt(4) == 0;
  }

  /** The position that replay has durably passed: a count of source transactions. */
  int durable() {
    return durable;
  }

  /** The position that it is at. */
  int applied() {
    return applied;
  }

  boolean caughtUp() {
    return durable == source.transactions() || stopped;
  }

  Applied step() {
    stopped |= behaviour == Behaviour.STOPS && random.nextInt(40) == 0;
    if (stopped || pausing() || (behaviour == Behaviour.SLOW && random.nextInt(4) != 0)) {
      return Applied.NOTHING;
    }
    if (behaviour == Behaviour.RESTARTING && random.nextInt(8) == 0) {
      applied = durable;
    }
    int behind = source.transactions() - applied;
    Applied written = Applied.NOTHING;
    if (behind > 0) {
      int count = batches() ? 1 + random.nextInt(Math.min(5, behind)) : 1;
      if (!skips()) {
        written = apply(count);
      }
      applied += count;
    }
    if (behaviour != Behaviour.RESTARTING || random.nextInt(3) == 0) {
      durable = applied;
    }
    return written;
  }

  private boolean pausing() {
    if (behaviour == Behaviour.PAUSING && pause == 0 && random.nextInt(10) == 0) {
      pause = random.nextInt(25);
    }
    pause = Math.max(0, pause - 1);
    return pause > 0;
  }

  private boolean batches() {
    return behaviour == Behaviour.BATCHING
        || behaviour == Behaviour.SLOW
        || behaviour == Behaviour.JUMPS_AHEAD
        || behaviour == Behaviour.LOSES_DELETES;
  }

  private boolean skips() {
    return (behaviour == Behaviour.SKIPS_TRANSACTIONS || behaviour == Behaviour.JUMPS_AHEAD)
        && random.nextInt(4) == 0;
  }

  private Applied apply(int count) {
    Map<Integer, Change> last = new LinkedHashMap<>();
    for (int i = applied; i < applied + count; i++) {
      source.transaction(i).forEach(change -> last.put(change.key(), change));
    }
    stray.clear();
    List<Change> written = new ArrayList<>();
    for (Change change : partOf(List.copyOf(last.values()))) {
      Change wrong = distort(change);
      if (wrong != null) {
        written.add(wrong);
      }
    }
    target.commit(written);
    return new Applied(target.reveal(target.transactions()), Set.copyOf(stray));
  }

  private List<Change> partOf(List<Change> changes) {
    return behaviour == Behaviour.APPLIES_PARTIALLY && isNow()
        ? changes.subList(0, random.nextInt(changes.size()))
        : changes;
  }

  private boolean isNow() {
    return random.nextInt(4) == 0;
  }

  /** The change as this applier gets it wrong; null where it loses it. */
  private Change distort(Change change) {
    if (!behaviour.faulty() || !isNow()) {
      return change;
    }
    boolean held = target.holds(change.key());
    return switch (behaviour) {
      case LOSES_UPDATES -> held && !change.delete() ? null : change;
      case LOSES_INSERTS -> held ? change : null;
      case LOSES_DELETES -> change.delete() ? null : change;
      case WRITES_THE_WRONG_ROW -> elsewhere(change);
      case WRITES_A_STALE_VERSION -> stale(change);
      case SWAPS_COLUMNS ->
          changed(
              change,
              SimulatedDatabase.right(change.value()),
              SimulatedDatabase.left(change.value()));
      case TRUNCATES_VALUES ->
          changed(
              change,
              SimulatedDatabase.left(change.value()),
              SimulatedDatabase.right(change.value()) / 10);
      case PROMPT,
          SLOW,
          BATCHING,
          PAUSING,
          RESTARTING,
          STOPS,
          SKIPS_TRANSACTIONS,
          JUMPS_AHEAD,
          APPLIES_PARTIALLY ->
          change;
    };
  }

  private static Change changed(Change change, int left, int right) {
    return new Change(change.key(), SimulatedDatabase.row(left, right), change.delete());
  }

  private Change elsewhere(Change change) {
    int key = (change.key() + 1) % source.keys();
    stray.add(key);
    return new Change(key, change.value(), change.delete());
  }

  private Change stale(Change change) {
    for (int i = applied - 1; i >= 0; i--) {
      for (Change earlier : source.transaction(i)) {
        if (earlier.key() == change.key() && !earlier.delete() && !change.delete()) {
          return earlier;
        }
      }
    }
    return change;
  }
}
