package io.walproof.standalone.demo;

import io.walproof.contract.DriftEvent;
import io.walproof.contract.RowKey;
import io.walproof.contract.TableId;
import io.walproof.contract.Time;
import io.walproof.verifier.model.AuditEntry;
import io.walproof.verifier.model.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Everything the audit received, in order, over all restarts of the demo. Thread-safe. */
final class Evidence {

  static final TableId ORDERS = new TableId("public", "orders");

  private final List<AuditEntry> entries = new ArrayList<>();
  private final Time time;

  Evidence(Time time) {
    this.time = time;
  }

  synchronized void add(List<AuditEntry> batch) {
    for (AuditEntry entry : batch) {
      if (!(entry instanceof AuditEntry.Summary)) {
        entries.add(entry);
      }
    }
    notifyAll();
  }

  /** How many entries there are, as a mark to look from. */
  synchronized int mark() {
    return entries.size();
  }

  synchronized List<AuditEntry.Decision> decisions(int from) {
    return since(from, AuditEntry.Decision.class);
  }

  synchronized List<DriftEvent> drift(int from) {
    return since(from, AuditEntry.Drift.class).stream()
        .map(AuditEntry.Drift::event)
        .filter(DriftEvent::isDrift)
        .toList();
  }

  /** The first decision of an order after the mark that did not merely end with the run. */
  synchronized Optional<AuditEntry.Decision> decision(int from, long order) {
    return decisions(from).stream()
        .filter(d -> isOrder(d.table(), d.key(), order))
        .filter(d -> !Verdicts.isCancelled(d.verdict()))
        .findFirst();
  }

  synchronized boolean observed(int from, long order) {
    return since(from, AuditEntry.Observation.class).stream()
        .anyMatch(o -> isOrder(o.table(), o.key(), order));
  }

  /** Waits until the condition gives a value; empty when time runs out. */
  synchronized <T> Optional<T> await(Duration atMost, Supplier<Optional<T>> condition)
      throws InterruptedException {
    long end = time.nanoTime() + atMost.toNanos();
    Optional<T> found = condition.get();
    while (found.isEmpty() && end - time.nanoTime() > 0) {
      time.waitOn(this, Duration.ofMillis(200));
      found = condition.get();
    }
    return found;
  }

  /** How many decisions are incomplete, by reason. */
  synchronized Map<String, Long> incompleteByReason() {
    return decisions(0).stream()
        .map(AuditEntry.Decision::verdict)
        .filter(Verdict.Incomplete.class::isInstance)
        .map(Verdict.Incomplete.class::cast)
        .collect(
            Collectors.groupingBy(
                incomplete -> incomplete.reason().text(), TreeMap::new, Collectors.counting()));
  }

  private <T extends AuditEntry> List<T> since(int from, Class<T> type) {
    return entries.subList(from, entries.size()).stream()
        .filter(type::isInstance)
        .map(type::cast)
        .toList();
  }

  private static boolean isOrder(TableId table, RowKey key, long order) {
    return table.equals(ORDERS) && key.texts().equals(List.of(Long.toString(order)));
  }

  /** Verdicts in words. */
  static final class Verdicts {
    private Verdicts() {}

    static boolean isCancelled(Verdict verdict) {
      return verdict instanceof Verdict.Incomplete incomplete
          && incomplete.reason() == io.walproof.verifier.model.IncompleteReason.CANCELLED;
    }

    static String inWords(Verdict verdict) {
      if (verdict instanceof Verdict.Unresolved unresolved) {
        return "unresolved: " + unresolved.kind().text();
      }
      if (verdict instanceof Verdict.Incomplete incomplete) {
        return "incomplete: " + incomplete.reason().text();
      }
      return verdict.outcome();
    }
  }
}
