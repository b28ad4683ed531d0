package io.walproof.verifier.row;

import io.walproof.contract.TableId;
import io.walproof.contract.Time;
import io.walproof.verifier.database.Database;
import io.walproof.verifier.database.DatabaseException;
import io.walproof.verifier.database.Outcome;
import io.walproof.verifier.database.Session;
import io.walproof.verifier.database.TransactionKind;
import io.walproof.verifier.database.Transactions;
import io.walproof.verifier.model.Cancellation;
import io.walproof.verifier.model.Deadline;
import io.walproof.verifier.model.Side;
import java.time.Duration;
import java.util.Optional;

/** What settings are held against: both catalogs as they are now. */
final class CheckedCatalogs {

  private static final Duration ONE_READ = Duration.ofSeconds(60);

  private static final String SCHEMA =
      "SELECT pg_catalog.count(*) FROM pg_catalog.pg_namespace AS n"
          + " WHERE n.nspname = CAST(? AS pg_catalog.text)";

  private final Transactions source;
  private final Transactions target;
  private final JdbcRowAccess rows;
  private final Time time;

  /**
   * @param names what the target calls the tables and columns
   */
  CheckedCatalogs(Database source, Database target, TargetNames names, Time time) {
    this.source = new Transactions(source, time);
    this.target = new Transactions(target, time);
    this.rows =
        new JdbcRowAccess(this.source, this.target, RowSettings.defaults().withNames(names));
    this.time = time;
  }

  /**
   * A side's table and columns, known by the source's names; empty if there is none.
   *
   * @param table the source's name
   * @throws DatabaseException if the side cannot be read
   */
  Optional<SideCatalog> table(Side side, TableId table) {
    return done(
        "the columns of " + table,
        rows.catalog(side, table, Deadline.in(time, ONE_READ), new Cancellation()));
  }

  /**
   * Whether a side has a schema of this name of its own.
   *
   * @throws DatabaseException if the side cannot be read
   */
  boolean hasSchema(Side side, String name) {
    Outcome<String> outcome =
        (side == Side.SOURCE ? source : target)
            .run(
                TransactionKind.CATALOG,
                Deadline.in(time, ONE_READ),
                new Cancellation(),
                session -> session.text(SCHEMA, Session.Parameters.texts(name)));
    return done("the schemas", outcome).equals("1");
  }

  private static <T> T done(String what, Outcome<T> outcome) {
    if (outcome instanceof Outcome.Failed<T> failed) {
      throw new DatabaseException(what + " could not be looked up: " + failed.detail());
    }
    return ((Outcome.Done<T>) outcome).value();
  }
}
