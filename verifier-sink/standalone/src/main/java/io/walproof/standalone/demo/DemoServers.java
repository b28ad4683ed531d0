package io.walproof.standalone.demo;

import io.walproof.embedded.PostgresServer;
import io.walproof.embedded.ReplicatedPair;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import java.util.concurrent.TimeoutException;

/**
 * A source and a target, the demo's tables on both, and PostgreSQL's own logical replication in
 * between as the applier under test.
 */
public final class DemoServers implements AutoCloseable {

  private static final String[] TABLES = {
    """
    CREATE TABLE public.orders (
      id bigint PRIMARY KEY,
      customer uuid NOT NULL,
      status varchar(10) NOT NULL,
      total numeric(12,2) NOT NULL,
      placed_at timestamptz NOT NULL DEFAULT now(),
      note text)
    """,
    """
    CREATE TABLE public.customers (
      id uuid PRIMARY KEY,
      name text NOT NULL,
      tags text[] NOT NULL DEFAULT '{}',
      profile jsonb)
    """,
    """
    CREATE TABLE public.stock (
      warehouse char(4),
      sku text,
      quantity integer NOT NULL,
      weight double precision,
      PRIMARY KEY (warehouse, sku))
    """,
    """
    CREATE TABLE public."Page Views" (
      page text PRIMARY KEY,
      views bigint NOT NULL)
    """
  };

  private final ReplicatedPair pair;

  private DemoServers(ReplicatedPair pair) {
    this.pair = pair;
  }

  /** Starts the servers, joined, with empty tables. */
  public static DemoServers start()
      throws SQLException, IOException, TimeoutException, InterruptedException {
    ReplicatedPair pair = ReplicatedPair.start(PostgresServer.builder(), PostgresServer.builder());
    boolean joined = false;
    try {
      pair.onBoth(TABLES);
      pair.join();
      joined = true;
      return new DemoServers(pair);
    } finally {
      if (!joined) {
        pair.close();
      }
    }
  }

  /** A new connection to the source; the caller closes it. */
  public Connection connectSource() throws SQLException {
    return pair.source().connect(ReplicatedPair.DATABASE);
  }

  /** Runs statements on the source, each in its own transaction. */
  public void onSource(String... statements) throws SQLException {
    pair.onSource(statements);
  }

  /** Runs statements on the target, past the applier. */
  public void onTarget(String... statements) throws SQLException {
    pair.onTarget(statements);
  }

  /** The first column of the first row, empty if there is none or it is NULL. */
  Optional<String> askTarget(String query, long id) throws SQLException {
    try (Connection connection = connectTarget();
        PreparedStatement statement = connection.prepareStatement(query)) {
      statement.setLong(1, id);
      try (ResultSet rows = statement.executeQuery()) {
        return rows.next() ? Optional.ofNullable(rows.getString(1)) : Optional.empty();
      }
    }
  }

  /** Stops the applier; changes wait. */
  public void pauseApplier() throws SQLException, TimeoutException, InterruptedException {
    pair.pauseApplier();
  }

  /** Starts the applier again. */
  public void resumeApplier() throws SQLException {
    pair.resumeApplier();
  }

  /** Waits until the target has applied what is committed on the source now. */
  public void awaitApplied() throws SQLException, TimeoutException, InterruptedException {
    pair.awaitApplied();
  }

  /** A new connection to the target; the caller closes it. */
  public Connection connectTarget() throws SQLException {
    return pair.target().connect(ReplicatedPair.DATABASE);
  }

  int sourcePort() {
    return pair.source().port();
  }

  String sourceUrl() {
    return pair.source().jdbcUrl(ReplicatedPair.DATABASE);
  }

  String targetUrl() {
    return pair.target().jdbcUrl(ReplicatedPair.DATABASE);
  }

  @Override
  public void close() throws IOException {
    pair.close();
  }
}
