package io.walproof.standalone.demo;

import io.walproof.contract.Time;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A shop that keeps writing: inserts, updates, deletes, a hot row, composite and quoted keys. Order
 * ids from {@link #RESERVED_IDS} on are left to the injections.
 */
public final class DemoWorkload {

  /** The workload's own order ids stay below this. */
  public static final long RESERVED_IDS = 1_000_000;

  private static final Duration PAUSE = Duration.ofMillis(15);
  private static final int KNOWN_ORDERS = 400;

  private final DemoServers servers;
  private final Time time;
  private final Random random = new Random(20260101);
  private final UUID[] customers = new UUID[50];
  private final AtomicLong transactions = new AtomicLong();
  private final AtomicReference<Exception> failure = new AtomicReference<>();
  private final Thread thread = new Thread(this::run, "demo-workload");
  private volatile boolean stopping;
  private long nextOrder = 1;

  /** Writes to the servers' source once it is started. */
  public DemoWorkload(DemoServers servers, Time time) {
    this.servers = servers;
    this.time = time;
    for (int i = 0; i < customers.length; i++) {
      customers[i] = new UUID(random.nextLong(), random.nextLong());
    }
  }

  /** Begins to write, on a thread of its own. */
  public void start() {
    thread.start();
  }

  /** How many were committed so far. */
  public long transactions() {
    return transactions.get();
  }

  private void run() {
    try (Connection connection = servers.connectSource()) {
      connection.setAutoCommit(false);
      while (!stopping) {
        write(connection);
        connection.commit();
        transactions.incrementAndGet();
        time.sleep(PAUSE);
      }
    } catch (SQLException e) {
      failure.set(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void write(Connection connection) throws SQLException {
    UUID customer = customers[random.nextInt(customers.length)];
    switch (random.nextInt(10)) {
      case 0, 1, 2 -> placeOrder(connection, customer);
      case 3, 4 -> {
        update(
            connection,
            "UPDATE public.orders SET status = ?, total = total + 1 WHERE id = ?",
            random.nextBoolean() ? "paid" : "shipped",
            someOrder());
      }
      case 5 -> update(connection, "DELETE FROM public.orders WHERE id = ?", someOrder());
      case 6 ->
          update(
              connection,
              "INSERT INTO public.stock VALUES (?, ?, ?, ?) ON CONFLICT (warehouse, sku) DO UPDATE"
                  + " SET quantity = stock.quantity + excluded.quantity",
              "W" + random.nextInt(5),
              "sku-" + random.nextInt(100),
              random.nextInt(10),
              random.nextDouble());
      case 7 ->
          update(
              connection,
              "INSERT INTO public.customers VALUES (?, ?, ARRAY['new', ?], ?::jsonb) ON CONFLICT"
                  + " (id) DO UPDATE SET tags = excluded.tags, profile = excluded.profile",
              customer,
              "Customer " + random.nextInt(1000),
              "tag \"" + random.nextInt(10) + "\", 'x'",
              "{\"visits\": " + random.nextInt(1000) + "}");
      default ->
          update(
              connection,
              "INSERT INTO public.\"Page Views\" VALUES (?, 1) ON CONFLICT (page) DO UPDATE SET"
                  + " views = \"Page Views\".views + 1",
              random.nextInt(3) > 0 ? "/" : "/item/" + random.nextInt(20));
    }
  }

  private void placeOrder(Connection connection, UUID customer) throws SQLException {
    update(
        connection,
        "INSERT INTO public.orders (id, customer, status, total, note) VALUES (?, ?, 'new', ?, ?)",
        nextOrder++,
        customer,
        java.math.BigDecimal.valueOf(random.nextInt(100_000), 2),
        random.nextInt(4) == 0 ? null : "note " + random.nextInt());
  }

  private long someOrder() {
    return Math.max(1, nextOrder - 1 - random.nextInt(KNOWN_ORDERS));
  }

  private static void update(Connection connection, String sql, Object... values)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < values.length; i++) {
        statement.setObject(i + 1, values[i]);
      }
      statement.executeUpdate();
    }
  }

  /** What ended the workload early, or null. */
  public Exception failure() {
    return failure.get();
  }

  /** Ends the writing; may be called twice. */
  public void stop() throws InterruptedException {
    stopping = true;
    thread.join();
  }
}
