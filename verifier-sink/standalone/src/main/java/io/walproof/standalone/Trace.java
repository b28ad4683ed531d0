package io.walproof.standalone;

import java.sql.SQLException;

/**
 * A failure's stack for a report, causes included. What a database server wrote is left out: it may
 * quote row values (invariant M); its SQLSTATE says which kind of error it was.
 */
final class Trace {

  private static final int DEEPEST = 20;

  private Trace() {}

  static String of(Throwable failure) {
    StringBuilder text = new StringBuilder();
    Throwable at = failure;
    for (int depth = 0; at != null && depth < DEEPEST; depth++) {
      text.append(depth == 0 ? "" : "caused by ").append(headline(at)).append('\n');
      for (StackTraceElement frame : at.getStackTrace()) {
        text.append("  at ").append(frame).append('\n');
      }
      at = at.getCause();
    }
    return text.toString();
  }

  private static String headline(Throwable failure) {
    String name = failure.getClass().getName();
    if (failure instanceof SQLException sql) {
      return name + ", SQLSTATE " + sql.getSQLState();
    }
    // A message is often its cause's.
    return failure.getCause() instanceof SQLException || failure.getMessage() == null
        ? name
        : name + ": " + failure.getMessage();
  }
}
