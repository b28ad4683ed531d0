package io.walproof.standalone.demo;

import io.walproof.embedded.PostgresServer;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;

/**
 * A source and a target, the demo's tables on both, and PostgreSQL's own logical replication in
 * between as the applier under test.
 */
final class DemoServers implements AutoCloseable {

  static final String DATABASE = "shop";
  static final String SUBSCRIPTION = "shop_copy";

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

  private final PostgresServer source;
  private final PostgresServer target;

  private DemoServers(PostgresServer source, PostgresServer target) {
    this.source = source;
    this.target = target;
  }

  static DemoServers start() throws SQLException, IOException {
    PostgresServer source = PostgresServer.builder().start();
    try {
      DemoServers servers = new DemoServers(source, PostgresServer.builder().start());
      servers.join();
      return servers;
    } catch (SQLException | RuntimeException e) {
      source.close();
      throw e;
    }
  }

  private void join() throws SQLException {
    for (PostgresServer server : new PostgresServer[] {source, target}) {
      server.execute("postgres", "CREATE DATABASE " + DATABASE);
      server.execute(DATABASE, TABLES);
    }
    source.execute(DATABASE, "CREATE PUBLICATION shop FOR ALL TABLES");
    target.execute(
        DATABASE,
        "CREATE SUBSCRIPTION %s CONNECTION 'host=127.0.0.1 port=%d dbname=%s user=%s' PUBLICATION shop"
            .formatted(SUBSCRIPTION, source.port(), DATABASE, PostgresServer.SUPERUSER));
  }

  Connection connectSource() throws SQLException {
    return source.connect(DATABASE);
  }

  Connection connectTarget() throws SQLException {
    return target.connect(DATABASE);
  }

  void onSource(String... statements) throws SQLException {
    source.execute(DATABASE, statements);
  }

  void onTarget(String... statements) throws SQLException {
    target.execute(DATABASE, statements);
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

  /** Whether every table has had its initial copy. */
  boolean isReplicating() throws SQLException {
    try (Connection connection = connectTarget();
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT count(*) FILTER (WHERE srsubstate = 'r'), count(*) FROM"
                    + " pg_catalog.pg_subscription_rel")) {
      rows.next();
      return rows.getInt(2) == TABLES.length && rows.getInt(1) == TABLES.length;
    }
  }

  void pauseApplier() throws SQLException {
    onTarget("ALTER SUBSCRIPTION " + SUBSCRIPTION + " DISABLE");
  }

  void resumeApplier() throws SQLException {
    onTarget("ALTER SUBSCRIPTION " + SUBSCRIPTION + " ENABLE");
  }

  int sourcePort() {
    return source.port();
  }

  String targetUrl() {
    return target.jdbcUrl(DATABASE);
  }

  String sourceUrl() {
    return source.jdbcUrl(DATABASE);
  }

  @Override
  public void close() throws IOException {
    try {
      target.close();
    } finally {
      source.close();
    }
  }
}
