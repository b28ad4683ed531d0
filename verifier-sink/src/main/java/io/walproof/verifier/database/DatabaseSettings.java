package io.walproof.verifier.database;

import io.walproof.verifier.model.Side;
import java.time.Duration;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * How one side is reached.
 *
 * @param side which database
 * @param jdbcUrl a {@code jdbc:postgresql:} URL; its parameters may hold secrets, so it is never
 *     printed: see {@link #safeUrl()}
 * @param user the role; empty if the URL names it
 * @param password the password; empty if none is needed
 * @param connectTimeout how long to try for a connection
 * @param statementTimeout the longest that one statement may run, whatever the deadline
 * @param maxConnections the pool's bound
 * @param maxAttempts how often a transaction is tried when a failure is known to be passing
 */
public record DatabaseSettings(
    Side side,
    String jdbcUrl,
    String user,
    String password,
    Duration connectTimeout,
    Duration statementTimeout,
    int maxConnections,
    int maxAttempts) {

  private static final String SCHEME = "jdbc:postgresql:";
  private static final Pattern USER_INFO = Pattern.compile("//.*@");

  /** Refuses what cannot work, without printing the URL. */
  public DatabaseSettings {
    Objects.requireNonNull(side, "side");
    Objects.requireNonNull(user, "user");
    Objects.requireNonNull(password, "password");
    if (!Objects.requireNonNull(jdbcUrl, "jdbcUrl").startsWith(SCHEME)) {
      throw new IllegalArgumentException(
          urlSetting(side) + " must start with " + SCHEME + ", as in " + SCHEME + "//host:5432/db");
    }
    if (connectTimeout.isNegative() || connectTimeout.isZero()) {
      throw new IllegalArgumentException("the connect timeout must be positive");
    }
    if (statementTimeout.isNegative() || statementTimeout.isZero()) {
      throw new IllegalArgumentException("the statement timeout must be positive");
    }
    if (maxConnections < 1 || maxAttempts < 1) {
      throw new IllegalArgumentException("connections and attempts must be at least 1");
    }
  }

  /** With the default bounds: 10 s to connect, 60 s a statement, 2 connections, 3 attempts. */
  public static DatabaseSettings of(Side side, String jdbcUrl, String user, String password) {
    return new DatabaseSettings(
        side, jdbcUrl, user, password, Duration.ofSeconds(10), Duration.ofSeconds(60), 2, 3);
  }

  /** The same with another bound of the pool. */
  public DatabaseSettings withConnections(int most) {
    return new DatabaseSettings(
        side, jdbcUrl, user, password, connectTimeout, statementTimeout, most, maxAttempts);
  }

  /** The URL without its parameters and without credentials, for messages. */
  public String safeUrl() {
    int parameters = jdbcUrl.indexOf('?');
    String bare = parameters < 0 ? jdbcUrl : jdbcUrl.substring(0, parameters);
    return USER_INFO.matcher(bare).replaceAll("//***@");
  }

  /** The settings that lead to the server and the database, for messages. */
  public String urlSetting() {
    return switch (side) {
      case SOURCE ->
          "database.hostname, database.port and database.dbname (or "
              + urlSetting(side)
              + ", if it is set)";
      case TARGET -> urlSetting(side);
    };
  }

  /** The settings that say who connects, for messages. */
  String loginSettings() {
    return switch (side) {
      case SOURCE ->
          "database.user and database.password (or verify.source.user and verify.source.password,"
              + " if they are set)";
      case TARGET ->
          user.isEmpty()
              ? "user and password in " + urlSetting(side)
              : "verify.target.user and verify.target.password";
    };
  }

  private static String urlSetting(Side side) {
    return "verify." + side.text() + ".jdbc.url";
  }

  /** Without secrets. */
  @Override
  public String toString() {
    return side.text() + " database at " + safeUrl();
  }
}
