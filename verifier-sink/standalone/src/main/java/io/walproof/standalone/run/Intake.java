package io.walproof.standalone.run;

import io.walproof.connector.connect.SourceCounters;
import io.walproof.connector.emit.Delivery;
import io.walproof.connector.emit.DeliveryListener;
import io.walproof.connector.emit.Skip;
import io.walproof.connector.offset.Position;
import io.walproof.contract.ChangedKey;
import io.walproof.contract.DriftEvent;
import io.walproof.contract.Lsn;
import io.walproof.contract.Time;
import io.walproof.verifier.core.Verifier;
import io.walproof.verifier.ingest.PositionLog;
import io.walproof.verifier.ingest.Watermark;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Hands deliveries to the verifier on the engine's thread, and notes the positions that they stand
 * for. Waits while too many keys are undecided, which holds up the engine and at last the slot.
 */
final class Intake implements DeliveryListener {

  /** Positions in between cost little and let the offset follow within a large batch. */
  private static final int DELIVERIES_PER_POSITION = 256;

  private final Verifier verifier;
  private final Time time;
  private final Watermark watermark = new Watermark();
  private final PositionLog<Position> positions;
  private final KnownDrift known;
  private final Consumer<DriftEvent> drift;
  private final SourceCounters counters;
  private final DivertedKeys diverted;
  private volatile Position last;
  private volatile long lastChangeAt;
  private volatile boolean stopped;

  /**
   * @param drift is shown each drift event once it is durable, also one that an earlier run
   *     recorded
   * @param counters count what arrives
   * @param diverted takes the keys of diverted tables
   */
  Intake(
      Verifier verifier,
      Time time,
      int positionLimit,
      KnownDrift known,
      Consumer<DriftEvent> drift,
      SourceCounters counters,
      DivertedKeys diverted) {
    this.verifier = verifier;
    this.drift = drift;
    this.time = time;
    this.known = known;
    this.counters = counters;
    this.diverted = diverted;
    this.positions = new PositionLog<>(positionLimit);
    this.lastChangeAt = time.nanoTime();
  }

  @Override
  public void deliver(List<Delivery> batch) throws InterruptedException {
    if (!batch.isEmpty() && !diverted.checkAccepted(batch, this::tell)) {
      return;
    }
    int sinceNoted = 0;
    for (Delivery delivery : batch) {
      if (!take(delivery)) {
        // Stopping: what follows is delivered again after the next start.
        return;
      }
      sinceNoted++;
      if (sinceNoted == DELIVERIES_PER_POSITION) {
        diverted.keepArrived();
        positions.reached(watermark.issued(), delivery.position());
        sinceNoted = 0;
      }
    }
    if (!batch.isEmpty()) {
      diverted.keepArrived();
      Position end = batch.get(batch.size() - 1).position();
      positions.reached(watermark.issued(), end);
      last = end;
      counters.history(end.history());
    }
  }

  private boolean take(Delivery delivery) throws InterruptedException {
    if (stopped) {
      return false;
    }
    for (DriftEvent event : delivery.drift()) {
      if (known.contains(event)) {
        // The run that recorded it may have ended before it could act on it.
        drift.accept(event);
      } else {
        tell(event);
      }
    }
    Optional<ChangedKey> key = delivery.key();
    if (key.isPresent()) {
      lastChangeAt = time.nanoTime();
      counters.changed();
      if (delivery.diverted().isPresent()) {
        counters.diverted();
        verifier.missedChangesOf(key.get().table());
        diverted.take(key.get());
        return true;
      }
      return delivery.row().isPresent()
          ? verifier.submit(key.get(), delivery.row().get(), watermark)
          : verifier.submit(key.get(), watermark);
    }
    delivery.skip().ifPresent(this::count);
    return true;
  }

  private void tell(DriftEvent event) {
    verifier.record(event);
    drift.accept(event);
    counters.drifted(event.kind());
  }

  private void count(Skip skip) {
    counters.skipped(skip.reason());
    skip.table()
        .ifPresentOrElse(
            table -> {
              verifier.missedChangesOf(table);
              verifier.countSkipped(table, skip.reason().text());
            },
            () -> verifier.countIgnored(skip.reason().text()));
  }

  /** Takes nothing more; what is refused is delivered again after the next start. */
  void stop() {
    stopped = true;
  }

  /** The latest position with nothing undecided at or below it, if it moved. */
  Optional<Position> committable() {
    return positions.takeThrough(watermark.decidedThrough());
  }

  /** The position behind everything that was taken, empty before the first batch. */
  Optional<Position> last() {
    return Optional.ofNullable(last);
  }

  /** How far the stream has come; everything up to there was taken. */
  Lsn reached() {
    return last().map(Position::streamed).orElse(Lsn.NONE);
  }

  /** When the last changed key came in, on the monotonic clock. */
  long lastChangeAt() {
    return lastChangeAt;
  }
}
