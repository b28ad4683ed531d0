package io.walproof.connector.engine;

import io.walproof.connector.emit.Delivery;
import io.walproof.connector.engine.CaptureException.Reason;
import io.walproof.contract.DriftEvent;
import io.walproof.contract.TableId;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Ends a capture on drift, but not before the position that holds the new shape is durable: then
 * the next start goes on with the deciding change, without a second event or halt. Runs on the
 * engine's thread, which takes nothing more meanwhile.
 */
final class DriftHalt {

  private final DurableWait wait;

  /** A halt. */
  DriftHalt(DurableWait wait) {
    this.wait = wait;
  }

  /**
   * Waits until the position is durable. Nothing is decided after the deciding change; behind an
   * accepted gap a later decision may still be stored, of a stream that is no more.
   *
   * @param last the last delivery, which the listener has taken
   * @return what the capture ends with
   * @throws InterruptedException if the capture is closed meanwhile
   */
  CaptureException await(Delivery last) throws InterruptedException {
    boolean durable = wait.until(stored -> stored.decided().equals(last.position().decided()));
    return new CaptureException(Reason.HALTED, describe(last, durable));
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
            + "The changes before it were not all decided within "
            + wait.bound()
            + ", so the new shape is not recorded: the next start halts here again. Raise"
            + " drift.halt.timeout.ms, or start with drift.policy=report to go on";
  }
}
