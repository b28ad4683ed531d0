package io.walproof.standalone.run;

import io.walproof.contract.DriftEvent;
import io.walproof.contract.TableId;
import io.walproof.contract.Time;
import io.walproof.metrics.Gauges;
import io.walproof.verifier.assembly.UnattendedRanges;
import io.walproof.verifier.audit.AuditLog;
import io.walproof.verifier.connect.RangeGauges;
import io.walproof.verifier.model.Coverage;
import io.walproof.verifier.range.RangeCheck;
import io.walproof.verifier.schedule.OnHold;
import io.walproof.verifier.schedule.RangeFigures;
import io.walproof.verifier.schedule.RangeScheduler;
import io.walproof.verifier.schedule.ScheduleFile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The range checks that a run does by itself, if any. Started and stopped by the run's thread;
 * everything else is thread-safe.
 */
public final class RunRanges {

  private static final Logger LOG = LoggerFactory.getLogger(RunRanges.class);

  private final RangeFigures figures = new RangeFigures();
  private final Duration share;
  private final Optional<RangeScheduler> scheduler;

  private RunRanges(RunSettings settings, Path directory, AuditLog audit, Time time) {
    RangeDuty duty = settings.ranges();
    // The key checks that end after them need time as well.
    this.share = settings.shutdownTimeout().dividedBy(3);
    this.scheduler =
        duty.schedule().isOn()
            ? Optional.of(
                UnattendedRanges.create(
                    new UnattendedRanges.Setup(
                        settings.verifier(),
                        duty.limits(),
                        duty.schedule(),
                        duty.filter(),
                        any -> true,
                        directory,
                        share),
                    audit,
                    time,
                    figures,
                    Optional.of(ScheduleFile.in(directory))))
            : Optional.empty();
  }

  /**
   * Not started yet.
   *
   * @param directory for ledgers, in the state directory
   */
  static RunRanges of(RunSettings settings, Path directory, AuditLog audit, Time time) {
    return new RunRanges(settings, directory, audit, time);
  }

  void start() {
    scheduler.ifPresent(RangeScheduler::start);
  }

  /** Takes notice of a drift event before its position can be committed. */
  void drift(DriftEvent event) {
    scheduler.ifPresent(ranges -> ranges.drift(event, () -> {}));
  }

  /** Whether none waits and none runs. */
  boolean isIdle() {
    return scheduler.map(RangeScheduler::isIdle).orElse(true);
  }

  /** Shows what is counted; nothing if none are configured. */
  void describe(Gauges gauges) {
    scheduler.ifPresent(
        checks -> {
          RangeGauges.register(gauges, figures, checks::running, checks::waiting);
          RangeGauges.registerKeys(gauges, checks::keys, checks::onHold);
        });
  }

  /** Checks that run, or wait for their turn. */
  public int unfinished() {
    return scheduler.map(ranges -> ranges.running() + ranges.waiting()).orElse(0);
  }

  /** Checks that have not begun. */
  public int waiting() {
    return scheduler.map(RangeScheduler::waiting).orElse(0);
  }

  /** How far the running checks have come. */
  public List<RangeCheck.Status> progress() {
    return scheduler.map(RangeScheduler::progress).orElse(List.of());
  }

  /** Their mismatches that wait for their recheck. */
  OnHold onHold() {
    return scheduler.map(RangeScheduler::onHold).orElse(OnHold.NONE);
  }

  /** What was found. */
  public RangeFigures figures() {
    return figures;
  }

  /** What became of the keys that the checks named, by table. */
  Map<TableId, Coverage> keys() {
    return scheduler.map(RangeScheduler::keys).orElse(Map.of());
  }

  /** What stopped them for good, empty while they work. */
  Optional<Throwable> failure() {
    return scheduler.flatMap(RangeScheduler::failure);
  }

  /** Confirmed failures. */
  public long failures() {
    return figures.failures();
  }

  /** What was left unjudged, checks that were cut off and ones that never began included. */
  public long open() {
    return figures.open() + unfinished();
  }

  /** Ends them, in a part of the time that the run's whole end may take. */
  void stop() throws InterruptedException {
    if (scheduler.isPresent() && !scheduler.get().stop(share)) {
      LOG.warn("The range checks did not stop within the shutdown timeout");
    }
  }
}
