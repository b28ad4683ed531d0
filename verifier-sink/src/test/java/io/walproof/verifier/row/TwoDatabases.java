package io.walproof.verifier.row;

import io.walproof.contract.RowKey;
import io.walproof.contract.TableId;
import io.walproof.contract.Time;
import io.walproof.embedded.PostgresServer;
import io.walproof.verifier.database.Database;
import io.walproof.verifier.database.DatabaseSettings;
import io.walproof.verifier.database.Databases;
import io.walproof.verifier.model.Cancellation;
import io.walproof.verifier.model.Deadline;
import io.walproof.verifier.model.Side;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/** One server with two databases, and a row access on them. */
final class TwoDatabases implements AutoCloseable {

  final PostgresServer server;
  final Database source;
  final Database target;
  final RowAccess access;

  TwoDatabases(int major) throws SQLException {
    this(PostgresServer.builder().major(major).setting("max_prepared_transactions", "5"));
  }

  TwoDatabases(PostgresServer.Builder builder) throws SQLException {
    server = builder.start();
    server.execute("postgres", "CREATE DATABASE here", "CREATE DATABASE there");
    source = open(Side.SOURCE, PostgresServer.SUPERUSER, "");
    target = open(Side.TARGET, PostgresServer.SUPERUSER, "");
    access = access(RowSettings.defaults());
  }

  Database open(Side side, String user, String parameters) {
    return Databases.open(
        new DatabaseSettings(
            side,
            server.jdbcUrl(name(side)) + parameters,
            user,
            "",
            Duration.ofSeconds(10),
            Duration.ofSeconds(20),
            2,
            3),
        Time.system());
  }

  RowAccess access(RowSettings settings) {
    return RowAccesses.create(source, target, settings, Time.system());
  }

  static String name(Side side) {
    return side == Side.SOURCE ? "here" : "there";
  }

  void onSource(String... sql) throws SQLException {
    server.execute("here", sql);
  }

  void onTarget(String... sql) throws SQLException {
    server.execute("there", sql);
  }

  void onBoth(String... sql) throws SQLException {
    onSource(sql);
    onTarget(sql);
  }

  static Deadline soon() {
    return Deadline.in(Time.system(), Duration.ofSeconds(30));
  }

  static RowKey key(List<String> columns, String... texts) {
    RowKey.Column[] parts = new RowKey.Column[texts.length];
    for (int i = 0; i < texts.length; i++) {
      parts[i] = new RowKey.Column(columns.get(i), texts[i]);
    }
    return new RowKey(Arrays.asList(parts));
  }

  RowAccess.Opening opening(String table, String... keyColumns) {
    return access.open(TableId.parse(table), List.of(keyColumns), soon(), new Cancellation());
  }

  TablePlan plan(String table, String... keyColumns) {
    RowAccess.Opening opening = opening(table, keyColumns);
    if (opening instanceof RowAccess.Opening.Ready ready) {
      return ready.plan();
    }
    throw new AssertionError("no plan: " + opening);
  }

  List<KeyRead> read(Side side, TablePlan plan, String... singleKeys) {
    List<RowKey> keys =
        Arrays.stream(singleKeys).map(text -> key(plan.keyColumns(), text)).toList();
    return rows(access.read(side, plan, keys, soon(), new Cancellation()));
  }

  static List<KeyRead> rows(RowAccess.BatchRead read) {
    if (read instanceof RowAccess.BatchRead.Rows rows) {
      return rows.rows();
    }
    throw new AssertionError("not read: " + read);
  }

  /** Reads the key on both sides; both must have the row. Returns the columns that differ. */
  List<String> differing(TablePlan plan, String... singleKeys) {
    List<KeyRead> here = read(Side.SOURCE, plan, singleKeys);
    List<KeyRead> there = read(Side.TARGET, plan, singleKeys);
    List<String> all = new java.util.ArrayList<>();
    for (int i = 0; i < here.size(); i++) {
      if (!(here.get(i) instanceof KeyRead.Found a) || !(there.get(i) instanceof KeyRead.Found b)) {
        throw new AssertionError("not found: " + here.get(i) + ", " + there.get(i));
      }
      List<String> columns = plan.differingColumns(a, b);
      if (columns.isEmpty() != a.hash().equals(b.hash())) {
        throw new AssertionError("row hash and column hashes disagree");
      }
      all.addAll(columns);
    }
    return all;
  }

  @Override
  public void close() throws IOException {
    access.close();
    source.close();
    target.close();
    server.close();
  }
}
