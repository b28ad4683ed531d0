package io.walproof.standalone.bench;

import io.walproof.contract.Time;
import io.walproof.standalone.demo.DemoServers;
import io.walproof.standalone.demo.DemoSettings;
import io.walproof.standalone.demo.DemoWorkload;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

/**
 * The demo's servers with an applier that does wrong by some orders: which fault one suffers is
 * told by its id. Not thread-safe.
 */
final class SoakServers implements AutoCloseable {

  /** Walproof's own, so that its connections can be told from all others. */
  private static final String ROLE = "walproof_soak";

  /** Orders that lie still, for somebody to tamper with. */
  private static final long QUIET_ORDERS = 2 * DemoWorkload.RESERVED_IDS;

  private static final int QUIET = 500;
  private static final Duration PAUSE = Duration.ofSeconds(2);
  private static final double MEGABYTE = 1 << 20;

  private static final String MISAPPLY =
      """
      CREATE FUNCTION soak.misapply() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF NEW.id < %1$d OR NEW.id >= %2$d THEN RETURN NEW; END IF;
        CASE NEW.id %% 4
          WHEN 0 THEN RETURN NULL;
          WHEN 1 THEN NEW.total := NEW.total + 1;
          WHEN 2 THEN IF TG_OP = 'UPDATE' THEN RETURN NULL; END IF;
          ELSE NEW.note := left(NEW.note, 4);
        END CASE;
        RETURN NEW;
      END $$
      """
          .formatted(DemoWorkload.RESERVED_IDS, QUIET_ORDERS);

  private final DemoServers servers;
  private final Time time;
  private long next = DemoWorkload.RESERVED_IDS;
  private long nextQuiet;

  private SoakServers(DemoServers servers, Time time) {
    this.servers = servers;
    this.time = time;
  }

  static SoakServers start(Time time)
      throws SQLException, IOException, TimeoutException, InterruptedException {
    DemoServers servers = DemoServers.start();
    boolean prepared = false;
    try {
      String role = "CREATE ROLE " + ROLE + " LOGIN SUPERUSER REPLICATION";
      servers.onSource(role);
      servers.onTarget(
          role,
          "CREATE SCHEMA soak",
          MISAPPLY,
          "CREATE TRIGGER misapply BEFORE INSERT OR UPDATE ON public.orders"
              + " FOR EACH ROW EXECUTE FUNCTION soak.misapply()",
          "ALTER TABLE public.orders ENABLE REPLICA TRIGGER misapply");
      servers.onSource(
          "INSERT INTO public.orders (id, customer, status, total) SELECT "
              + QUIET_ORDERS
              + " + i, gen_random_uuid(), 'new', 10 FROM generate_series(0, "
              + (QUIET - 1)
              + ") AS i");
      servers.awaitApplied();
      prepared = true;
      return new SoakServers(servers, time);
    } finally {
      if (!prepared) {
        servers.close();
      }
    }
  }

  DemoWorkload load() {
    return new DemoWorkload(servers, time);
  }

  /** A run's configuration file. */
  String configuration(String stateDirectory, Duration rangeInterval) {
    Map<String, String> settings = DemoSettings.of(servers, stateDirectory, ROLE);
    settings.put("verify.replay.timeout.ms", "60000");
    settings.put("verify.range.interval.ms", Long.toString(rangeInterval.toMillis()));
    settings.put("verify.summary.interval.ms", "10000");
    return settings.entrySet().stream()
        .map(setting -> setting.getKey() + "=" + setting.getValue() + "\n")
        .collect(Collectors.joining());
  }

  /** Does it, and gives the order that is wrong from now on. */
  long inject(SoakFault fault) throws SQLException {
    if (fault == SoakFault.TAMPERED_ROW) {
      long order = QUIET_ORDERS + nextQuiet++ % QUIET;
      servers.onTarget("UPDATE public.orders SET total = 11 WHERE id = " + order);
      return order;
    }
    while (next % 4 != remainder(fault)) {
      next++;
    }
    long order = next++;
    // One transaction: whoever reads the row on the source reads its last version.
    servers.onSource(
        "INSERT INTO public.orders (id, customer, status, total, note) VALUES ("
            + order
            + ", gen_random_uuid(), 'new', 10, 'a note that is long enough');"
            + " UPDATE public.orders SET status = 'paid' WHERE id = "
            + order);
    return order;
  }

  /** Of an order's id, as the trigger has it. */
  private static long remainder(SoakFault fault) {
    return switch (fault) {
      case LOST_INSERT -> 0;
      case ALTERED_VALUE -> 1;
      case LOST_UPDATE -> 2;
      case SHORTENED_TEXT -> 3;
      case TAMPERED_ROW -> throw new IllegalArgumentException("not the applier's");
    };
  }

  /** Changes the order on the source, so that it is looked at again; it stays wrong. */
  void touch(long order) throws SQLException {
    servers.onSource("UPDATE public.orders SET placed_at = now() WHERE id = " + order);
  }

  /** Makes a fault undone, so that what is wrong does not add up. */
  void mend(long order, SoakFault fault) throws SQLException {
    if (fault == SoakFault.TAMPERED_ROW) {
      servers.onTarget("UPDATE public.orders SET total = 10 WHERE id = " + order);
    } else {
      servers.onSource("DELETE FROM public.orders WHERE id = " + order);
    }
  }

  /** The applier stops for a moment, and is given the time to catch up: no fault. */
  void pauseApplier() throws SQLException, TimeoutException, InterruptedException {
    servers.pauseApplier();
    time.sleep(PAUSE);
    servers.resumeApplier();
    servers.awaitApplied();
  }

  /** How far the run's slot is behind, in megabytes of WAL. */
  double slotLag() throws SQLException {
    try (Connection connection = servers.connectSource()) {
      return number(
              connection,
              "SELECT coalesce(max(pg_wal_lsn_diff(pg_current_wal_lsn(), confirmed_flush_lsn)), 0)"
                  + " FROM pg_replication_slots WHERE slot_name = '"
                  + DemoSettings.SLOT
                  + "'")
          / MEGABYTE;
    }
  }

  /** The run's connections to both servers. */
  double connections() throws SQLException {
    String count = "SELECT count(*) FROM pg_stat_activity WHERE usename = '" + ROLE + "'";
    try (Connection source = servers.connectSource();
        Connection target = servers.connectTarget()) {
      return number(source, count) + number(target, count);
    }
  }

  private static double number(Connection connection, String query) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      row.next();
      return row.getDouble(1);
    }
  }

  @Override
  public void close() throws IOException {
    servers.close();
  }
}
