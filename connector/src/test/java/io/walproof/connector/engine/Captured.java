package io.walproof.connector.engine;

import io.walproof.connector.emit.Delivery;
import io.walproof.connector.emit.DeliveryListener;
import io.walproof.connector.emit.Skip;
import io.walproof.connector.offset.Position;
import io.walproof.connector.offset.PositionStore;
import io.walproof.contract.ChangedKey;
import io.walproof.contract.DriftEvent;
import io.walproof.contract.TableId;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Collects deliveries; makes their positions durable, or leaves that to the test. */
final class Captured implements DeliveryListener {

  private final PositionStore store;
  private final boolean durableAtOnce;
  private final List<Delivery> deliveries = new ArrayList<>();

  /** Deliveries after which the listener blocks until it is interrupted. */
  private int blockAfter = Integer.MAX_VALUE;

  private int offered;

  Captured(PositionStore store, boolean durableAtOnce) {
    this.store = store;
    this.durableAtOnce = durableAtOnce;
  }

  Captured blockAfter(int count) {
    blockAfter = count;
    return this;
  }

  @Override
  public void deliver(List<Delivery> batch) throws InterruptedException {
    synchronized (this) {
      offered += batch.size();
    }
    int room = Math.min(batch.size(), blockAfter - all().size());
    List<Delivery> taken = batch.subList(0, room);
    if (durableAtOnce && room > 0) {
      store.write(taken.get(room - 1).position());
    }
    synchronized (this) {
      deliveries.addAll(taken);
      while (room < batch.size()) {
        wait();
      }
    }
  }

  /** Deliveries that came, also if they were not taken. */
  synchronized int offered() {
    return offered;
  }

  synchronized List<Delivery> all() {
    return List.copyOf(deliveries);
  }

  Position lastPosition() {
    List<Delivery> all = all();
    return all.get(all.size() - 1).position();
  }

  List<ChangedKey> keys() {
    return all().stream().flatMap(delivery -> delivery.key().stream()).toList();
  }

  /** The first key column's texts of a table's changes, in order. */
  List<String> texts(String table) {
    TableId wanted = TableId.parse(table);
    return keys().stream()
        .filter(key -> key.table().equals(wanted))
        .map(key -> key.key().texts().get(0))
        .toList();
  }

  List<DriftEvent> drift() {
    return all().stream().flatMap(delivery -> delivery.drift().stream()).toList();
  }

  /** Without baselines. */
  List<DriftEvent> realDrift() {
    return drift().stream().filter(DriftEvent::isDrift).toList();
  }

  long skips(Skip.Reason reason) {
    return count(
        delivery -> delivery.skip().isPresent() && delivery.skip().get().reason() == reason);
  }

  private long count(Predicate<Delivery> predicate) {
    return all().stream().filter(predicate).count();
  }
}
