package io.walproof.verifier.connect;

import io.walproof.contract.ChangedKey;
import io.walproof.contract.DriftEvent;
import io.walproof.contract.TableId;
import io.walproof.verifier.connect.decode.Decoded;
import io.walproof.verifier.core.Verifier;
import io.walproof.verifier.ingest.Watermark;
import io.walproof.verifier.model.IncompleteReason;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands decoded records to the verifier without ever waiting: what it has no room for stays here,
 * which is never more than one batch, because no further one is taken before. Confined to the
 * task's thread.
 */
final class Intake {

  private static final Logger LOG = LoggerFactory.getLogger(Intake.class);

  private static final String NOT_ACCEPTED =
      "nobody has accepted the table's shape (drift.accept of the source connector); the key stays"
          + " in the topic of diverted tables, and is checked once somebody has";

  /** A table and a reason are told once. */
  private static final int TOLD_KEPT = 10_000;

  /**
   * A decoded record.
   *
   * @param partition where it lies
   * @param offset where in it
   * @param decoded what it amounts to
   */
  record Arrived(TopicPartition partition, long offset, Decoded decoded) {}

  private final Verifier verifier;
  private final Map<TopicPartition, PartitionProgress> partitions = new HashMap<>();
  private final Deque<Arrived> waiting = new ArrayDeque<>();
  private final Map<TableId, String> told = new HashMap<>();
  private final DriftTaker drift;

  /** Keys that are not to be checked yet, until they are recorded as such. */
  private final List<ChangedKey> aside = new ArrayList<>();

  /** Partitions to be read again from an offset on. */
  private final Map<TopicPartition, Long> again = new HashMap<>();

  private volatile int divertedTables;

  /** Of the batches that were taken. */
  private long batch;

  /**
   * @param drift is shown drift events
   */
  Intake(Verifier verifier, DriftTaker drift) {
    this.verifier = verifier;
    this.drift = drift;
  }

  /** Takes drift events. */
  @FunctionalInterface
  interface DriftTaker {
    /**
     * Takes one.
     *
     * @param from where it lies
     * @param settled is run once its offset may be committed
     */
    void take(DriftEvent event, TopicPartition from, Runnable settled);
  }

  void open(Collection<TopicPartition> assigned) {
    assigned.forEach(partition -> partitions.putIfAbsent(partition, new PartitionProgress()));
  }

  /** Forgets the partitions; their undecided keys are recorded as such first. */
  void close(Collection<TopicPartition> revoked) {
    List<Watermark> streams = new ArrayList<>();
    for (TopicPartition partition : revoked) {
      PartitionProgress progress = partitions.remove(partition);
      if (progress != null) {
        streams.add(progress.watermark());
      }
    }
    waiting.removeIf(arrived -> revoked.contains(arrived.partition()));
    again.keySet().removeAll(revoked);
    verifier.abandon(streams);
  }

  /** Takes what it can. */
  void take(Collection<Arrived> batch) throws InterruptedException {
    this.batch++;
    waiting.addAll(batch);
    takeWaiting();
  }

  /** Takes what it can of what waits. */
  void takeWaiting() throws InterruptedException {
    try {
      while (!waiting.isEmpty() && takeNext(waiting.element())) {
        waiting.remove();
      }
    } finally {
      setAside();
      divertedTables =
          partitions.values().stream().mapToInt(progress -> progress.diverted().tables()).sum();
    }
  }

  /**
   * No offset moves past these keys before they are checked, so it is enough to do it in the end.
   */
  private void setAside() {
    if (!aside.isEmpty()) {
      verifier.setAside(aside, IncompleteReason.SHAPE_NOT_ACCEPTED, NOT_ACCEPTED);
      aside.clear();
    }
  }

  private boolean takeNext(Arrived arrived) throws InterruptedException {
    PartitionProgress progress =
        partitions.computeIfAbsent(arrived.partition(), p -> new PartitionProgress());
    DivertedKeys.Step step = progress.arrives(arrived.offset(), arrived.decoded(), batch);
    Optional<DriftEvent> loss = progress.diverted().takeLoss();
    while (loss.isPresent()) {
      lost(loss.get());
      loss = progress.diverted().takeLoss();
    }
    switch (step) {
      case TAKE, CHECK -> {
        if (!take(arrived, progress)) {
          return false;
        }
      }
      case SET_ASIDE -> {
        if (arrived.decoded() instanceof Decoded.Diverted diverted) {
          aside.add(diverted.key());
        }
      }
      case READ_AGAIN ->
          progress.diverted().from().ifPresent(from -> again.put(arrived.partition(), from));
      case PASS -> {}
      case DROP -> {
        return true;
      }
    }
    progress.taken(arrived.offset());
    return true;
  }

  private boolean take(Arrived arrived, PartitionProgress progress) throws InterruptedException {
    Decoded decoded = arrived.decoded();
    if (decoded instanceof Decoded.Change change) {
      return submit(change.key(), progress);
    } else if (decoded instanceof Decoded.Diverted diverted) {
      return submit(diverted.key(), progress);
    } else if (decoded instanceof Decoded.Drift found) {
      verifier.countIgnored("drift_event");
      if (found.event().isGap()) {
        verifier.startAfter(found.event());
      }
      // Like a key: a crash before the end brings it again.
      long sequence = progress.watermark().issue();
      drift.take(found.event(), arrived.partition(), () -> progress.watermark().close(sequence));
    } else if (decoded instanceof Decoded.Skipped skipped) {
      verifier.countSkipped(skipped.table(), skipped.reason());
      tell(skipped);
    } else if (decoded instanceof Decoded.Ignored ignored) {
      verifier.countIgnored(ignored.reason());
    }
    return true;
  }

  /** Nobody else submits, so room that is there now is there in a moment too. */
  private boolean submit(ChangedKey key, PartitionProgress progress) throws InterruptedException {
    return verifier.hasRoom() && verifier.submit(key, progress.watermark());
  }

  private void lost(DriftEvent accepted) {
    DriftEvent gap =
        new DriftEvent(
            DriftEvent.Kind.GAP,
            DriftEvent.Occurrence.ACROSS_RESTART,
            accepted.table(),
            accepted.lsn(),
            0,
            accepted.previous(),
            accepted.current(),
            List.of(),
            Optional.empty(),
            accepted.policy(),
            "reported",
            "the topic no longer holds, or this verifier has not met since its start, all records of"
                + " this table that were diverted until its shape was accepted. Their keys are not"
                + " checked, unless an earlier start did it and the source connector told the"
                + " acceptance twice; check the table with verify-range");
    LOG.warn("{}: {}", accepted.table().map(TableId::display).orElse(""), gap.detail());
    verifier.record(gap);
  }

  /**
   * Partitions that the consumer must be set back in, each with the offset to go on from; asked for
   * once. What was fetched before that is dropped when it arrives.
   */
  Map<TopicPartition, Long> takeAgain() {
    Map<TopicPartition, Long> taken = Map.copyOf(again);
    again.clear();
    return taken;
  }

  /** Tables with records that wait for an acceptance. Any thread. */
  int divertedTables() {
    return divertedTables;
  }

  private void tell(Decoded.Skipped skipped) {
    boolean known = told.size() >= TOLD_KEPT && !told.containsKey(skipped.table());
    if (!known && !skipped.detail().equals(told.put(skipped.table(), skipped.detail()))) {
      LOG.warn(
          "{}: changes are not checked ({}): {}",
          skipped.table(),
          skipped.reason(),
          skipped.detail());
    }
  }

  /** Records that the verifier has no room for yet. */
  int waiting() {
    return waiting.size();
  }

  /** Where each partition may be resumed, of those that have moved. */
  Map<TopicPartition, Long> committable() {
    Map<TopicPartition, Long> committable = new HashMap<>();
    partitions.forEach(
        (partition, progress) -> {
          OptionalLong offset = progress.committable();
          if (offset.isPresent()) {
            committable.put(partition, offset.getAsLong());
          }
        });
    return committable;
  }
}
