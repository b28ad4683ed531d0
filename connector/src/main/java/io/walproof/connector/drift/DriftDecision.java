package io.walproof.connector.drift;

import io.walproof.contract.DriftEvent;
import java.util.List;

/**
 * What one delivered change decides about its table's shape.
 *
 * @param events what there is to tell, usually nothing
 * @param halts whether the capture must end before this change
 * @param diverts whether the table's records are diverted from this change on, until its shape is
 *     accepted; with a halt, from the next start on
 */
public record DriftDecision(List<DriftEvent> events, boolean halts, boolean diverts) {

  /** Nothing new. */
  public static final DriftDecision NOTHING = new DriftDecision(List.of(), false, false);

  /** Copies, and refuses a halt without a reason. */
  public DriftDecision {
    events = List.copyOf(events);
    if ((halts || diverts) && events.isEmpty()) {
      throw new IllegalArgumentException("a halt or a diversion has an event that says why");
    }
  }
}
