package io.walproof.connector.engine;

import io.walproof.connector.engine.CaptureException.Reason;
import io.walproof.connector.relation.TapException;
import io.walproof.connector.schema.HistoryFullException;
import java.io.IOException;
import java.sql.SQLException;

/** Names what ended an engine. Debezium's own texts may quote row values, so they are left out. */
final class EngineFailure {

  private EngineFailure() {}

  static CaptureException of(Throwable error, CaptureSettings settings) {
    Throwable at = error;
    Throwable root = error;
    while (at != null) {
      if (at instanceof CaptureException known) {
        return known;
      }
      if (at instanceof TapException) {
        return new CaptureException(Reason.STREAM, at.getMessage(), at);
      }
      if (at instanceof HistoryFullException) {
        return new CaptureException(Reason.SETTING, at.getMessage(), at);
      }
      root = at;
      at = at.getCause();
    }
    SQLException sql = find(error, SQLException.class);
    if (sql != null && SourceError.is(sql, SourceError.UNDEFINED_OBJECT)) {
      return new CaptureException(
          Reason.PUBLICATION,
          "the slot's stream reaches back to before publication.name was made, or the publication"
              + " was dropped (SQLSTATE "
              + sql.getSQLState()
              + "), so those changes cannot be delivered. Drop the slot with SELECT"
              + " pg_catalog.pg_drop_replication_slot(...), and start once with"
              + " drift.accept.gap=true (walproof run --accept-gap): a new slot is made, and the gap"
              + " is reported",
          sql);
    }
    if (sql != null && SourceError.is(sql, SourceError.CHARACTER_NOT_IN_REPERTOIRE)) {
      return new CaptureException(
          Reason.STREAM,
          "the source's database has a changed row that is no UTF-8, and its server sends nothing"
              + " from there on (SQLSTATE "
              + sql.getSQLState()
              + "). A database in SQL_ASCII takes any bytes: move it to UTF8. To go on without the"
              + " changes since, drop the slot with SELECT pg_catalog.pg_drop_replication_slot(...),"
              + " and start once with drift.accept.gap=true (walproof run --accept-gap): the gap is"
              + " reported",
          sql);
    }
    if (sql != null && SourceError.isTransient(sql)) {
      return away(settings, " (SQLSTATE " + sql.getSQLState() + ")", sql);
    }
    if (sql != null) {
      return new CaptureException(
          Reason.SERVER,
          "the source "
              + SourceError.place(settings)
              + " ended the capture (SQLSTATE "
              + sql.getSQLState()
              + "), and errors.max.retries attempts did not help",
          sql);
    }
    IOException io = find(error, IOException.class);
    if (io != null) {
      return away(settings, "", io);
    }
    CaptureException failure =
        new CaptureException(
            Reason.ENGINE, "Debezium's engine failed with " + root.getClass().getName());
    // Where, but not with which values.
    failure.setStackTrace(root.getStackTrace());
    return failure;
  }

  private static CaptureException away(CaptureSettings settings, String state, Throwable cause) {
    return new CaptureException(
        Reason.UNREACHABLE,
        "the source "
            + SourceError.place(settings)
            + " cannot be reached any more"
            + state
            + ", and errors.max.retries attempts did not help; see that it runs and that"
            + " database.hostname and database.port lead to it, then start again: nothing is lost",
        cause);
  }

  private static <T extends Throwable> T find(Throwable error, Class<T> type) {
    for (Throwable at = error; at != null; at = at.getCause()) {
      if (type.isInstance(at)) {
        return type.cast(at);
      }
    }
    return null;
  }
}
