package io.walproof.verifier.connect;

import io.walproof.contract.DriftEvent;
import io.walproof.contract.Time;
import io.walproof.metrics.Gauges;
import io.walproof.verifier.assembly.AssembledVerifier;
import io.walproof.verifier.audit.AuditException;
import io.walproof.verifier.audit.AuditLog;
import io.walproof.verifier.audit.FileAuditLog;
import io.walproof.verifier.audit.StateDirectory;
import io.walproof.verifier.audit.StateDirectoryException;
import io.walproof.verifier.connect.decode.Decoded;
import io.walproof.verifier.connect.decode.RecordDecoder;
import io.walproof.verifier.connect.decode.SourceUnavailableException;
import io.walproof.verifier.core.Verifier;
import io.walproof.verifier.database.DatabaseException;
import io.walproof.verifier.model.AuditEntry;
import io.walproof.verifier.model.Coverage;
import io.walproof.verifier.publish.TopicAuditLog;
import io.walproof.verifier.publish.TopicPublisher;
import io.walproof.verifier.range.RangeException;
import io.walproof.verifier.replay.ConfirmationException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.errors.DataException;
import org.apache.kafka.connect.errors.RetriableException;
import org.apache.kafka.connect.sink.ErrantRecordReporter;
import org.apache.kafka.connect.sink.SinkRecord;
import org.apache.kafka.connect.sink.SinkTaskContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One task's life: a verifier with its evidence, fed by the partitions that the task holds. Owned
 * by the task's thread; no call waits for a check.
 */
public final class SinkSession {

  private static final Logger LOG = LoggerFactory.getLogger(SinkSession.class);

  /** How soon the worker calls again, so that room and failures are noticed. */
  private static final long TICK_MILLIS = 500;

  private final SinkSettings settings;
  private final SinkTaskContext context;
  private final Time time;
  private final AuditLog audit;
  private final AssembledVerifier assembled;
  private final RecordDecoder decoder;
  private final SinkRanges ranges;
  private final Intake intake;
  private final Optional<StateDirectory> state;
  private final Gauges gauges;
  private boolean paused;
  private boolean failed;
  private long lastSummaryAt;

  private SinkSession(
      SinkSettings settings,
      SinkTaskContext context,
      Time time,
      AuditLog audit,
      AssembledVerifier assembled,
      RecordDecoder decoder,
      SinkRanges ranges,
      Optional<StateDirectory> state,
      Gauges gauges) {
    this.settings = settings;
    this.context = context;
    this.time = time;
    this.audit = audit;
    this.assembled = assembled;
    this.decoder = decoder;
    this.ranges = ranges;
    this.intake = new Intake(assembled.verifier(), this::drift);
    this.state = state;
    this.gauges = gauges;
    this.lastSummaryAt = time.nanoTime();
  }

  /**
   * Starts a run. On failure everything that was opened is closed again.
   *
   * @throws ConnectException with a message for the operator
   */
  public static SinkSession start(SinkSettings settings, SinkTaskContext context, Time time) {
    String runId = UUID.randomUUID().toString();
    Deque<Runnable> undo = new ArrayDeque<>();
    boolean started = false;
    try {
      TopicPublisher topic = TopicPublisher.open(settings.topic(), runId, time);
      undo.push(topic::close);
      Optional<StateDirectory> state = settings.stateDirectory().map(StateDirectory::open);
      state.ifPresent(held -> undo.push(held::close));
      AuditLog durable =
          state.isPresent()
              ? FileAuditLog.open(state.get(), runId, time, settings.auditRotateBytes(), topic)
              : new TopicAuditLog(topic, runId, time);
      TimedAuditLog audit = new TimedAuditLog(durable, time);
      undo.push(audit::close);
      AssembledVerifier assembled = AssembledVerifier.start(settings.verifier(), audit, time);
      undo.push(() -> endFailedStart(assembled, audit, settings));
      RecordDecoder decoder =
          RecordDecoder.open(
              settings.verifier().source(),
              settings.modes(),
              assembled.source(),
              settings.ranges().schedule().onDrift(),
              time);
      undo.push(decoder::close);
      SinkRanges ranges = new SinkRanges(settings, state.map(StateDirectory::path), audit, time);
      Gauges gauges = Gauges.open(context, settings.identity());
      undo.push(gauges::close);
      SinkGauges.register(gauges, assembled.verifier(), audit);
      RangeGauges.register(gauges, ranges);
      undo.push(ranges::stop);
      ranges.start();
      LOG.info("Verification started as run {}", runId);
      SinkSession session =
          new SinkSession(
              settings, context, time, audit, assembled, decoder, ranges, state, gauges);
      SinkGauges.registerTask(gauges, session.intake::divertedTables);
      started = true;
      return session;
    } catch (AuditException
        | StateDirectoryException
        | DatabaseException
        | RangeException
        | ConfirmationException e) {
      throw new ConnectException(e.getMessage(), e);
    } finally {
      if (!started) {
        undo.forEach(Runnable::run);
      }
    }
  }

  private static void endFailedStart(
      AssembledVerifier assembled, AuditLog audit, SinkSettings settings) {
    try {
      assembled.stop(settings.shutdownTimeout());
      audit.append(
          List.of(
              new AuditEntry.RunEnd(
                  "failed to start", assembled.verifier().total(), OptionalLong.empty())));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      // The failure that is under way says more.
      LOG.warn("The end of the run could not be recorded", e);
    }
  }

  /** The task holds these partitions from now on. */
  public void open(Collection<TopicPartition> partitions) {
    intake.open(partitions);
    ranges.open(partitions);
  }

  /** The task loses these partitions; what is undecided in them is recorded as such. */
  public void close(Collection<TopicPartition> partitions) {
    ranges.close(partitions);
    intake.close(partitions);
  }

  /**
   * Takes a batch, or all of it that there is room for; then the partitions are paused until the
   * rest is taken.
   *
   * @throws RetriableException if nothing of the batch was taken and the worker must bring it again
   * @throws ConnectException if verification has failed
   */
  public void put(Collection<SinkRecord> records) {
    try {
      throwIfFailed();
      summarizeWhenDue();
      intake.takeWaiting();
      readAgain();
      if (!records.isEmpty()) {
        if (intake.waiting() > 0) {
          throw later("the verifier has no room (verify.pending.max); the same records come again");
        }
        intake.take(decoded(records));
        readAgain();
      }
      pauseOrResume();
      context.timeout(TICK_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ConnectException("The task was interrupted", e);
    }
  }

  private void drift(DriftEvent event, TopicPartition from, Runnable settled) {
    try {
      ranges.drift(event, from, settled);
    } catch (RangeException e) {
      failed = true;
      throw new ConnectException(e.getMessage(), e);
    } catch (ConnectException e) {
      failed = true;
      throw e;
    }
  }

  /** The worker sets its consumer back before it fetches next. */
  private void readAgain() {
    Map<TopicPartition, Long> offsets = intake.takeAgain();
    if (!offsets.isEmpty()) {
      LOG.info("The shape of a diverted table was accepted; its keys are read again: {}", offsets);
      context.offset(offsets);
    }
  }

  private List<Intake.Arrived> decoded(Collection<SinkRecord> records) {
    List<Intake.Arrived> arrived = new ArrayList<>(records.size());
    Map<SinkRecord, DataException> errant = new HashMap<>();
    for (SinkRecord record : records) {
      try {
        arrived.add(new Intake.Arrived(partition(record), offset(record), decoder.decode(record)));
      } catch (DataException e) {
        errant.put(record, e);
        arrived.add(
            new Intake.Arrived(
                partition(record), offset(record), new Decoded.Ignored("unreadable")));
      } catch (SourceUnavailableException e) {
        throw later(e.getMessage());
      } catch (ConnectException e) {
        failed = true;
        throw e;
      }
    }
    // Not before: a batch that comes again must not be reported twice.
    errant.forEach(this::report);
    return arrived;
  }

  /** Connect's own place for records that a connector cannot read, where it is configured. */
  private void report(SinkRecord record, DataException why) {
    ErrantRecordReporter reporter = context.errantRecordReporter();
    if (reporter == null) {
      failed = true;
      throw new DataException(
          why.getMessage()
              + " To skip such records, set errors.tolerance=all together with"
              + " errors.log.enable=true or errors.deadletterqueue.topic.name.",
          why);
    }
    Future<Void> reported = reporter.report(record, why);
    try {
      reported.get(settings.topic().timeout().toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ConnectException("interrupted while reporting: " + why.getMessage(), e);
    } catch (ExecutionException | TimeoutException e) {
      failed = true;
      throw new ConnectException("could not be reported: " + why.getMessage(), e);
    }
  }

  private RetriableException later(String why) {
    context.timeout(TICK_MILLIS);
    return new RetriableException(why);
  }

  /** Where the record lies, whatever transformations call its topic. */
  private static TopicPartition partition(SinkRecord record) {
    return new TopicPartition(record.originalTopic(), record.originalKafkaPartition());
  }

  private static long offset(SinkRecord record) {
    return record.originalKafkaOffset();
  }

  private void pauseOrResume() {
    boolean full = intake.waiting() > 0;
    if (full == paused) {
      return;
    }
    paused = full;
    TopicPartition[] all = context.assignment().toArray(new TopicPartition[0]);
    if (full) {
      context.pause(all);
      LOG.info(
          "{} keys are undecided (verify.pending.max): the partitions are paused",
          verifier().pending());
    } else {
      context.resume(all);
    }
  }

  private void throwIfFailed() {
    Optional<Throwable> failure = verifier().failure().or(ranges::failure);
    if (failure.isPresent()) {
      failed = true;
      throw new ConnectException(
          "Verification has stopped: " + failure.get().getMessage(), failure.get());
    }
  }

  private void summarizeWhenDue() {
    long now = time.nanoTime();
    if (now - lastSummaryAt >= settings.summaryInterval().toNanos()) {
      lastSummaryAt = now;
      try {
        audit.append(verifier().summaries(ranges.keys()));
      } catch (AuditException e) {
        failed = true;
        throw new ConnectException(e.getMessage(), e);
      }
    }
  }

  /** Offsets with nothing undecided below them, also after verification has failed. */
  public Map<TopicPartition, OffsetAndMetadata> committable() {
    Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
    intake
        .committable()
        .forEach((partition, offset) -> offsets.put(partition, new OffsetAndMetadata(offset)));
    return offsets;
  }

  /** The counts over all tables, range checks' keys included. */
  private Coverage total() {
    List<Coverage> all = new ArrayList<>(ranges.keys().values());
    all.add(verifier().total());
    return Coverage.sum(all);
  }

  /** The range checks, for their figures. */
  SinkRanges ranges() {
    return ranges;
  }

  /** The verifier, for its figures. */
  Verifier verifier() {
    return assembled.verifier();
  }

  /** Ends the run: what is pending is recorded as incomplete and stays above the offsets. */
  public void stop() {
    boolean broken = failed || verifier().failure().or(ranges::failure).isPresent();
    try {
      ranges.stop();
      if (!assembled.stop(settings.shutdownTimeout())) {
        LOG.warn("The verifier's workers did not stop within shutdown.timeout.ms");
      }
      List<AuditEntry> last = new ArrayList<>(verifier().summaries(ranges.keys()));
      last.add(
          new AuditEntry.RunEnd(
              broken || verifier().failure().isPresent() ? "failed" : "stopped",
              total(),
              OptionalLong.empty()));
      audit.append(last);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (AuditException e) {
      LOG.error("The end of the run could not be recorded: {}", e.getMessage());
    } finally {
      gauges.close();
      decoder.close();
      audit.close();
      state.ifPresent(StateDirectory::close);
    }
  }
}
