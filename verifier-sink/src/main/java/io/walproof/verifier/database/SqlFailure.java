package io.walproof.verifier.database;

import java.sql.SQLException;
import java.util.Set;

/** What an SQLException means for the work at hand, told by its SQLState alone. */
public enum SqlFailure {
  /** The connection is gone or was never made; another one may work. */
  CONNECTION,
  /** The server asks to try again: recovery conflict, deadlock, lock timeout, start-up. */
  PASSING,
  /** A statement was cancelled: by us, by {@code statement_timeout} or by an administrator. */
  CANCELLED,
  /** Wrong password, unknown role or database, no permission to connect. */
  REFUSED,
  /** A missing privilege, or rows hidden by row-level security. */
  PERMISSION,
  /** A relation, column, type or operator is not what the statement took it for. */
  CATALOG,
  /** One value or row cannot be read or converted; others can. */
  DATA,
  /** A server bug or damaged catalog; may concern one row or a catalog that changed meanwhile. */
  INTERNAL,
  /** Anything else. */
  OTHER;

  static final String QUERY_CANCELED = "57014";

  private static final Set<String> CONNECTION_STATES =
      Set.of("57P01", "57P02", "57P05", "25P03", "25P04", "26000", "42P05");
  private static final Set<String> PASSING_STATES =
      Set.of("57P03", "40001", "40P01", "55P03", "53300");
  private static final Set<String> CATALOG_STATES =
      Set.of("42P01", "42703", "42704", "42883", "3F000", "0A000", "42804", "42809", "42846");
  private static final Set<String> DATA_STATES =
      Set.of("54000", "54001", "53200", "P0001", "XX001", "XX002", "23514", "23502");

  /** The meaning. */
  public static SqlFailure of(SQLException e) {
    String state = state(e);
    if (state.equals(QUERY_CANCELED)) {
      return CANCELLED;
    }
    if (state.equals("42501")) {
      return PERMISSION;
    }
    if (state.startsWith("28") || state.equals("3D000")) {
      return REFUSED;
    }
    if (PASSING_STATES.contains(state)) {
      return PASSING;
    }
    if (state.startsWith("08")
        || CONNECTION_STATES.contains(state)
        || e instanceof java.sql.SQLTransientConnectionException) {
      return CONNECTION;
    }
    if (CATALOG_STATES.contains(state)) {
      return CATALOG;
    }
    if (state.startsWith("22") || state.startsWith("38") || DATA_STATES.contains(state)) {
      return DATA;
    }
    return state.equals("XX000") ? INTERNAL : OTHER;
  }

  /** Whether trying again on another connection may help. */
  public boolean mayPass() {
    return this == CONNECTION || this == PASSING;
  }

  /** The exception's SQLState, or its cause's, or {@code none}. */
  static String state(SQLException e) {
    for (Throwable at = e; at != null; at = at.getCause()) {
      if (at instanceof SQLException sql && sql.getSQLState() != null) {
        return sql.getSQLState();
      }
    }
    return "none";
  }
}
