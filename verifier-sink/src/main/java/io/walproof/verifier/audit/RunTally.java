package io.walproof.verifier.audit;

import com.fasterxml.jackson.databind.JsonNode;
import io.walproof.contract.TableId;
import io.walproof.verifier.model.Coverage;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.TreeSet;

/** Counts one run's records, or the sum of several. Owned by one thread. */
final class RunTally {

  private final Path file;
  private final String runId;
  private Instant startedAt;
  private Optional<Instant> endedAt = Optional.empty();
  private Optional<String> endReason = Optional.empty();
  private OptionalLong exitStatus = OptionalLong.empty();
  private long records;
  private final Counts total = new Counts();
  private final Map<TableId, Counts> tables = new TreeMap<>();
  private final Map<String, Long> drift = new TreeMap<>();
  private final Map<String, String> columnSettings = new TreeMap<>();
  private Optional<Coverage> reported = Optional.empty();
  private Map<TableId, Coverage> reportedTables = Map.of();
  private final List<String> disagreements = new ArrayList<>();

  RunTally(Path file, AuditRecord first) {
    this.file = file;
    this.runId = first.runId();
    this.startedAt = first.at();
  }

  String runId() {
    return runId;
  }

  void add(AuditRecord record) {
    records++;
    switch (record.type()) {
      case OBSERVATION, DECISION -> {
        reportedTables = Map.of();
        total.add(record);
        record.table().ifPresent(t -> tables.computeIfAbsent(t, any -> new Counts()).add(record));
      }
      case DRIFT -> increment(drift, record.json().path("kind").asText());
      case SUMMARY -> summary(record);
      case RUN_END -> end(record);
      case RUN_START -> columnSettings(record.json().path("scope"));
      case RANGE_START, RANGE_END, TORN_LINE -> {}
    }
  }

  private void columnSettings(JsonNode scope) {
    for (String key : AuditSummary.COLUMN_SETTINGS) {
      String text = scope.path(key).asText();
      if (!text.isBlank()) {
        columnSettings.put(key, text);
      }
    }
  }

  private void summary(AuditRecord record) {
    reported = Optional.of(coverage(record, record.json()));
    // One summary may be several records; what was counted since begins anew.
    reportedTables = new TreeMap<>(reportedTables);
    for (JsonNode table : record.json().path("tables")) {
      reportedTables.put(AuditRecord.tableOf(table.path("table")), coverage(record, table));
    }
  }

  private void end(AuditRecord record) {
    Coverage last = coverage(record, record.json());
    endedAt = Optional.of(record.at());
    endReason = record.reason();
    JsonNode status = record.json().path("exit_status");
    exitStatus = status.isInt() ? OptionalLong.of(status.longValue()) : OptionalLong.empty();
    compare("in total", last, total);
    // Counts by table are only in summaries; one right before the end must agree as well.
    reportedTables.forEach(
        (table, coverage) ->
            compare("for " + table, coverage, tables.getOrDefault(table, new Counts())));
    reported = Optional.of(last);
  }

  /** Matches leave no record, so they cannot be compared. */
  private void compare(String where, Coverage run, Counts counted) {
    TreeSet<String> outcomes = new TreeSet<>(run.outcomes().keySet());
    outcomes.addAll(counted.outcomes.keySet());
    outcomes.remove("matched");
    for (String outcome : outcomes) {
      long said = run.outcomes().getOrDefault(outcome, 0L);
      long found = counted.outcomes.getOrDefault(outcome, 0L);
      if (said != found) {
        disagreements.add(
            "run %s counted %d %s %s, the file has %d"
                .formatted(runId, said, outcome, where, found));
      }
    }
  }

  private Coverage coverage(AuditRecord record, JsonNode holder) {
    JsonNode json = holder.path("coverage");
    try {
      return new Coverage(
          json.path("observed").asLong(-1),
          json.path("checked").asLong(-1),
          json.path("coalesced").asLong(-1),
          counts(json.path("skipped")),
          json.path("pending").asLong(-1),
          counts(json.path("outcomes")));
    } catch (IllegalStateException e) {
      AuditDamagedException damaged =
          new AuditDamagedException(file, record.line(), "has counts that do not add up.");
      damaged.addSuppressed(e);
      throw damaged;
    }
  }

  private static Map<String, Long> counts(JsonNode json) {
    Map<String, Long> counts = new TreeMap<>();
    json.properties().forEach(field -> counts.put(field.getKey(), field.getValue().asLong()));
    return counts;
  }

  /** The later one's end, both ones' figures; either may be null. */
  static RunTally sum(RunTally earlier, RunTally later) {
    if (earlier == null || later == null) {
      return later == null ? earlier : later;
    }
    later.continueFrom(earlier);
    return later;
  }

  private void continueFrom(RunTally earlier) {
    startedAt = earlier.startedAt;
    records += earlier.records;
    total.add(earlier.total);
    earlier.tables.forEach((t, c) -> tables.computeIfAbsent(t, any -> new Counts()).add(c));
    addAll(drift, earlier.drift);
    disagreements.addAll(0, earlier.disagreements);
    if (earlier.reported.isPresent()) {
      reported =
          Optional.of(
              reported
                  .map(r -> Coverage.sum(List.of(earlier.reported.get(), r)))
                  .orElse(earlier.reported.get()));
    }
  }

  AuditSummary summary(List<String> runs) {
    Map<TableId, AuditSummary.Figures> byTable = new TreeMap<>();
    tables.forEach((table, counts) -> byTable.put(table, counts.figures()));
    return new AuditSummary(
        List.copyOf(runs),
        startedAt,
        endedAt,
        endReason,
        exitStatus,
        records,
        total.figures(),
        byTable,
        new TreeMap<>(drift),
        reported,
        Map.copyOf(columnSettings),
        List.copyOf(disagreements));
  }

  private static void increment(Map<String, Long> counts, String name) {
    counts.merge(name, 1L, Long::sum);
  }

  private static void addAll(Map<String, Long> to, Map<String, Long> from) {
    from.forEach((name, count) -> to.merge(name, count, Long::sum));
  }

  private static final class Counts {
    private long deferred;
    private final Map<String, Long> outcomes = new TreeMap<>();
    private final Map<String, Long> reasons = new TreeMap<>();

    void add(AuditRecord record) {
      if (record.type() == AuditType.OBSERVATION) {
        deferred++;
        return;
      }
      String outcome = record.outcome().orElse("unknown");
      increment(outcomes, outcome);
      if (outcome.equals("incomplete")) {
        increment(reasons, record.reason().orElse("unknown"));
      }
    }

    void add(Counts other) {
      deferred += other.deferred;
      addAll(outcomes, other.outcomes);
      addAll(reasons, other.reasons);
    }

    AuditSummary.Figures figures() {
      return new AuditSummary.Figures(deferred, new TreeMap<>(outcomes), new TreeMap<>(reasons));
    }
  }
}
