package io.walproof.verifier.connect;

import io.walproof.contract.DriftEvent;
import io.walproof.contract.TableId;
import io.walproof.contract.Time;
import io.walproof.verifier.assembly.UnattendedRanges;
import io.walproof.verifier.assembly.VerifierSettings;
import io.walproof.verifier.audit.AuditLog;
import io.walproof.verifier.model.Coverage;
import io.walproof.verifier.schedule.OnHold;
import io.walproof.verifier.schedule.RangeFigures;
import io.walproof.verifier.schedule.RangeScheduler;
import io.walproof.verifier.schedule.ScheduleFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.errors.ConnectException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The range checks that a task does by itself, if any. No call waits for a check, but for the end
 * of cancelled ones. Owned by the task's thread; the figures may be asked for by any.
 *
 * <p>Which task checks a table: where drift sets off checks, the one that holds partition 0 of the
 * drift topic checks all; otherwise tables are divided by their names.
 */
final class SinkRanges {

  private static final Logger LOG = LoggerFactory.getLogger(SinkRanges.class);

  private final SinkRangeSettings settings;
  private final VerifierSettings verifier;
  private final Duration shutdownTimeout;
  private final AuditLog audit;
  private final Time time;
  private final Optional<Path> kept;
  private final RangeFigures figures = new RangeFigures();
  private final Map<TableId, Coverage> endedKeys = new HashMap<>();
  private Optional<Path> temporary = Optional.empty();
  private volatile RangeScheduler running;

  /**
   * @param kept the task's own directory; ledgers do not outlive the task without
   */
  SinkRanges(SinkSettings settings, Optional<Path> kept, AuditLog audit, Time time) {
    this.settings = settings.ranges();
    this.verifier = settings.verifier();
    this.shutdownTimeout = settings.shutdownTimeout();
    this.kept = kept.map(directory -> directory.resolve("range"));
    this.audit = audit;
    this.time = time;
  }

  /** Begins, unless it depends on partitions whether there is something to do. */
  void start() {
    if (settings.schedule().isOn() && !settings.byDriftTopic()) {
      begin();
    }
  }

  private void begin() {
    Path directory = kept.orElseGet(this::temporary);
    RangeScheduler scheduler =
        UnattendedRanges.create(
            new UnattendedRanges.Setup(
                verifier,
                settings.limits(),
                settings.schedule(),
                settings.filter(),
                settings::isMine,
                directory,
                shutdownTimeout),
            audit,
            time,
            figures,
            // Without a kept directory drift is still remembered: by the drift topic's offset.
            kept.map(ScheduleFile::in));
    scheduler.start();
    running = scheduler;
  }

  private Path temporary() {
    try {
      Path directory = Files.createTempDirectory("walproof-range-");
      temporary = Optional.of(directory);
      return directory;
    } catch (IOException e) {
      throw new ConnectException(
          "No temporary directory for range checks can be made ("
              + e.getClass().getSimpleName()
              + "); set state.dir",
          e);
    }
  }

  /** The task holds these partitions from now on. */
  void open(Collection<TopicPartition> partitions) {
    if (settings.byDriftTopic() && running == null && partitions.stream().anyMatch(this::decides)) {
      LOG.info("This task holds the drift topic, so that range checks are its work");
      begin();
    }
  }

  /** The task loses these partitions; whoever gets the drift topic's begins with its checks. */
  void close(Collection<TopicPartition> partitions) {
    if (settings.byDriftTopic() && running != null && partitions.stream().anyMatch(this::decides)) {
      end();
    }
  }

  private boolean decides(TopicPartition partition) {
    return partition.partition() == 0
        && settings.driftTopic().filter(partition.topic()::equals).isPresent();
  }

  /**
   * Takes notice of a drift event.
   *
   * @param settled runs once its checks have ended, at once if it sets off none; never if the task
   *     loses its partition before
   */
  void drift(DriftEvent event, TopicPartition from, Runnable settled) {
    RangeScheduler scheduler = running;
    if (!settings.schedule().onDrift()
        || settings.driftTopic().filter(from.topic()::equals).isEmpty()) {
      settled.run();
    } else if (settings.byDriftTopic() && from.partition() != 0) {
      throw new ConnectException(
          "The drift topic "
              + from.topic()
              + " has several partitions, which may lie with several tasks, and no two tasks may"
              + " check one table: set tasks.max=1, or let the topic have one partition"
              + " (verify.range.drift.topic).");
    } else if (scheduler != null) {
      scheduler.drift(event, settled);
    }
  }

  /** What stopped them for good, empty while they work. */
  Optional<Throwable> failure() {
    return Optional.ofNullable(running).flatMap(RangeScheduler::failure);
  }

  /** What became of the keys that the checks named, by table. */
  synchronized Map<TableId, Coverage> keys() {
    Map<TableId, Coverage> keys = new HashMap<>(endedKeys);
    if (running != null) {
      running.keys().forEach((table, more) -> keys.merge(table, more, Coverage::plus));
    }
    return keys;
  }

  /** Their mismatches that wait for their recheck. */
  OnHold onHold() {
    RangeScheduler scheduler = running;
    return scheduler == null ? OnHold.NONE : scheduler.onHold();
  }

  /** Whether any are this task's work at all. */
  boolean isOn() {
    return settings.schedule().isOn();
  }

  /** What was found. */
  RangeFigures figures() {
    return figures;
  }

  /** Whether they are this task's work now. */
  boolean isActive() {
    return running != null;
  }

  /** Tables whose check is running. */
  int runningChecks() {
    RangeScheduler scheduler = running;
    return scheduler == null ? 0 : scheduler.running();
  }

  /** Tables and reasons whose check waits for its turn. */
  int waitingChecks() {
    RangeScheduler scheduler = running;
    return scheduler == null ? 0 : scheduler.waiting();
  }

  /** Ends them: no statement is left running on either server. */
  void stop() {
    if (running != null) {
      end();
    }
  }

  private void end() {
    try {
      if (!running.stop(shutdownTimeout)) {
        LOG.warn("The range checks did not stop within shutdown.timeout.ms");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    synchronized (this) {
      running.keys().forEach((table, more) -> endedKeys.merge(table, more, Coverage::plus));
      running = null;
    }
    temporary.ifPresent(SinkRanges::delete);
    temporary = Optional.empty();
  }

  private static void delete(Path directory) {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      LOG.warn("The temporary directory {} could not be removed", directory, e);
    }
  }
}
