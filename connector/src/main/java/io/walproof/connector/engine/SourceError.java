package io.walproof.connector.engine;

import io.walproof.connector.engine.CaptureException.Reason;
import java.sql.SQLException;

/** Names what a server's error means to an operator, by SQLState. */
final class SourceError {

  static final String INSUFFICIENT_PRIVILEGE = "42501";
  static final String QUERY_CANCELED = "57014";
  static final String LOCK_NOT_AVAILABLE = "55P03";
  static final String CONFIGURATION_LIMIT = "53400";
  static final String UNDEFINED_OBJECT = "42704";
  static final String UNDEFINED_FILE = "58P01";
  static final String DUPLICATE_OBJECT = "42710";
  static final String CHARACTER_NOT_IN_REPERTOIRE = "22021";

  private SourceError() {}

  /** Whether the error has the SQLState. */
  static boolean is(SQLException error, String state) {
    return state.equals(error.getSQLState());
  }

  /** The SQLState; empty if the error has none. */
  static String state(SQLException error) {
    return error.getSQLState() == null ? "" : error.getSQLState();
  }

  /** Whether a connection was refused or broke. */
  static boolean isConnection(SQLException error) {
    return state(error).startsWith("08");
  }

  /**
   * Whether the server was away or full: a broken or refused connection (class 08), a shutdown or a
   * start (57P0x), no connection left (53300).
   */
  static boolean isTransient(SQLException error) {
    String state = state(error);
    return isConnection(error) || state.startsWith("57P0") || state.equals("53300");
  }

  /** A failure to connect. */
  static CaptureException connecting(SQLException error, CaptureSettings settings) {
    String state = state(error);
    String server = place(settings);
    if (state.equals("28P01") || state.startsWith("28")) {
      return new CaptureException(
          Reason.AUTHENTICATION,
          "the source "
              + server
              + " refuses user '"
              + settings.get("database.user")
              + "' (SQLSTATE "
              + state
              + "); check database.user and database.password, and pg_hba.conf on the server",
          error);
    }
    if (state.equals("3D000")) {
      return new CaptureException(
          Reason.UNREACHABLE,
          "the source " + server + " has no such database; check database.dbname",
          error);
    }
    if (isConnection(error) || state.startsWith("57P0") || state.startsWith("53")) {
      return new CaptureException(
          Reason.UNREACHABLE,
          "the source "
              + server
              + " cannot be reached (SQLSTATE "
              + state
              + "); check database.hostname and database.port, and that the server runs and has"
              + " free connections",
          error);
    }
    return query(error, "connecting to the source " + server);
  }

  /** The source's host, port and database. */
  static String place(CaptureSettings settings) {
    return settings.get("database.hostname")
        + ":"
        + settings.get("database.port")
        + "/"
        + settings.get("database.dbname");
  }

  /** A failed statement that has no better explanation. */
  static CaptureException query(SQLException error, String doing) {
    return new CaptureException(
        Reason.SERVER, doing + " failed (SQLSTATE " + error.getSQLState() + ")", error);
  }
}
