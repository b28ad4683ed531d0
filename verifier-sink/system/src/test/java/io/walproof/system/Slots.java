package io.walproof.system;

import static org.awaitility.Awaitility.await;

import io.walproof.contract.Lsn;
import io.walproof.embedded.PostgresServer;
import java.sql.SQLException;
import java.time.Duration;

/** Replication slots of the source. */
final class Slots {

  /** Slots are the cluster's; any database shows them. */
  private static final String DATABASE = "postgres";

  private static final Duration BOUND = Duration.ofMinutes(2);

  private Slots() {}

  /**
   * Changes count from the slot's creation on. While it is being created it is active too, and has
   * no place yet: a change that is made then may be missed.
   */
  static void awaitActive(PostgresServer server, String slot) {
    await()
        .atMost(BOUND)
        .until(
            () ->
                Sql.number(
                        server,
                        DATABASE,
                        "SELECT count(*) FROM pg_replication_slots WHERE active"
                            + " AND confirmed_flush_lsn IS NOT NULL AND slot_name = '"
                            + slot
                            + "'")
                    == 1);
  }

  /** Up to where the slot's client has confirmed. */
  static Lsn confirmed(PostgresServer server, String slot) throws SQLException {
    return Lsn.parse(
        Sql.text(
            server,
            DATABASE,
            "SELECT confirmed_flush_lsn FROM pg_replication_slots WHERE slot_name = '"
                + slot
                + "'"));
  }
}
