package io.walproof.standalone.status;

import com.fasterxml.jackson.databind.JsonNode;
import io.walproof.contract.TableId;
import io.walproof.standalone.run.RunStatus;
import io.walproof.standalone.settings.StatusLimits;
import io.walproof.standalone.timeline.DriftEntry;
import io.walproof.verifier.audit.AuditSummary;
import io.walproof.verifier.audit.RunTally;
import io.walproof.verifier.model.ColumnsLeftOut;
import io.walproof.verifier.model.Coverage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Puts the state of several runs together. Used once, by one thread. */
final class StatusBuilder {

  private final StatusLimits limits;
  private final Instant now;
  private final List<RunState> shown;
  private final EarlierRuns earlier;
  private final OpenGaps gaps;
  private final Optional<LiveFigures> live;
  private final List<String> reasons = new ArrayList<>();

  StatusBuilder(
      StatusLimits limits,
      Instant now,
      List<RunState> shown,
      EarlierRuns earlier,
      OpenGaps gaps,
      Optional<LiveFigures> live) {
    this.limits = limits;
    this.now = now;
    this.shown = shown;
    this.earlier = earlier;
    this.gaps = gaps;
    this.live = live;
  }

  Status build(
      List<DriftEntry> drift,
      long driftLeftOut,
      List<RangeView> ranges,
      RangeChecks forgotten,
      long forgottenRuns,
      List<String> troubles) {
    List<AuditSummary> summaries =
        shown.stream().map(RunState::tally).map(RunTally::summary).toList();
    Map<TableId, Coverage> coverage = coverage(summaries);
    Coverage total = Coverage.sum(coverage.values());
    Status.Scope scope = scope(coverage);
    List<Status.Table> tables = tables(coverage, scope);
    long open = shown.stream().mapToLong(run -> run.failures().count()).sum();
    List<String> disagreements =
        summaries.stream().flatMap(summary -> summary.disagreements().stream()).toList();
    reasons.addAll(troubles);
    reasons.addAll(disagreements);
    explainFailures(open);
    explainIncomplete(total, scope);
    explainRuns(summaries);
    explainRanges(ranges, forgotten);
    boolean rangeFailed =
        forgotten.forgottenFailed() > 0
            || ranges.stream().anyMatch(range -> range.health() == Health.FAILING);
    Health health =
        open > 0 || earlier.failures() > 0 || rangeFailed ? Health.FAILING : health(total, ranges);
    List<Failure> failures = newest(shown.stream().map(RunState::failures));
    List<Failure> earlierFailures = newest(earlier.runs().stream().map(RunState::failures));
    List<Failure> earlierNotJudged = newest(earlier.runs().stream().map(RunState::unjudged));
    return new Status(
        now,
        health,
        List.copyOf(reasons),
        runs(summaries),
        forgottenRuns,
        scope,
        total,
        open,
        tables.subList(0, Math.min(tables.size(), limits.tables())),
        Math.max(0, tables.size() - limits.tables()),
        failures,
        open - failures.size(),
        earlierFailures,
        earlier.failures() - earlierFailures.size(),
        notJudged(),
        earlierNotJudged,
        earlier.unjudged() - earlierNotJudged.size(),
        incompleteReasons(summaries),
        drift,
        driftLeftOut,
        ranges.stream().map(this::progressed).toList(),
        forgotten.forgotten(),
        wrongFor(),
        shown.stream().mapToLong(run -> run.wrongFor().notMeasured()).sum(),
        replay(),
        oldestPending(total),
        live,
        disagreements);
  }

  /** The process's own counts where there are some: they are newer than its last record. */
  private Map<TableId, Coverage> coverage(List<AuditSummary> summaries) {
    if (live.isPresent()) {
      return live.get().tables();
    }
    Map<TableId, Coverage> sum = new TreeMap<>();
    for (int i = 0; i < shown.size(); i++) {
      shown
          .get(i)
          .coverage(summaries.get(i).tables())
          .forEach((table, its) -> sum.merge(table, its, Coverage::plus));
    }
    return sum;
  }

  private List<Status.Table> tables(Map<TableId, Coverage> coverage, Status.Scope scope) {
    Map<TableId, Long> open = new TreeMap<>();
    shown.forEach(run -> run.failures().addTo(open));
    Map<TableId, Long> openEarlier = earlier.failuresByTable();
    Map<TableId, Long> unjudgedEarlier = earlier.unjudgedByTable();
    TreeSet<TableId> all = new TreeSet<>(coverage.keySet());
    all.addAll(open.keySet());
    all.addAll(openEarlier.keySet());
    all.addAll(unjudgedEarlier.keySet());
    Map<TableId, Instant> oldest = oldestOnHold();
    List<Status.Table> tables = new ArrayList<>();
    for (TableId table : all) {
      Coverage its = coverage.getOrDefault(table, new Coverage(0, 0, 0, Map.of(), 0, Map.of()));
      long failures = open.getOrDefault(table, 0L);
      long before = openEarlier.getOrDefault(table, 0L);
      boolean notCompared =
          scope.columns(ColumnsLeftOut::notCompared).containsKey(table)
              || scope.columnsUnknown().contains(table);
      boolean left = unjudgedEarlier.containsKey(table) || gaps.concern(table);
      tables.add(
          new Status.Table(
              table,
              health(its, failures + before, notCompared || left),
              its,
              failures,
              before,
              Optional.ofNullable(oldest.get(table)).map(since -> Duration.between(since, now)),
              replay(
                  shown.stream().flatMap(run -> Stream.ofNullable(run.confirmed().get(table))),
                  Optional.empty())));
    }
    tables.sort(Comparator.comparing(Status.Table::health).thenComparing(Status.Table::table));
    return tables;
  }

  private static Health health(Coverage coverage, long open, boolean leavesOut) {
    if (open > 0) {
      return Health.FAILING;
    }
    if (coverage.incomplete() > 0 || RunStatus.notJudged(coverage) > 0 || leavesOut) {
      return Health.INCOMPLETE;
    }
    if (coverage.pending() > 0) {
      return Health.PENDING;
    }
    return coverage.observed() == 0 ? Health.NO_EVIDENCE : Health.CLEAN;
  }

  /** Every reason so far keeps it from being clean; the words are for people only. */
  private Health health(Coverage total, List<RangeView> ranges) {
    if (!reasons.isEmpty()) {
      return Health.INCOMPLETE;
    }
    Health keys = health(total, 0, false);
    boolean underWay = ranges.stream().anyMatch(range -> range.health() == Health.PENDING);
    return underWay && keys.compareTo(Health.PENDING) > 0 ? Health.PENDING : keys;
  }

  private void explainFailures(long open) {
    if (open > 0) {
      reasons.add(0, count(open, "confirmed failure") + " that nothing is known to have mended");
    }
    if (earlier.failures() > 0) {
      reasons.add(
          open > 0 ? 1 : 0,
          count(earlier.failures(), "confirmed failure")
              + " of earlier runs, not known to be mended: repair, then prove the tables with a"
              + " range check");
    }
  }

  private void explainIncomplete(Coverage total, Status.Scope scope) {
    if (total.incomplete() > 0) {
      reasons.add(count(total.incomplete(), "check") + " ended without a judgement");
    }
    if (earlier.unjudged() > 0) {
      reasons.add(
          count(earlier.unjudged(), "check")
              + " of earlier runs ended without a judgement and will not be made again by"
              + " themselves: prove the tables with a range check");
    }
    if (!scope.skipped().isEmpty()) {
      reasons.add(
          count(RunStatus.notJudged(total), "change")
              + " not judged, in "
              + count(scope.skipped().size(), "table"));
    }
    int notCompared = scope.columns(ColumnsLeftOut::notCompared).size();
    if (notCompared > 0) {
      reasons.add("columns that are not compared, in " + count(notCompared, "table"));
    }
    if (!scope.columnsUnknown().isEmpty()) {
      reasons.add(
          "which columns are compared is not known of "
              + count(scope.columnsUnknown().size(), "table")
              + ": their run's start is not here, or was written by an older version");
    }
    long diverted = live.map(LiveFigures::diverted).orElse(0L);
    if (diverted > 0) {
      reasons.add(
          count(diverted, "diverted table or key")
              + ": not judged until drift.accept has the table's shape");
    }
    if (gaps.count() > 0) {
      reasons.add(
          count(gaps.count(), "gap")
              + ": changes that nobody will ever see (timeline below), until a range check proves"
              + " the tables");
    }
  }

  private void explainRuns(List<AuditSummary> summaries) {
    if (shown.isEmpty()) {
      reasons.add("no run has written anything yet");
      return;
    }
    boolean active = live.isPresent();
    for (int i = 0; i < shown.size(); i++) {
      RunState run = shown.get(i);
      Optional<Instant> ended = summaries.get(i).endedAt();
      if (ended.isPresent()) {
        String why = summaries.get(i).endReason().orElse("ended");
        if (!why.equals("stopped") && !why.equals("idle")) {
          reasons.add("run " + run.tally().runId() + " ended: " + why);
        }
      } else if (live.isEmpty() && run.isSilent(now)) {
        reasons.add(
            "run "
                + run.tally().runId()
                + " has written nothing since "
                + run.lastAt()
                + " and did not say that it ends");
      } else {
        active = true;
      }
    }
    if (!active) {
      reasons.add("nobody is verifying: what changed since the last run's end is not checked");
    }
  }

  private RangeView progressed(RangeView range) {
    return live.map(figures -> range.progressed(figures.ranges())).orElse(range);
  }

  private void explainRanges(List<RangeView> ranges, RangeChecks forgotten) {
    for (RangeView range : ranges) {
      String check = "the range check of " + range.table().display();
      if (range.outcome().equals(RangeView.CUT_OFF)) {
        reasons.add(check + " was cut off: its run is gone");
      } else if (range.endedAt().isPresent() && range.health() != Health.CLEAN) {
        reasons.add(
            check
                + " ended as "
                + range.outcome()
                + (range.targetOnly() > 0
                    ? ", with " + count(range.targetOnly(), "row") + " that only the target has"
                    : "")
                + (range.read()
                    ? ""
                    : range
                        .found()
                        .flatMap(RangeView.Found::detail)
                        .map(why -> ": " + why)
                        .orElse("")));
      }
    }
    shown.forEach(run -> run.rangesGivenUp().ifPresent(reasons::add));
    if (forgotten.forgottenFailed() > 0) {
      reasons.add(
          count(forgotten.forgottenFailed(), "range check") + " that failed and are not shown");
    }
    if (forgotten.forgottenOpen() > 0) {
      reasons.add(
          count(forgotten.forgottenOpen(), "range check")
              + " without a judgement that are not shown");
    }
  }

  private List<Status.Run> runs(List<AuditSummary> summaries) {
    List<Status.Run> views = new ArrayList<>();
    for (int i = 0; i < shown.size(); i++) {
      views.add(
          new Status.Run(
              shown.get(i).tally().runId(),
              shown.get(i).startedAt(),
              shown.get(i).lastAt(),
              summaries.get(i).endedAt(),
              summaries.get(i).endReason(),
              shown.get(i).countedAt()));
    }
    return views;
  }

  /** Of the newest run that says it; what differs between tasks of one connector is nothing. */
  private Status.Scope scope(Map<TableId, Coverage> coverage) {
    Map<TableId, Map<String, Long>> skipped = new TreeMap<>();
    coverage.forEach(
        (table, its) -> {
          if (RunStatus.notJudged(its) > 0) {
            Map<String, Long> reasonsOf = new TreeMap<>(its.skipped());
            reasonsOf.keySet().removeIf(RunStatus::isNothingToJudge);
            skipped.put(table, reasonsOf);
          }
        });
    Map<TableId, ColumnsLeftOut> columns = columns();
    Set<TableId> unknown = new TreeSet<>();
    if (live.isEmpty()) {
      shown.forEach(run -> unknown.addAll(run.columnsUnknown()));
      unknown.removeAll(columns.keySet());
    }
    JsonNode start =
        shown.stream()
            .sorted(Comparator.comparing(RunState::startedAt).reversed())
            .flatMap(run -> run.start().stream())
            .findFirst()
            .orElse(null);
    if (start == null) {
      return new Status.Scope("", "", List.of(), Map.of(), skipped, columns, unknown);
    }
    List<Long> apps = new ArrayList<>();
    start.path("ignored_apps").forEach(app -> apps.add(app.asLong()));
    Map<String, String> settings = new TreeMap<>();
    start.path("scope").properties().forEach(e -> settings.put(e.getKey(), e.getValue().asText()));
    return new Status.Scope(
        start.path("rules_version").asText(),
        start.path("confirmation").asText(),
        apps,
        settings,
        skipped,
        columns,
        unknown);
  }

  /** Of several tasks that check one table, what any of them leaves out. */
  private Map<TableId, ColumnsLeftOut> columns() {
    if (live.isPresent()) {
      return live.get().columns();
    }
    Map<TableId, ColumnsLeftOut> columns = new TreeMap<>();
    shown.forEach(
        run ->
            run.tally()
                .columnsLeftOut()
                .forEach((table, left) -> columns.merge(table, left, StatusBuilder::both)));
    return columns;
  }

  private static ColumnsLeftOut both(ColumnsLeftOut one, ColumnsLeftOut other) {
    return new ColumnsLeftOut(
        both(one.notCompared(), other.notCompared()),
        both(one.excluded(), other.excluded()),
        both(one.notPublished(), other.notPublished()));
  }

  private static List<String> both(List<String> one, List<String> other) {
    return Stream.concat(one.stream(), other.stream()).distinct().toList();
  }

  private List<Failure> newest(Stream<OpenTables> of) {
    return of.flatMap(open -> open.kept().stream())
        .sorted(Comparator.comparing(Failure::at).thenComparing(Failure::seq).reversed())
        .limit(limits.shownFailures())
        .toList();
  }

  private List<Failure> notJudged() {
    return shown.stream()
        .flatMap(run -> run.notJudged().stream())
        .sorted(Comparator.comparing(Failure::at).thenComparing(Failure::seq).reversed())
        .limit(limits.shownFailures())
        .toList();
  }

  private static Map<String, Long> incompleteReasons(List<AuditSummary> summaries) {
    Map<String, Long> sum = new TreeMap<>();
    for (AuditSummary summary : summaries) {
      summary.total().incompleteReasons().forEach((why, n) -> sum.merge(why, n, Long::sum));
    }
    return sum;
  }

  private List<WrongFor.Bucket> wrongFor() {
    long[] counts = WrongFor.empty();
    shown.forEach(run -> run.wrongFor().addTo(counts));
    return WrongFor.buckets(counts);
  }

  private Optional<Status.Replay> replay() {
    Optional<Duration> waited =
        live.filter(figures -> figures.confirmations() > 0).map(LiveFigures::lastWait);
    return replay(shown.stream().flatMap(run -> run.confirmed().values().stream()), waited);
  }

  private static Optional<Status.Replay> replay(
      Stream<RunState.Confirmed> of, Optional<Duration> waited) {
    return of.max(Comparator.comparing(RunState.Confirmed::at))
        .map(last -> new Status.Replay(last.lsn(), last.at(), waited));
  }

  /** By the records, of runs that may still recheck them. */
  private Map<TableId, Instant> oldestOnHold() {
    Map<TableId, Instant> oldest = new TreeMap<>();
    shown.stream()
        .filter(run -> !run.tally().hasEnded())
        .forEach(
            run ->
                run.wrongFor()
                    .oldest()
                    .forEach(
                        (table, since) ->
                            oldest.merge(
                                table, since, (one, two) -> one.isBefore(two) ? one : two)));
    return oldest;
  }

  private Optional<Duration> oldestPending(Coverage total) {
    if (live.isPresent()) {
      Duration oldest = live.get().onHold().oldest();
      return oldest.isZero() ? Optional.empty() : Optional.of(oldest);
    }
    if (total.pending() == 0) {
      return Optional.empty();
    }
    return oldestOnHold().values().stream()
        .min(Comparator.naturalOrder())
        .map(oldest -> Duration.between(oldest, now));
  }

  private static String count(long n, String of) {
    return n + " " + of + (n == 1 ? "" : "s");
  }
}
