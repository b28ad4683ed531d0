package io.walproof.standalone.bench;

import io.walproof.standalone.demo.DemoWorkload;
import io.walproof.verifier.audit.AuditRecord;
import io.walproof.verifier.audit.AuditType;
import io.walproof.verifier.model.IncompleteReason;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Holds an audit against the faults that were injected. Each fault concerns an order of its own; a
 * failure of anything else is false, and so is one of another kind, one from before the fault, and
 * one that is still told a while after the row was mended. Not thread-safe.
 */
final class SoakJudge {

  /** What was read of a row before it was mended is decided within this. */
  private static final Duration AFTERMATH = Duration.ofMinutes(2);

  private static final Set<String> EXPLAINED =
      Set.of(IncompleteReason.SOURCE_UNSTABLE.text(), IncompleteReason.CANCELLED.text());

  private record Injected(SoakFault fault, Instant at) {}

  /**
   * A fault that has its verdict.
   *
   * @param order the order
   * @param fault what was injected
   * @param after from the fault to the verdict's record
   */
  record Found(long order, SoakFault fault, Duration after) {}

  private final Map<Long, Injected> open = new HashMap<>();

  /** Until when a failure of an order is no false one, by order. */
  private final Map<Long, Instant> excusedUntil = new HashMap<>();

  private final Map<Long, SoakFault> ever = new HashMap<>();
  private final List<Found> found = new ArrayList<>();
  private final List<String> wrong = new ArrayList<>();
  private final List<String> unjudged = new ArrayList<>();
  private final List<Long> moved = new ArrayList<>();
  private long injected;

  /** From now on this order is wrong on the target. */
  void injected(long order, SoakFault fault, Instant at) {
    injected++;
    ever.put(order, fault);
    excusedUntil.remove(order);
    open.put(order, new Injected(fault, at));
  }

  /** The order is right again, or gone on both sides. */
  void mended(long order, Instant at) {
    excusedUntil.put(order, at.plus(AFTERMATH));
  }

  /** Takes the audit's next record; gives the faults that it finds, which is at most one. */
  List<Found> accept(AuditRecord record) {
    if (record.type() == AuditType.DRIFT
        && !record.json().path("kind").asText().equals("initial")) {
      wrong.add("drift: " + record.text());
    }
    return record.type() == AuditType.DECISION ? decided(record) : List.of();
  }

  private List<Found> decided(AuditRecord record) {
    String outcome = record.outcome().orElseThrow();
    long order = order(record);
    if (outcome.equals("incomplete")) {
      if (!EXPLAINED.contains(record.reason().orElseThrow())) {
        unjudged.add(record.text());
      }
      return List.of();
    }
    if (outcome.equals("advanced") && open.containsKey(order)) {
      // The applier was late and moved the row meanwhile: it is not accused, as documented.
      moved.add(order);
    }
    if (!outcome.startsWith("unresolved")) {
      return List.of();
    }
    Injected fault = open.get(order);
    if (fault != null && !record.at().isBefore(fault.at()) && isRight(fault.fault(), outcome)) {
      open.remove(order);
      Found now = new Found(order, fault.fault(), Duration.between(fault.at(), record.at()));
      found.add(now);
      return List.of(now);
    }
    if (!isExcused(order, outcome, record.at())) {
      wrong.add(record.text());
    }
    return List.of();
  }

  /** Told once more; of a row that is being mended, which is a change of its own, in any words. */
  private boolean isExcused(long order, String outcome, Instant at) {
    SoakFault known = ever.get(order);
    Instant until = excusedUntil.get(order);
    return known != null && (until == null ? isRight(known, outcome) : !at.isAfter(until));
  }

  private static boolean isRight(SoakFault fault, String outcome) {
    return fault.outcome().equals(outcome);
  }

  /** The order that a decision is about; below those that are injected if it is about another. */
  private static long order(AuditRecord record) {
    boolean orders = record.table().orElseThrow().name().equals("orders");
    long id = orders ? record.json().path("key").path("id").asLong() : 0;
    return id >= DemoWorkload.RESERVED_IDS ? id : 0;
  }

  /**
   * Orders whose fault was excused as movement since the last call: they must be looked at again.
   */
  List<Long> takeMoved() {
    List<Long> taken = List.copyOf(moved);
    moved.clear();
    return taken;
  }

  long injected() {
    return injected;
  }

  /** Faults that have their verdict, in the verdicts' order. */
  List<Found> found() {
    return List.copyOf(found);
  }

  /** Faults without a verdict so far, by order. */
  Map<Long, SoakFault> missing() {
    Map<Long, SoakFault> missing = new HashMap<>();
    open.forEach((order, fault) -> missing.put(order, fault.fault()));
    return missing;
  }

  /** Records that tell what is not so. */
  List<String> wrong() {
    return List.copyOf(wrong);
  }

  /** Decisions that leave a key unjudged for a reason that the load does not explain. */
  List<String> unjudged() {
    return List.copyOf(unjudged);
  }
}
