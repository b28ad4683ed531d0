package io.walproof.verifier.database;

import io.walproof.verifier.model.Cancellation;
import io.walproof.verifier.model.Deadline;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyOut;

/**
 * One open transaction, for the thread that runs it. Raising the cancellation stops a statement; no
 * statement begins once the deadline has passed.
 */
public final class Session {

  private final Connection connection;
  private final Cancellation cancel;
  private final Deadline deadline;

  Session(Connection connection, Deadline deadline, Cancellation cancel) {
    this.connection = connection;
    this.deadline = deadline;
    this.cancel = cancel;
  }

  /**
   * SQL from elsewhere as a part of a query here, where a question mark is a parameter: outside of
   * quotes it is doubled, as in an operator's name.
   */
  public static String verbatim(String sql) {
    StringBuilder text = new StringBuilder();
    char quote = 0;
    for (int at = 0; at < sql.length(); at++) {
      char c = sql.charAt(at);
      if (quote == 0 && (c == '\'' || c == '"')) {
        quote = c;
      } else if (c == quote) {
        quote = 0;
      }
      text.append(quote == 0 && c == '?' ? "??" : c);
    }
    return text.toString();
  }

  /**
   * Runs one query and maps its rows.
   *
   * @throws SQLException if the server or the mapping says so, or the work is cancelled
   */
  public <T> T query(String sql, Parameters parameters, Rows<T> rows) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      parameters.bind(new Binder(connection, statement));
      return stoppable(
          statement,
          () -> {
            try (ResultSet result = statement.executeQuery()) {
              return rows.map(result);
            }
          });
    }
  }

  /** The first row's first column as text; null if it is NULL or there is no row. */
  public String text(String sql, Parameters parameters) throws SQLException {
    return query(sql, parameters, rows -> rows.next() ? rows.getString(1) : null);
  }

  /**
   * Whether the server process that answers is the one that greeted the connection. If it is not, a
   * connection pooler lies between: the next transaction may meet another process.
   */
  public boolean isDirect() throws SQLException {
    int greeted = connection.unwrap(PGConnection.class).getBackendPID();
    return query(
        "SELECT pg_catalog.pg_backend_pid()",
        Parameters.NONE,
        rows -> rows.next() && rows.getInt(1) == greeted);
  }

  /**
   * Streams a query's rows in PostgreSQL's text COPY format, encoded in UTF-8; a row at a time, so
   * that the result needs no memory.
   *
   * @param query a query without parameters
   * @param row gets each row's bytes, with the newline at its end; the array is its own
   * @throws SQLException if the server or the receiver says so, or the work is cancelled
   */
  public void copyOut(String query, CopiedRow row) throws SQLException {
    PGConnection postgres = connection.unwrap(PGConnection.class);
    Cancellation.Registration registration = cancel.onCancel(() -> cancelQuietly(postgres));
    try {
      requireTime();
      // COPY takes no parameters, so that JDBC would leave doubled question marks as they are.
      String plain = connection.nativeSQL(query);
      CopyOut copy = postgres.getCopyAPI().copyOut("COPY (" + plain + ") TO STDOUT");
      try {
        byte[] bytes = copy.readFromCopy();
        while (bytes != null) {
          row.accept(bytes);
          bytes = copy.readFromCopy();
        }
      } finally {
        // A receiver that gave up leaves the connection in the middle of the stream.
        if (copy.isActive()) {
          copy.cancelCopy();
        }
      }
    } finally {
      registration.close();
    }
  }

  /** Receives the rows of a COPY. */
  @FunctionalInterface
  public interface CopiedRow {
    /** Takes the next row. */
    void accept(byte[] bytes) throws SQLException;
  }

  private static void cancelQuietly(PGConnection postgres) {
    try {
      postgres.cancelQuery();
    } catch (SQLException e) {
      org.slf4j.LoggerFactory.getLogger(Session.class)
          .debug("cancelling a COPY failed, SQLSTATE {}", SqlFailure.state(e));
    }
  }

  /** Runs statements without parameters, whose results nobody reads. */
  public void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      stoppable(statement, () -> statement.execute(sql));
    }
  }

  /** Runs one statement that writes. */
  public int update(String sql, Parameters parameters) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      parameters.bind(new Binder(connection, statement));
      return stoppable(statement, statement::executeUpdate);
    }
  }

  private <T> T stoppable(Statement statement, Call<T> call) throws SQLException {
    Cancellation.Registration registration = cancel.onCancel(() -> cancelQuietly(statement));
    try {
      requireTime();
      return call.run();
    } finally {
      registration.close();
    }
  }

  /** The server bounds one statement, and a transaction may have many. */
  private void requireTime() throws StoppedException {
    if (cancel.isCancelled()) {
      throw new StoppedException("cancelled");
    }
    if (deadline.hasPassed()) {
      throw new StoppedException("no time was left");
    }
  }

  @FunctionalInterface
  private interface Call<T> {
    T run() throws SQLException;
  }

  private static void cancelQuietly(Statement statement) {
    try {
      statement.cancel();
    } catch (SQLException e) {
      // The statement ends by itself or by its timeout; whoever waits for it learns of that.
      org.slf4j.LoggerFactory.getLogger(Session.class)
          .debug("cancelling a statement failed, SQLSTATE {}", SqlFailure.state(e));
    }
  }

  /** Sets a statement's parameters. */
  @FunctionalInterface
  public interface Parameters {
    /** For statements without any. */
    Parameters NONE = binder -> {};

    /** Sets them. */
    void bind(Binder binder) throws SQLException;

    /** All of them text, in order. */
    static Parameters texts(String... values) {
      return binder -> {
        for (String value : values) {
          binder.text(value);
        }
      };
    }
  }

  /** Reads a result. */
  @FunctionalInterface
  public interface Rows<T> {
    /** Reads it. */
    T map(ResultSet rows) throws SQLException;
  }

  /** Sets parameters from left to right. */
  public static final class Binder {
    private final Connection connection;
    private final PreparedStatement statement;
    private int at;

    Binder(Connection connection, PreparedStatement statement) {
      this.connection = connection;
      this.statement = statement;
    }

    /** The next parameter, as text. */
    public void text(String value) throws SQLException {
      statement.setString(++at, value);
    }

    /** The next parameter, as an array of text. */
    public void texts(String[] values) throws SQLException {
      Array array = connection.createArrayOf("text", values);
      statement.setArray(++at, array);
    }
  }
}
