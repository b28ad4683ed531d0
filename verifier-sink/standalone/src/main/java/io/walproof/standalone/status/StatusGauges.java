package io.walproof.standalone.status;

import io.walproof.metrics.Gauges;
import java.util.function.LongSupplier;

/** What the status page shows of itself. */
public final class StatusGauges {

  private StatusGauges() {}

  /**
   * Registers it.
   *
   * @param leftOut what the page's lists leave out now, on any thread
   */
  public static void register(Gauges gauges, LongSupplier leftOut) {
    gauges.gauge(
        "left-out",
        "Tables, open failures, drift events and range checks that the status page's lists leave out"
            + " (status.*.max); all are counted",
        leftOut);
  }
}
