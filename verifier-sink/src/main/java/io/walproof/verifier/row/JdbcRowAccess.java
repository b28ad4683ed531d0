package io.walproof.verifier.row;

import io.walproof.contract.RowKey;
import io.walproof.contract.TableId;
import io.walproof.verifier.database.Outcome;
import io.walproof.verifier.database.Session;
import io.walproof.verifier.database.TransactionKind;
import io.walproof.verifier.database.Transactions;
import io.walproof.verifier.model.Cancellation;
import io.walproof.verifier.model.Deadline;
import io.walproof.verifier.model.HeldCommits;
import io.walproof.verifier.model.IncompleteReason;
import io.walproof.verifier.model.Side;
import io.walproof.verifier.model.VisibleTransactions;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Row access by JDBC. Borrows one connection for each transaction and keeps none in between. */
final class JdbcRowAccess implements RowAccess {

  /**
   * What others' sessions wait for is shown to members of their role and of pg_read_all_stats; that
   * they have a transaction with an id, and prepared ones, to everybody.
   */
  private static final String HELD_COMMITS =
      "SELECT pg_catalog.concat_ws(' ', a.pid, a.backend_xid, a.xact_start)"
          + " FROM pg_catalog.pg_stat_activity AS a"
          + " CROSS JOIN LATERAL (SELECT pg_catalog.pg_has_role('pg_read_all_stats', 'USAGE')"
          + " OR pg_catalog.pg_has_role(a.usesysid, 'USAGE') AS shown) AS role"
          + " WHERE pg_catalog.current_setting('synchronous_standby_names') <> ''"
          + " AND a.pid <> pg_catalog.pg_backend_pid()"
          + " AND CASE WHEN role.shown THEN a.wait_event_type = 'IPC' AND a.wait_event = 'SyncRep'"
          + " ELSE a.backend_xid IS NOT NULL END"
          + " UNION ALL SELECT p.transaction::text FROM pg_catalog.pg_prepared_xacts AS p"
          + " WHERE pg_catalog.current_setting('synchronous_standby_names') <> ''"
          + " AND NOT pg_catalog.pg_has_role('pg_read_all_stats', 'USAGE')";

  private final Transactions source;
  private final Transactions target;
  private final RowSettings settings;

  JdbcRowAccess(Transactions source, Transactions target, RowSettings settings) {
    this.source = source;
    this.target = target;
    this.settings = settings;
  }

  @Override
  public Opening open(
      TableId table, List<String> keyColumns, Deadline deadline, Cancellation cancel) {
    Outcome<Optional<SideCatalog>> here = catalog(Side.SOURCE, table, deadline, cancel);
    if (here instanceof Outcome.Failed<Optional<SideCatalog>> failed) {
      return new Opening.Unavailable(reason(Side.SOURCE, failed.cause()), failed.detail());
    }
    Outcome<Optional<SideCatalog>> there = catalog(Side.TARGET, table, deadline, cancel);
    if (there instanceof Outcome.Failed<Optional<SideCatalog>> failed) {
      return new Opening.Unavailable(reason(Side.TARGET, failed.cause()), failed.detail());
    }
    return new TablePlanner(table, keyColumns, settings)
        .plan(
            ((Outcome.Done<Optional<SideCatalog>>) here).value(),
            ((Outcome.Done<Optional<SideCatalog>>) there).value());
  }

  @Override
  public BatchRead read(
      Side side, TablePlan plan, List<RowKey> keys, Deadline deadline, Cancellation cancel) {
    if (!(plan instanceof PlannedTable planned)) {
      throw new IllegalArgumentException("the plan was not made here");
    }
    for (RowKey key : keys) {
      if (!key.isNamed(plan.keyColumns())) {
        throw new IllegalArgumentException(key + " does not have the plan's columns");
      }
    }
    return new Batch(side, planned, keys, deadline, cancel).read();
  }

  @Override
  public HeldCommits heldCommits(Deadline deadline, Cancellation cancel) {
    Outcome<Set<String>> outcome =
        source.run(
            TransactionKind.ROWS,
            deadline,
            cancel,
            session ->
                session.query(
                    HELD_COMMITS,
                    Session.Parameters.NONE,
                    result -> {
                      Set<String> transactions = new HashSet<>();
                      while (result.next()) {
                        transactions.add(result.getString(1));
                      }
                      return transactions;
                    }));
    if (outcome instanceof Outcome.Failed<Set<String>> failed) {
      return new HeldCommits.Unknown(reason(Side.SOURCE, failed.cause()), failed.detail());
    }
    return new HeldCommits.Known(((Outcome.Done<Set<String>>) outcome).value());
  }

  @Override
  public void close() {
    // The pools belong to whoever opened them.
  }

  /**
   * What a side has of a table.
   *
   * @param table its name on the source
   */
  Outcome<Optional<SideCatalog>> catalog(
      Side side, TableId table, Deadline deadline, Cancellation cancel) {
    TargetNames names = settings.names();
    if (side == Side.SOURCE) {
      return catalog(side, table, Map.of(), deadline, cancel);
    }
    // The planner says why nothing there is the table's.
    return names
        .table(table)
        .map(there -> catalog(side, there, names.columns(table), deadline, cancel))
        .orElseGet(() -> new Outcome.Done<>(Optional.empty()));
  }

  private Outcome<Optional<SideCatalog>> catalog(
      Side side, TableId own, Map<String, String> columns, Deadline deadline, Cancellation cancel) {
    return on(side)
        .run(
            TransactionKind.CATALOG,
            deadline,
            cancel,
            session ->
                CatalogReader.read(session, side, own)
                    .map(catalog -> catalog.inSourceNames(columns)));
  }

  private Transactions on(Side side) {
    return side == Side.SOURCE ? source : target;
  }

  static IncompleteReason readFailed(Side side) {
    return side == Side.SOURCE
        ? IncompleteReason.SOURCE_READ_FAILED
        : IncompleteReason.TARGET_READ_FAILED;
  }

  static IncompleteReason reason(Side side, Outcome.Cause cause) {
    return switch (cause) {
      case CANCELLED -> IncompleteReason.CANCELLED;
      case DEADLINE -> IncompleteReason.TABLE_TIMEOUT;
      case UNREACHABLE, REFUSED, PERMISSION, CATALOG, DATA, INTERNAL, OTHER -> readFailed(side);
    };
  }

  /** One read of one batch: halves it around what cannot be read. */
  private final class Batch {
    private final Side side;
    private final PlannedTable plan;
    private final List<RowKey> keys;
    private final Deadline deadline;
    private final Cancellation cancel;
    private final KeyRead[] results;
    private final KeyLookup lookup;
    private int catalogFailures;

    /** What all of the batch's transactions so far see. */
    private Optional<VisibleTransactions> visible = Optional.empty();

    Batch(Side side, PlannedTable plan, List<RowKey> keys, Deadline deadline, Cancellation cancel) {
      this.side = side;
      this.plan = plan;
      this.keys = keys;
      this.deadline = deadline;
      this.cancel = cancel;
      this.results = new KeyRead[keys.size()];
      this.lookup = new KeyLookup(plan, plan.on(side), settings);
    }

    /** A part of the batch that is still to be read. */
    private record Part(int from, int to) {
      boolean single() {
        return to - from == 1;
      }
    }

    BatchRead read() {
      Deque<Part> open = new ArrayDeque<>();
      if (!keys.isEmpty()) {
        open.push(new Part(0, keys.size()));
      }
      while (!open.isEmpty()) {
        Part part = open.pop();
        Outcome<Boolean> outcome =
            on(side)
                .run(
                    TransactionKind.ROWS,
                    deadline,
                    cancel,
                    session -> {
                      noteVisible(session);
                      return lookup.read(session, keys, results, part.from(), part.to());
                    });
        if (outcome instanceof Outcome.Done<Boolean> done) {
          if (!done.value()) {
            return new BatchRead.PlanStale();
          }
          continue;
        }
        Outcome.Failed<Boolean> failed = (Outcome.Failed<Boolean>) outcome;
        Optional<BatchRead> end = endOrSplit(failed, part, open);
        if (end.isPresent()) {
          return end.get();
        }
      }
      return new BatchRead.Rows(List.of(results), visible);
    }

    /**
     * Before the rows are read, so that they are read by a snapshot that sees no less. A later
     * transaction may meet a server that is behind, where a name or a pooler leads to several.
     */
    private void noteVisible(Session session) throws SQLException {
      if (side == Side.SOURCE) {
        VisibleTransactions now =
            VisibleTransactions.parse(
                session.text("SELECT pg_catalog.pg_current_snapshot()", Session.Parameters.NONE));
        visible = Optional.of(visible.map(now::and).orElse(now));
      }
    }

    private Optional<BatchRead> endOrSplit(
        Outcome.Failed<Boolean> failed, Part part, Deque<Part> open) {
      return switch (failed.cause()) {
        case DATA -> split(failed, part, open);
        case CATALOG, INTERNAL -> {
          // Either the table changed under the plan, or the statement cannot work at all.
          Optional<BatchRead> stale = staleOrUnknown();
          if (stale.isPresent()) {
            yield stale;
          }
          if (failed.cause() == Outcome.Cause.INTERNAL) {
            yield split(failed, part, open);
          }
          if (++catalogFailures < on(side).database().settings().maxAttempts()) {
            open.push(part);
            yield Optional.empty();
          }
          if (plan.on(side).catalog().namesObjects(plan.keyColumns())) {
            // A key may name an object that this server does not have.
            yield split(failed, part, open);
          }
          yield Optional.of(failedRead(failed));
        }
        case CANCELLED, DEADLINE, UNREACHABLE, REFUSED, PERMISSION, OTHER ->
            Optional.of(failedRead(failed));
      };
    }

    private Optional<BatchRead> split(Outcome.Failed<Boolean> failed, Part part, Deque<Part> open) {
      if (part.single()) {
        results[part.from()] =
            new KeyRead.Unreadable(IncompleteReason.NOT_COMPARABLE, failed.detail());
      } else {
        int middle = (part.from() + part.to()) >>> 1;
        open.push(new Part(middle, part.to()));
        open.push(new Part(part.from(), middle));
      }
      return Optional.empty();
    }

    /** Empty if the catalog still is what the plan was made from. */
    private Optional<BatchRead> staleOrUnknown() {
      Outcome<Optional<SideCatalog>> now = catalog(side, plan.table(), deadline, cancel);
      if (now instanceof Outcome.Done<Optional<SideCatalog>> done) {
        boolean same = done.value().equals(Optional.of(plan.on(side).catalog()));
        return same ? Optional.empty() : Optional.of(new BatchRead.PlanStale());
      }
      Outcome.Failed<Optional<SideCatalog>> failed = (Outcome.Failed<Optional<SideCatalog>>) now;
      return Optional.of(new BatchRead.Failed(reason(side, failed.cause()), failed.detail()));
    }

    private BatchRead failedRead(Outcome.Failed<Boolean> failed) {
      String detail =
          failed.cause() == Outcome.Cause.PERMISSION
              ? failed.detail()
                  + "; reading "
                  + plan.on(side).catalog().table()
                  + " needs GRANT USAGE ON SCHEMA"
                  + ", GRANT SELECT, and BYPASSRLS where row-level security applies"
              : failed.detail();
      return new BatchRead.Failed(reason(side, failed.cause()), detail);
    }
  }
}
