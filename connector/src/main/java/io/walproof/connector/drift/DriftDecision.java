package io.walproof.connector.drift;

import io.walproof.contract.DriftEvent;
import java.util.List;

/**
 * What one delivered change decides about its table's shape.
 *
 * @param events what there is to tell, usually nothing
 * @param halts whether the capture must end before this change
 */
public record DriftDecision(List<DriftEvent> events, boolean halts) {

  /** Nothing new. */
  public static final DriftDecision NOTHING = new DriftDecision(List.of(), false);

  /** Copies, and refuses a halt without a reason. */
  public DriftDecision {
    events = List.copyOf(events);
    if (halts && events.isEmpty()) {
      throw new IllegalArgumentException("a halt has an event that says why");
    }
  }
}
