package io.walproof.verifier.connect.decode;

import io.walproof.contract.TableId;
import io.walproof.contract.Time;
import io.walproof.verifier.database.Database;
import io.walproof.verifier.database.DatabaseSettings;
import io.walproof.verifier.database.Databases;
import io.walproof.verifier.database.Outcome;
import io.walproof.verifier.database.Session;
import io.walproof.verifier.database.TransactionKind;
import io.walproof.verifier.database.Transactions;
import io.walproof.verifier.model.Cancellation;
import io.walproof.verifier.model.Deadline;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The source's catalog, asked once a table and a while: a type that changes is seen a moment later.
 */
final class CatalogColumns implements SourceColumns {

  private static final String SQL =
      """
      WITH RECURSIVE base (attnum, oid, modifier) AS (
        SELECT a.attnum, a.atttypid, a.atttypmod
          FROM pg_catalog.pg_attribute AS a
          JOIN pg_catalog.pg_class AS c ON c.oid = a.attrelid
          JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
         WHERE n.nspname = CAST(? AS pg_catalog.text) AND c.relname = CAST(? AS pg_catalog.text)
           AND a.attnum > 0 AND NOT a.attisdropped
        UNION ALL
        SELECT b.attnum, t.typbasetype,
            CASE WHEN b.modifier < 0 THEN t.typtypmod ELSE b.modifier END
          FROM base AS b JOIN pg_catalog.pg_type AS t ON t.oid = b.oid
         WHERE t.typtype = 'd')
      SELECT a.attnum, a.attname, tn.nspname = 'pg_catalog', t.typname, t.typtype, b.modifier,
          c.relreplident = 'i'
        FROM base AS b
        JOIN pg_catalog.pg_type AS t ON t.oid = b.oid AND t.typtype <> 'd'
        JOIN pg_catalog.pg_namespace AS tn ON tn.oid = t.typnamespace
        JOIN pg_catalog.pg_class AS c ON c.relname = CAST(? AS pg_catalog.text)
        JOIN pg_catalog.pg_namespace AS n
          ON n.oid = c.relnamespace AND n.nspname = CAST(? AS pg_catalog.text)
        JOIN pg_catalog.pg_attribute AS a ON a.attrelid = c.oid AND a.attnum = b.attnum
       ORDER BY a.attnum
      """;

  private static final Duration FRESH = Duration.ofSeconds(60);
  private static final Duration VERY_FRESH = Duration.ofSeconds(5);

  /** A question in the middle of a batch; the worker's own patience is minutes. */
  private static final Duration LONGEST = Duration.ofSeconds(20);

  private static final int TABLES_KEPT = 10_000;

  private record Answer(Optional<Table> table, long at) {}

  private final Database database;
  private final Time time;
  private final Map<TableId, Answer> answers =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<TableId, Answer> eldest) {
          return size() > TABLES_KEPT;
        }
      };

  CatalogColumns(DatabaseSettings settings, Time time) {
    this.database =
        Databases.open(
            new DatabaseSettings(
                settings.side(),
                settings.jdbcUrl(),
                settings.user(),
                settings.password(),
                settings.connectTimeout(),
                settings.statementTimeout(),
                1,
                settings.maxAttempts()),
            time);
    this.time = time;
  }

  @Override
  public Optional<Table> table(TableId table, Set<String> names) {
    Answer known = answers.get(table);
    if (known != null) {
      boolean fits = known.table().filter(t -> t.columns().keySet().containsAll(names)).isPresent();
      Duration keep = fits ? FRESH : VERY_FRESH;
      if (time.nanoTime() - known.at() < keep.toNanos()) {
        return known.table();
      }
    }
    Optional<Table> asked = ask(table);
    answers.put(table, new Answer(asked, time.nanoTime()));
    return asked;
  }

  private Optional<Table> ask(TableId table) {
    Outcome<Optional<Table>> outcome =
        new Transactions(database, time)
            .run(
                TransactionKind.ROWS,
                Deadline.in(time, LONGEST),
                new Cancellation(),
                session ->
                    session.query(
                        SQL,
                        Session.Parameters.texts(
                            table.schema(), table.name(), table.name(), table.schema()),
                        CatalogColumns::read));
    if (outcome instanceof Outcome.Done<Optional<Table>> done) {
      return done.value();
    }
    throw new SourceUnavailableException(
        "the columns of "
            + table
            + " could not be read from the source: "
            + ((Outcome.Failed<Optional<Table>>) outcome).detail());
  }

  private static Optional<Table> read(ResultSet rows) throws SQLException {
    List<ColumnType> columns = new ArrayList<>();
    boolean index = false;
    while (rows.next()) {
      columns.add(
          new ColumnType(
              rows.getInt(1),
              rows.getString(2),
              rows.getBoolean(3),
              rows.getString(4),
              rows.getString(5).charAt(0),
              rows.getInt(6)));
      index = rows.getBoolean(7);
    }
    return columns.isEmpty() ? Optional.empty() : Optional.of(Table.of(columns, index));
  }

  @Override
  public void close() {
    database.close();
  }
}
