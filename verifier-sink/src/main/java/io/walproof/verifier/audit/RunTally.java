package io.walproof.verifier.audit;

import com.fasterxml.jackson.databind.JsonNode;
import io.walproof.contract.Lsn;
import io.walproof.contract.TableId;
import io.walproof.verifier.model.ColumnsLeftOut;
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
import java.util.function.Function;

/**
 * Counts one run's records, or the sum of several: the one place where records become figures. The
 * records' order does not matter, because a topic's partitions have none between them; their
 * numbers do. Owned by one thread.
 */
public final class RunTally {

  private final Function<AuditRecord, AuditDamagedException> notAddingUp;
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
  private final Map<TableId, Lsn> verdictsAfter = new TreeMap<>();
  private final RangeTally ranges = new RangeTally();
  private Optional<Reported> reported = Optional.empty();
  private boolean summed;

  /** The number of the last record that counts, so that what was reported later must agree. */
  private long lastCounted;

  private final Map<TableId, Reported> reportedTables = new TreeMap<>();
  private final Map<TableId, ReportedColumns> columns = new TreeMap<>();
  private final List<String> earlierDisagreements = new ArrayList<>();

  private record Reported(long seq, Coverage coverage) {
    Reported on(Reported earlier) {
      return new Reported(seq, earlier.coverage.plus(coverage));
    }
  }

  private record ReportedColumns(long seq, ColumnsLeftOut columns) {}

  RunTally(AuditRecord first, Function<AuditRecord, AuditDamagedException> notAddingUp) {
    this.notAddingUp = notAddingUp;
    this.runId = first.runId();
    this.startedAt = first.at();
  }

  /**
   * For a run whose records come from a file.
   *
   * @param first one of them; it is not counted by this
   */
  public static RunTally ofFile(Path file, AuditRecord first) {
    return new RunTally(
        first,
        record -> new AuditDamagedException(file, record.line(), "has counts that do not add up."));
  }

  /** For a run whose records come from a topic. */
  public static RunTally ofTopic(String topic, AuditRecord first) {
    return new RunTally(
        first,
        record ->
            AuditDamagedException.onTopic(topic, record.line(), "has counts that do not add up."));
  }

  /** Whose records they are. */
  public String runId() {
    return runId;
  }

  /** When its first record was written. */
  public Instant startedAt() {
    return startedAt;
  }

  /** Whether its end is among the records. */
  public boolean hasEnded() {
    return endedAt.isPresent();
  }

  /** The last counts that the run itself reported, by table; empty before its first summary. */
  public Map<TableId, Coverage> reportedTables() {
    Map<TableId, Coverage> coverages = new TreeMap<>();
    reportedTables.forEach((table, said) -> coverages.put(table, said.coverage()));
    return coverages;
  }

  /**
   * Counts a record.
   *
   * @throws AuditDamagedException if its own counts do not add up
   */
  public void add(AuditRecord record) {
    records++;
    startedAt = record.at().isBefore(startedAt) ? record.at() : startedAt;
    switch (record.type()) {
      case OBSERVATION, DECISION -> {
        lastCounted = Math.max(lastCounted, record.seq());
        total.add(record);
        record.table().ifPresent(t -> tables.computeIfAbsent(t, any -> new Counts()).add(record));
      }
      case DRIFT -> increment(drift, record.json().path("kind").asText());
      case SUMMARY -> summary(record);
      case RUN_END -> end(record);
      case RUN_START -> columnSettings(record.json().path("scope"));
      case RANGE_START -> ranges.began(record);
      case RANGE_END -> ranges.ended(record);
      case TORN_LINE -> {}
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
    report(record);
    for (JsonNode table : record.json().path("tables")) {
      Reported said = new Reported(record.seq(), coverage(record, table));
      TableId name = AuditRecord.tableOf(table.path("table"));
      reportedTables.merge(name, said, (known, fresh) -> fresh.seq() > known.seq() ? fresh : known);
      if (table.path("not_compared").isArray()) {
        ReportedColumns left =
            new ReportedColumns(
                record.seq(),
                new ColumnsLeftOut(
                    texts(table.path("not_compared")),
                    texts(table.path("excluded")),
                    texts(table.path("not_published"))));
        columns.merge(name, left, (known, fresh) -> fresh.seq() > known.seq() ? fresh : known);
      }
      String after = table.path("verdicts_after").asText();
      if (!after.isEmpty()) {
        verdictsAfter.merge(name, Lsn.parse(after), Lsn::max);
      }
    }
  }

  private static List<String> texts(JsonNode array) {
    List<String> texts = new ArrayList<>();
    array.forEach(text -> texts.add(text.asText()));
    return texts;
  }

  private void end(AuditRecord record) {
    report(record);
    endedAt = Optional.of(record.at());
    endReason = record.reason();
    JsonNode status = record.json().path("exit_status");
    exitStatus = status.isInt() ? OptionalLong.of(status.longValue()) : OptionalLong.empty();
  }

  private void report(AuditRecord record) {
    Reported said = new Reported(record.seq(), coverage(record, record.json()));
    if (reported.filter(known -> known.seq() >= said.seq()).isEmpty()) {
      reported = Optional.of(said);
    }
  }

  /** What the run's own last counts and its records do not agree on. */
  private List<String> disagreements() {
    List<String> found = new ArrayList<>();
    if (hasEnded() && !summed) {
      compare("in total", reported.orElseThrow().coverage(), total, found);
      // Counts by table are only in summaries; one right before the end must agree as well.
      reportedTables.forEach(
          (table, said) -> {
            if (said.seq() > lastCounted) {
              compare(
                  "for " + table, said.coverage(), tables.getOrDefault(table, new Counts()), found);
            }
          });
    }
    return found;
  }

  /** Matches leave no record, so they cannot be compared. */
  private void compare(String where, Coverage run, Counts counted, List<String> found) {
    TreeSet<String> outcomes = new TreeSet<>(run.outcomes().keySet());
    outcomes.addAll(counted.outcomes.keySet());
    outcomes.remove("matched");
    for (String outcome : outcomes) {
      long said = run.outcomes().getOrDefault(outcome, 0L);
      long recorded = counted.outcomes.getOrDefault(outcome, 0L);
      if (said != recorded) {
        found.add(
            "run %s counted %d %s %s, the records have %d"
                .formatted(runId, said, outcome, where, recorded));
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
      AuditDamagedException damaged = notAddingUp.apply(record);
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
    List<String> own = disagreements();
    earlierDisagreements.addAll(earlier.earlierDisagreements);
    earlierDisagreements.addAll(earlier.disagreements());
    earlierDisagreements.addAll(own);
    summed = true;
    startedAt = earlier.startedAt.isBefore(startedAt) ? earlier.startedAt : startedAt;
    records += earlier.records;
    total.add(earlier.total);
    earlier.tables.forEach((t, c) -> tables.computeIfAbsent(t, any -> new Counts()).add(c));
    addAll(drift, earlier.drift);
    earlier.columns.forEach(columns::putIfAbsent);
    earlier.verdictsAfter.forEach((t, lsn) -> verdictsAfter.merge(t, lsn, Lsn::max));
    ranges.add(earlier.ranges);
    earlier.reported.ifPresent(
        before -> reported = Optional.of(reported.map(after -> after.on(before)).orElse(before)));
  }

  /** The figures so far, also while the run goes on. */
  public AuditSummary summary() {
    return summary(List.of(runId));
  }

  AuditSummary summary(List<String> runs) {
    List<String> disagreements = new ArrayList<>(earlierDisagreements);
    disagreements.addAll(disagreements());
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
        ranges.sum(),
        reported.map(Reported::coverage),
        new TreeMap<>(verdictsAfter),
        columnsLeftOut(),
        Map.copyOf(columnSettings),
        List.copyOf(disagreements));
  }

  /** What the run itself said that no verdict covers, by table. */
  public Map<TableId, ColumnsLeftOut> columnsLeftOut() {
    Map<TableId, ColumnsLeftOut> said = new TreeMap<>();
    columns.forEach((table, left) -> said.put(table, left.columns()));
    return said;
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
