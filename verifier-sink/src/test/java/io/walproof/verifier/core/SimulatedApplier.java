package io.walproof.verifier.core;

import io.walproof.verifier.core.SimulatedDatabase.Change;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * A virtual applier: reads the virtual source's WAL in order and writes the target. Correct ones
 * differ in pace and batching; faulty ones do one named thing wrong now and then. The durable
 * position is what a replay confirmation may look at; a restart falls back to it.
 */
final class SimulatedApplier {

  /** How it goes about its work. */
  enum Behaviour {
    /** One transaction at a time. */
    CORRECT(false),
    /** Several source transactions in one target transaction, last version of a row wins. */
    BATCHING(false),
    /** Works for a while, stands for a while. */
    PAUSING(false),
    /** Restarts from its durable position and applies some transactions twice. */
    RESTARTING(false),
    /** Never applies anything. */
    STOPPED(false),
    LOSES_UPDATES(true),
    LOSES_INSERTS(true),
    WRITES_THE_WRONG_ROW(true),
    WRITES_A_STALE_VERSION(true),
    SKIPS_TRANSACTIONS(true),
    DAMAGES_VALUES(true),
    APPLIES_PARTIALLY(true);

    private final boolean faulty;

    Behaviour(boolean faulty) {
      this.faulty = faulty;
    }

    boolean faulty() {
      return faulty;
    }
  }

  private final Behaviour behaviour;
  private final SimulatedDatabase source;
  private final SimulatedDatabase target;
  private final Random random;
  private int applied;
  private int durable;
  private int pause;

  SimulatedApplier(
      Behaviour behaviour, SimulatedDatabase source, SimulatedDatabase target, Random random) {
    this.behaviour = behaviour;
    this.source = source;
    this.target = target;
    this.random = random;
  }

  /** The position that replay has durably passed: a count of source transactions. */
  int durable() {
    return durable;
  }

  boolean caughtUp() {
    return durable == source.transactions() || behaviour == Behaviour.STOPPED;
  }

  void step() {
    if (behaviour == Behaviour.STOPPED || pausing()) {
      return;
    }
    if (behaviour == Behaviour.RESTARTING && random.nextInt(8) == 0) {
      applied = durable;
    }
    int behind = source.transactions() - applied;
    if (behind > 0) {
      int count = behaviour == Behaviour.BATCHING ? 1 + random.nextInt(Math.min(5, behind)) : 1;
      if (behaviour != Behaviour.SKIPS_TRANSACTIONS || random.nextInt(4) != 0) {
        apply(count);
      }
      applied += count;
    }
    if (behaviour != Behaviour.RESTARTING || random.nextInt(3) == 0) {
      durable = applied;
    }
  }

  private boolean pausing() {
    if (behaviour == Behaviour.PAUSING && pause == 0 && random.nextInt(10) == 0) {
      pause = random.nextInt(25);
    }
    pause = Math.max(0, pause - 1);
    return pause > 0;
  }

  private void apply(int count) {
    Map<Integer, Change> last = new LinkedHashMap<>();
    for (int i = applied; i < applied + count; i++) {
      source.transaction(i).forEach(change -> last.put(change.key(), change));
    }
    target.commit(last.values().stream().map(this::distort).filter(c -> c != null).toList());
    target.reveal(target.transactions());
  }

  /** The change as this applier gets it wrong; null where it loses it. */
  private Change distort(Change change) {
    if (!behaviour.faulty() || random.nextInt(4) != 0) {
      return change;
    }
    return switch (behaviour) {
      case LOSES_UPDATES -> target.holds(change.key()) && !change.delete() ? null : change;
      case LOSES_INSERTS -> target.holds(change.key()) ? change : null;
      case WRITES_THE_WRONG_ROW ->
          new Change((change.key() + 1) % source.keys(), change.value(), change.delete());
      case WRITES_A_STALE_VERSION -> stale(change);
      case APPLIES_PARTIALLY -> null;
      case DAMAGES_VALUES -> new Change(change.key(), -1 - change.value(), change.delete());
      case CORRECT, BATCHING, PAUSING, RESTARTING, STOPPED, SKIPS_TRANSACTIONS -> change;
    };
  }

  private Change stale(Change change) {
    for (int i = applied - 1; i >= 0; i--) {
      for (Change earlier : List.copyOf(source.transaction(i))) {
        if (earlier.key() == change.key() && !earlier.delete() && !change.delete()) {
          return earlier;
        }
      }
    }
    return change;
  }
}
