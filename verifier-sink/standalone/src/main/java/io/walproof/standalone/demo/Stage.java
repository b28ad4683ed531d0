package io.walproof.standalone.demo;

import io.walproof.contract.Time;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;

/** What the injections act on. */
interface Stage {

  /** Both databases and the applier. */
  DemoServers servers();

  /** What the audit received. */
  Evidence evidence();

  /** The clock. */
  Time time();

  /** Starts Walproof. */
  void startWalproof() throws InterruptedException;

  /** Stops Walproof as SIGTERM would. */
  void stopWalproof() throws InterruptedException;

  /** Tells the viewer what happens now. */
  void announce(String text);

  /** How long to look for something before giving up. */
  Duration patience();

  /** Waits until the target holds the value for the order. */
  default void awaitOnTarget(String column, long order, String value)
      throws SQLException, InterruptedException {
    long end = time().nanoTime() + patience().toNanos();
    String query = "SELECT " + column + "::text FROM public.orders WHERE id = ?";
    Optional<String> seen = servers().askTarget(query, order);
    while (!seen.equals(Optional.of(value))) {
      if (time().nanoTime() - end > 0) {
        throw new IllegalStateException("the applier did not deliver order " + order + " in time");
      }
      time().sleep(Duration.ofMillis(20));
      seen = servers().askTarget(query, order);
    }
  }

  /** Writes a new order on the source. */
  default void placeOrder(long order) throws SQLException {
    servers()
        .onSource(
            "INSERT INTO public.orders (id, customer, status, total) VALUES (%d, gen_random_uuid(), 'new', 10)"
                .formatted(order));
  }
}
