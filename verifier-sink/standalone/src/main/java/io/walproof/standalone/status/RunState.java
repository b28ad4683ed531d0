package io.walproof.standalone.status;

import com.fasterxml.jackson.databind.JsonNode;
import io.walproof.contract.RowKey;
import io.walproof.contract.TableId;
import io.walproof.standalone.settings.StatusLimits;
import io.walproof.verifier.audit.AuditRecord;
import io.walproof.verifier.audit.AuditSummary.Figures;
import io.walproof.verifier.audit.RunTally;
import io.walproof.verifier.model.Coverage;
import io.walproof.verifier.model.IncompleteReason;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** What one run's records say. Owned by one thread. */
final class RunState {

  private final RunTally tally;
  private final StatusLimits limits;
  private final OpenTables failures;

  /** Checks without a judgement that nothing repeats by itself. */
  private final OpenTables unjudged;

  private final Map<TableId, Deque<Failure>> notJudged = new TreeMap<>();
  private final WrongFor wrongFor;
  private Optional<JsonNode> start = Optional.empty();
  private final Map<TableId, Confirmed> confirmed = new TreeMap<>();
  private Optional<String> rangesGivenUp = Optional.empty();
  private Instant startedAt;
  private Instant lastAt;
  private Optional<Instant> countedAt = Optional.empty();

  /** A boundary that replay was confirmed past. */
  record Confirmed(String lsn, Instant at) {}

  RunState(RunTally tally, AuditRecord first, StatusLimits limits) {
    this.tally = tally;
    this.limits = limits;
    this.failures = new OpenTables(limits.failuresPerTable(), limits.failures());
    this.unjudged = new OpenTables(limits.failuresPerTable(), limits.failures());
    this.wrongFor = new WrongFor(limits.measured());
    this.startedAt = first.at();
    this.lastAt = first.at();
  }

  void add(AuditRecord record) {
    tally.add(record);
    startedAt = record.at().isBefore(startedAt) ? record.at() : startedAt;
    lastAt = record.at().isAfter(lastAt) ? record.at() : lastAt;
    switch (record.type()) {
      case RUN_START -> start = Optional.of(record.json());
      case OBSERVATION -> wrongFor.seen(record.table().orElseThrow(), row(record), record.at());
      case DECISION -> decision(record);
      case SUMMARY, RUN_END -> countedAt = Optional.of(record.at());
      case RANGE_START -> ofAllTables(record, Optional.empty());
      case RANGE_END -> ofAllTables(record, Optional.of(record.json().path("detail").asText()));
      case DRIFT, TORN_LINE -> {}
    }
  }

  private void ofAllTables(AuditRecord record, Optional<String> why) {
    if (record.table().isEmpty()) {
      rangesGivenUp = why;
    }
  }

  private void decision(AuditRecord record) {
    String outcome = record.outcome().orElse("unknown");
    TableId table = record.table().orElseThrow();
    wrongFor.ended(row(record), record.at(), outcome.equals("converged"));
    if (outcome.startsWith("unresolved")) {
      failures.opened(Failure.of(record));
    } else if (outcome.equals("incomplete")) {
      if (!isRepeated(record)) {
        unjudged.opened(Failure.of(record));
      }
      Deque<Failure> some = notJudged.computeIfAbsent(table, any -> new ArrayDeque<>());
      some.addFirst(Failure.of(record));
      if (some.size() > limits.notJudgedPerTable()) {
        some.removeLast();
      }
    }
    boolean passed = record.json().path("boundary").isTextual() && !outcome.equals("incomplete");
    if (passed) {
      confirmed.merge(
          table,
          new Confirmed(record.json().path("boundary").asText(), record.at()),
          (known, fresh) -> known.at().isAfter(fresh.at()) ? known : fresh);
    }
  }

  /** Whether the check is made again without anybody's doing; not if a newer build's word. */
  private static boolean isRepeated(AuditRecord decision) {
    return decision.reason().flatMap(IncompleteReason::of).stream()
        .anyMatch(IncompleteReason::isRepeated);
  }

  /** A decision, by this run or another, is the next word on its key; before it is added here. */
  void closedBy(AuditRecord decision) {
    String outcome = decision.outcome().orElse("unknown");
    TableId table = decision.table().orElseThrow();
    RowKey key = decision.key().orElseThrow();
    if (outcome.equals("converged") || outcome.startsWith("unresolved")) {
      failures.closed(table, key, decision.at());
    }
    if (!outcome.equals("incomplete") || !isRepeated(decision)) {
      unjudged.closed(table, key, decision.at());
    }
  }

  /** The whole table was proved by a check that began then, by this run or a later one. */
  void proved(TableId table, Instant began) {
    failures.proved(table, began);
    unjudged.proved(table, began);
  }

  /**
   * The counts by table: the run's own last ones, moved on by the decisions recorded since, so that
   * they still add up.
   *
   * @param figures the decisions by table
   */
  Map<TableId, Coverage> coverage(Map<TableId, Figures> figures) {
    Map<TableId, Coverage> reported = tally.reportedTables();
    TreeSet<TableId> tables = new TreeSet<>(figures.keySet());
    tables.addAll(reported.keySet());
    Map<TableId, Coverage> now = new TreeMap<>();
    for (TableId table : tables) {
      Coverage last = reported.getOrDefault(table, new Coverage(0, 0, 0, Map.of(), 0, Map.of()));
      Map<String, Long> outcomes = new TreeMap<>();
      if (figures.containsKey(table)) {
        outcomes.putAll(figures.get(table).outcomes());
      }
      long matched = last.outcomes().getOrDefault("matched", 0L);
      if (matched > 0) {
        outcomes.put("matched", matched);
      }
      long checked = outcomes.values().stream().mapToLong(Long::longValue).sum();
      long pending = Math.max(0, last.pending() - Math.max(0, checked - last.checked()));
      long skipped = last.skipped().values().stream().mapToLong(Long::longValue).sum();
      now.put(
          table,
          new Coverage(
              checked + last.coalesced() + skipped + pending,
              checked,
              last.coalesced(),
              last.skipped(),
              pending,
              outcomes));
    }
    return now;
  }

  /** Tables that were checked, of which the run's writer, an older one, does not say how. */
  Set<TableId> columnsUnknown() {
    if (start.filter(json -> json.path("source").isObject()).isPresent()) {
      // It would have said so: what it did not read by key, range checks answer for.
      return Set.of();
    }
    Set<TableId> unknown = new TreeSet<>();
    tally
        .reportedTables()
        .forEach(
            (table, counts) -> {
              if (counts.checked() > 0) {
                unknown.add(table);
              }
            });
    unknown.removeAll(tally.columnsLeftOut().keySet());
    return unknown;
  }

  private static String row(AuditRecord record) {
    return record.json().path("table") + " " + record.json().path("key");
  }

  RunTally tally() {
    return tally;
  }

  /** Confirmed failures that nothing is known to have mended. */
  OpenTables failures() {
    return failures;
  }

  /** Checks without a judgement that nothing has made up for, or will by itself. */
  OpenTables unjudged() {
    return unjudged;
  }

  List<Failure> notJudged() {
    List<Failure> all = new ArrayList<>();
    notJudged.values().forEach(all::addAll);
    return all;
  }

  WrongFor wrongFor() {
    return wrongFor;
  }

  Optional<JsonNode> start() {
    return start;
  }

  /** The last boundary that replay was confirmed past, of each table whose keys waited for one. */
  Map<TableId, Confirmed> confirmed() {
    return confirmed;
  }

  /** Why the run looked at no table when all of them were to be checked; empty once it did. */
  Optional<String> rangesGivenUp() {
    return rangesGivenUp;
  }

  Instant startedAt() {
    return startedAt;
  }

  Instant lastAt() {
    return lastAt;
  }

  /** Whether it has written nothing for so long that it counts as gone. */
  boolean isSilent(Instant now) {
    return Duration.between(lastAt, now).compareTo(limits.silentAfter()) > 0;
  }

  Optional<Instant> countedAt() {
    return countedAt;
  }
}
