package io.walproof.connector.engine;

import io.walproof.connector.emit.Delivery;
import io.walproof.connector.emit.DeliveryListener;
import io.walproof.connector.offset.Position;
import io.walproof.contract.DriftEvent;
import java.util.List;
import java.util.Optional;

/**
 * What is told beside the stream's records, and ahead of the next of them: the gaps and the shapes
 * that the start accepted, once, and what the catalog shows. Told only when Debezium polls, because
 * a start that fails before that may be tried again. Thread-safe.
 */
final class Announcements {

  private final DeliveryListener listener;
  private final CatalogReader catalog;
  private final Optional<Position> start;

  /** What the start itself has to tell, until it is told. Guarded by this. */
  private List<Delivery> first;

  /**
   * What a capture has to say.
   *
   * @param start the position to start from
   * @param first the deliveries that name what the start accepted, in their order
   */
  Announcements(
      DeliveryListener listener,
      CatalogReader catalog,
      Optional<Position> start,
      List<Delivery> first) {
    this.listener = listener;
    this.catalog = catalog;
    this.start = start;
    this.first = List.copyOf(first);
  }

  /** Tells what is to be told now. */
  synchronized void tell() throws InterruptedException {
    if (!first.isEmpty()) {
      listener.deliver(first);
      first = List.of();
    }
    Optional<Delivery> told = catalog.delivery(start);
    if (told.isPresent()) {
      listener.deliver(List.of(told.get()));
    }
    List<DriftEvent> events = told.map(Delivery::drift).orElse(List.of());
    catalog.told(events);
  }

  /** The listener has taken a batch. */
  synchronized void delivered(List<Delivery> batch) {
    catalog.count(batch);
  }
}
