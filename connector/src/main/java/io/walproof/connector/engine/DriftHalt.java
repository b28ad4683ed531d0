package io.walproof.connector.engine;

import io.walproof.connector.emit.Delivery;
import io.walproof.connector.engine.CaptureException.Reason;
import io.walproof.connector.offset.Position;
import io.walproof.connector.offset.PositionStore;
import io.walproof.contract.DriftEvent;
import io.walproof.contract.TableId;
import io.walproof.contract.Time;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Ends a capture on drift, but not before the position that holds the new shape is durable: then
 * the next start goes on with the deciding change, without a second event or halt. Runs on the
 * engine's thread, which takes nothing more meanwhile.
 */
final class DriftHalt {

  private static final Duration POLL = Duration.ofMillis(100);

  private final PositionStore store;
  private final Time time;
  private final Duration atMost;

  /**
   * A halt.
   *
   * @param store where the listener's side makes the position durable
   * @param atMost how long to wait for that ({@code drift.halt.timeout.ms})
   */
  DriftHalt(PositionStore store, Time time, Duration atMost) {
    this.store = store;
    this.time = time;
    this.atMost = atMost;
  }

  /**
   * Waits until the position is durable.
   *
   * @param last the last delivery, which the listener has taken
   * @return what the capture ends with
   * @throws InterruptedException if the capture is closed meanwhile
   */
  CaptureException await(Delivery last) throws InterruptedException {
    long deadline = time.nanoTime() + atMost.toNanos();
    boolean durable = isDurable(last.position());
    while (!durable && time.nanoTime() - deadline < 0) {
      time.sleep(POLL);
      durable = isDurable(last.position());
    }
    return new CaptureException(Reason.HALTED, describe(last, durable));
  }

  /**
   * Nothing is decided after the deciding change. Behind an accepted gap a later decision may still
   * be stored, of a stream that is no more.
   */
  private boolean isDurable(Position position) {
    Optional<Position> stored = store.durable();
    return stored.isPresent() && stored.get().decided().equals(position.decided());
  }

  private String describe(Delivery last, boolean durable) {
    DriftEvent event = last.drift().get(0);
    String kinds =
        last.drift().stream()
            .map(each -> each.kind().name().toLowerCase(Locale.ROOT))
            .collect(Collectors.joining(", "));
    String what =
        "halted on drift of "
            + event.table().map(TableId::display).orElse("the stream")
            + " ("
            + kinds
            + ") at "
            + event.lsn()
            + ", as drift.policy="
            + event.policy()
            + " says; see the drift events. ";
    return durable
        ? what
            + "Starting again accepts the new shape and goes on with the change that was held back"
        : what
            + "The changes before it were not all decided within drift.halt.timeout.ms="
            + atMost.toMillis()
            + ", so the new shape is not recorded: the next start halts here again. Raise"
            + " drift.halt.timeout.ms, or start with drift.policy=report to go on";
  }
}
