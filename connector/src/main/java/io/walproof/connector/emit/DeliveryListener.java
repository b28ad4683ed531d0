package io.walproof.connector.emit;

import java.util.List;

/** Takes what the capture delivers. */
@FunctionalInterface
public interface DeliveryListener {

  /**
   * Takes the next deliveries, in stream order. Called on one engine thread at a time; blocking
   * here is backpressure. The capture makes nothing durable by itself: the listener's side writes a
   * delivery's position once that delivery and all before it are dealt with. After a restart, or
   * when Debezium restarts itself, deliveries repeat from the durable position on.
   *
   * @throws InterruptedException if the capture is being closed; nothing of the batch counts
   * @throws RuntimeException to end the capture with this failure
   */
  void deliver(List<Delivery> batch) throws InterruptedException;
}
