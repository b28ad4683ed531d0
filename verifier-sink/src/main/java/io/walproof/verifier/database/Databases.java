package io.walproof.verifier.database;

import io.walproof.contract.Time;
import io.walproof.verifier.model.Cancellation;
import io.walproof.verifier.model.Deadline;

/** Builds the external clients, and checks at start-up that they can be used. */
public final class Databases {

  private Databases() {}

  /** A pool; it connects when first asked for a connection. */
  public static Database open(DatabaseSettings settings, Time time) {
    return new PooledDatabase(settings, time);
  }

  /**
   * Connects and asks who is there.
   *
   * @throws DatabaseException if the host cannot be reached, the role is not let in, or the
   *     database does not exist
   */
  public static DatabaseIdentity check(Database database, Time time, Cancellation cancel) {
    Deadline deadline = Deadline.in(time, database.settings().connectTimeout().multipliedBy(2));
    Outcome<DatabaseIdentity> outcome =
        new Transactions(database, time)
            .run(TransactionKind.ROWS, deadline, cancel, DatabaseIdentity::read);
    if (outcome instanceof Outcome.Done<DatabaseIdentity> done) {
      return done.value();
    }
    throw new DatabaseException(((Outcome.Failed<DatabaseIdentity>) outcome).detail());
  }

  /**
   * Refuses to compare a database with itself, however differently the URLs name it.
   *
   * @throws DatabaseException if both are one
   */
  public static void requireDistinct(DatabaseIdentity source, DatabaseIdentity target) {
    if (source.sameDatabaseAs(target)) {
      throw new DatabaseException(
          "source and target are the same database \""
              + source.name()
              + "\" of the same server: nothing could ever differ. Point verify.target.jdbc.url at"
              + " the database that the pipeline writes to.");
    }
  }
}
