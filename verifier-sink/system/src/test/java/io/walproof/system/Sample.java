package io.walproof.system;

import io.walproof.cluster.ConnectRest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;

/**
 * Where the running sample is reached: both databases, Kafka and Connect.
 *
 * @param addresses where each service's {@code host:port} is reached from Connect, if elsewhere
 * @param source a JDBC URL with the superuser's credentials
 * @param target the same for the target
 */
record Sample(
    String source,
    String target,
    String bootstrapServers,
    ConnectRest rest,
    Map<String, String> addresses) {

  /** Deploys a configuration and waits until its connector runs with one task. */
  void deploy(String name) {
    deploy(name, Map.of());
  }

  /** The same with some settings changed. */
  void deploy(String name, Map<String, String> changed) {
    Map<String, String> config = ConfigFile.read(name, addresses);
    config.putAll(changed);
    rest.deploy(name, config);
    rest.awaitRunning(name, 1);
  }

  /** Runs statements on the source, in one transaction. */
  void onSource(String sql) throws SQLException {
    execute(source, sql);
  }

  /** Runs statements on the target, in one transaction. */
  void onTarget(String sql) throws SQLException {
    execute(target, sql);
  }

  /** A query's single value on the source. */
  String sourceText(String query) throws SQLException {
    return text(source, query);
  }

  /** A query's single value on the target. */
  String targetText(String query) throws SQLException {
    return text(target, query);
  }

  /** The text of a script of the sample. */
  static String script(String name) {
    try {
      return Files.readString(Delivered.ROOT.resolve("config/compose/" + name));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the script " + name, e);
    }
  }

  private static void execute(String url, String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static String text(String url, String query) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      rows.next();
      return rows.getString(1);
    }
  }
}
