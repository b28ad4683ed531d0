package io.walproof.verifier.database;

import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.sql.SQLException;
import javax.net.ssl.SSLException;

/** Sentences for people: what failed, by SQLState and class, and the way out. Never server text. */
final class Explanation {

  /** What poolers say where a server would not: of their own limits, and of what they lack. */
  private static final String PROTOCOL_VIOLATION = "08P01";

  private Explanation() {}

  static String of(
      DatabaseSettings settings, SQLException e, SqlFailure failure, boolean timedOut, int tries) {
    String where = "the " + settings;
    String state = SqlFailure.state(e);
    String code = " (SQLSTATE " + state + ")";
    return switch (failure) {
      case CONNECTION -> unreachable(settings, e) + code + after(tries);
      case PASSING -> where + " was " + busy(state) + code + after(tries);
      case CANCELLED ->
          timedOut
              ? "a statement on " + where + " ran into its time limit" + code
              : "a statement on " + where + " was cancelled by somebody else" + code + after(tries);
      case REFUSED -> refused(settings, state) + code;
      case PERMISSION -> "the role " + role(settings) + " lacks a privilege on " + where + code;
      case CATALOG -> "a statement does not fit the catalog of " + where + code;
      case DATA -> "a value on " + where + " cannot be read or converted" + code;
      case INTERNAL, OTHER -> "a statement on " + where + " failed" + code;
    };
  }

  private static String unreachable(DatabaseSettings settings, SQLException e) {
    String where = "the " + settings;
    if (SqlFailure.state(e).equals(PROTOCOL_VIOLATION)) {
      return "what answers for "
          + where
          + " refuses what a session needs; a connection pooler must be in session or transaction"
          + " mode and have room; or let "
          + settings.urlSetting()
          + " lead to the server itself";
    }
    for (Throwable at = e; at != null; at = at.getCause()) {
      if (at instanceof UnknownHostException) {
        return "the host of " + where + " has no address; check " + settings.urlSetting();
      }
      if (at instanceof ConnectException) {
        return where + " refuses connections; check that it runs, and " + settings.urlSetting();
      }
      if (at instanceof SocketTimeoutException) {
        return where + " did not answer in time";
      }
      if (at instanceof SSLException) {
        return "no TLS connection to "
            + where
            + "; check the ssl parameters of "
            + settings.urlSetting();
      }
    }
    return "no connection to " + where + ", or it broke";
  }

  private static String busy(String state) {
    return switch (state) {
      case "57P03" -> "starting up or shutting down";
      case "53300" -> "out of connection slots";
      case "55P03" -> "holding a lock for longer than lock_timeout";
      case "40001" -> "in conflict with recovery or another transaction";
      default -> "in a deadlock";
    };
  }

  private static String refused(DatabaseSettings settings, String state) {
    if (state.equals("3D000")) {
      return "the " + settings + " does not exist; check " + settings.urlSetting();
    }
    return "the "
        + settings
        + " does not let "
        + role(settings)
        + " in; check "
        + settings.loginSettings()
        + ", and the server's pg_hba.conf";
  }

  private static String role(DatabaseSettings settings) {
    return settings.user().isEmpty() ? "our role" : '"' + settings.user() + '"';
  }

  private static String after(int tries) {
    return tries > 1 ? " in " + tries + " attempts" : "";
  }
}
