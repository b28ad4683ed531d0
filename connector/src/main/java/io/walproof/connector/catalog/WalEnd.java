package io.walproof.connector.catalog;

/** Where a server's WAL ends. */
public final class WalEnd {

  /** An expression of type {@code pg_lsn}: what is written, or on a standby what is replayed. */
  public static final String SQL =
      "CASE WHEN pg_catalog.pg_is_in_recovery() THEN pg_catalog.pg_last_wal_replay_lsn()"
          + " ELSE pg_catalog.pg_current_wal_insert_lsn() END";

  private WalEnd() {}
}
