package io.walproof.verifier.connect;

import io.walproof.contract.DriftEvent;
import io.walproof.contract.TableId;
import io.walproof.verifier.connect.decode.Decoded;
import io.walproof.verifier.core.Verifier;
import io.walproof.verifier.ingest.Watermark;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
    verifier.abandon(streams);
  }

  /** Takes what it can. */
  void take(Collection<Arrived> batch) throws InterruptedException {
    waiting.addAll(batch);
    takeWaiting();
  }

  /** Takes what it can of what waits. */
  void takeWaiting() throws InterruptedException {
    while (!waiting.isEmpty() && takeNext(waiting.element())) {
      waiting.remove();
    }
  }

  private boolean takeNext(Arrived arrived) throws InterruptedException {
    PartitionProgress progress =
        partitions.computeIfAbsent(arrived.partition(), p -> new PartitionProgress());
    if (arrived.decoded() instanceof Decoded.Change change) {
      // Nobody else submits, so room that is there now is there in a moment too.
      if (!verifier.hasRoom() || !verifier.submit(change.key(), progress.watermark())) {
        return false;
      }
    } else if (arrived.decoded() instanceof Decoded.Drift found) {
      verifier.countIgnored("drift_event");
      // Like a key: a crash before the end brings it again.
      long sequence = progress.watermark().issue();
      drift.take(found.event(), arrived.partition(), () -> progress.watermark().close(sequence));
    } else if (arrived.decoded() instanceof Decoded.Skipped skipped) {
      verifier.countSkipped(skipped.table(), skipped.reason());
      tell(skipped);
    } else if (arrived.decoded() instanceof Decoded.Ignored ignored) {
      verifier.countIgnored(ignored.reason());
    }
    progress.taken(arrived.offset());
    return true;
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
