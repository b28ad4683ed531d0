package io.walproof.standalone.status;

import io.walproof.contract.TableId;
import io.walproof.standalone.settings.StatusLimits;
import io.walproof.standalone.timeline.DriftEntry;
import io.walproof.verifier.audit.AuditRecord;
import io.walproof.verifier.audit.AuditType;
import io.walproof.verifier.audit.RunTally;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Reduces audit records, of a file or of a topic, to what is shown. Bounded by {@link
 * StatusLimits}. Thread-safe.
 */
public final class StatusModel {

  private final StatusLimits limits;
  private final boolean oneWriter;
  private final Function<AuditRecord, RunTally> tallies;
  private final Map<String, RunState> runs = new LinkedHashMap<>();
  private final Deque<DriftEntry> drift = new ArrayDeque<>();
  private final RangeChecks ranges;
  private RunState latest;
  private long driftLeftOut;
  private final OpenGaps gaps;
  private final OpenTables forgottenFailures;
  private final OpenTables forgottenUnjudged;
  private long forgottenRuns;
  private Optional<String> trouble = Optional.of("the evidence so far is still being read");
  private Optional<String> unreachable = Optional.empty();
  private boolean caughtUp;

  private StatusModel(
      StatusLimits limits, boolean oneWriter, Function<AuditRecord, RunTally> tallies) {
    this.limits = limits;
    this.oneWriter = oneWriter;
    this.tallies = tallies;
    this.ranges = new RangeChecks(limits.ranges());
    this.gaps = new OpenGaps(limits.drift());
    this.forgottenFailures = new OpenTables(0, 0);
    this.forgottenUnjudged = new OpenTables(0, 0);
  }

  /** An empty one for a file, which one run after the other writes. */
  public static StatusModel ofFile(StatusLimits limits, Path file) {
    return new StatusModel(limits, true, first -> RunTally.ofFile(file, first));
  }

  /** An empty one for a topic, which several tasks write at once. */
  public static StatusModel ofTopic(StatusLimits limits, String topic) {
    return new StatusModel(limits, false, first -> RunTally.ofTopic(topic, first));
  }

  /** Takes the next record. */
  public synchronized void add(AuditRecord record) {
    RunState run = runs.get(record.runId());
    if (run == null) {
      run = new RunState(tallies.apply(record), record, limits);
      runs.put(record.runId(), run);
      latest = run;
      forgetOldRuns();
    }
    if (record.type() == AuditType.DECISION) {
      runs.values().forEach(each -> each.closedBy(record));
    }
    run.add(record);
    if (record.type() != AuditType.RANGE_START && record.type() != AuditType.RANGE_END) {
      // A table that was only passed over by a range check can never be proved.
      record.table().ifPresent(gaps::named);
    }
    switch (record.type()) {
      case DRIFT ->
          DriftEntry.of(record.json()).ifPresent(event -> keep(event, Optional.of(record.at())));
      case RANGE_START, RANGE_END -> record.table().ifPresent(table -> range(record));
      case SUMMARY -> run.tally().reportedTables().keySet().forEach(gaps::named);
      case RUN_START, OBSERVATION, DECISION, RUN_END, TORN_LINE -> {}
    }
  }

  /** Takes an event of a drift topic, which belongs to no run. */
  public synchronized void add(DriftEntry event) {
    keep(event, Optional.empty());
  }

  private void keep(DriftEntry event, Optional<Instant> at) {
    if (event.isBaseline()) {
      return;
    }
    gaps.changed(event);
    if (event.isGap()) {
      gaps.told(event, at);
    }
    // A gap that is told again is shown as it was told last.
    drift.removeIf(event::isSameGap);
    drift.addFirst(event);
    if (drift.size() > limits.drift()) {
      drift.removeLast();
      driftLeftOut++;
    }
  }

  /** Everything that there was has been read; what comes now is new. */
  public synchronized void caughtUp() {
    if (!caughtUp) {
      caughtUp = true;
      trouble = Optional.empty();
    }
  }

  /** Reading the records has failed; what is shown may be old from now on. */
  public synchronized void trouble(String sentence) {
    caughtUp = true;
    trouble = Optional.of(sentence);
  }

  /** Whether the place of the records answers: a sentence for as long as it does not. */
  public synchronized void unreachable(Optional<String> sentence) {
    unreachable = sentence;
  }

  /** Of one table; what is said of all of them is their run's. */
  private void range(AuditRecord record) {
    if (record.type() == AuditType.RANGE_START) {
      ranges.begins(record);
      return;
    }
    RangeView range = ranges.ends(record);
    if (range.provesTable()) {
      TableId table = range.table();
      runs.values().forEach(run -> run.proved(table, range.startedAt()));
      forgottenFailures.proved(table, range.startedAt());
      forgottenUnjudged.proved(table, range.startedAt());
      gaps.proved(table, range.startedAt());
    }
  }

  private void forgetOldRuns() {
    Iterator<RunState> oldest = runs.values().iterator();
    while (runs.size() > limits.runs()) {
      RunState run = oldest.next();
      forgottenFailures.countAll(run.failures());
      forgottenUnjudged.countAll(run.unjudged());
      oldest.remove();
      forgottenRuns++;
    }
  }

  /**
   * The state at this moment.
   *
   * @param live what the verifying process knows of itself, if it is this one
   */
  public synchronized Status at(Instant now, Optional<LiveFigures> live) {
    List<RunState> shown = new ArrayList<>();
    List<RunState> earlier = new ArrayList<>();
    for (RunState run : runs.values()) {
      (isSuperseded(run, now) ? earlier : shown).add(run);
    }
    return new StatusBuilder(
            limits,
            now,
            shown,
            new EarlierRuns(earlier, forgottenFailures, forgottenUnjudged),
            gaps,
            live)
        .build(
            List.copyOf(drift),
            driftLeftOut,
            ranges.views(run -> isUnderWay(run, now, live.isPresent())),
            ranges,
            forgottenRuns,
            Stream.concat(unreachable.stream(), trouble.stream()).toList());
  }

  /** Whether the run may still end what it began; one that is shown live is never silent. */
  private boolean isUnderWay(String runId, Instant now, boolean live) {
    RunState run = runs.get(runId);
    return run != null
        && !run.tally().hasEnded()
        && !isSuperseded(run, now)
        && (live || !run.isSilent(now));
  }

  /**
   * Whether another run began after this one was done: its keys are that one's to check. A task of
   * a cluster is done once it has ended, or has been silent for long: others begin beside it.
   */
  private boolean isSuperseded(RunState run, Instant now) {
    if (oneWriter) {
      return run != latest;
    }
    return (run.tally().hasEnded() || run.isSilent(now))
        && runs.values().stream()
            .anyMatch(other -> other != run && other.startedAt().isAfter(run.lastAt()));
  }
}
