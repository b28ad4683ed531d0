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
import io.walproof.verifier.model.Side;
import io.walproof.verifier.row.RowAccess.BatchRead;
import java.math.BigInteger;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Range access by JDBC and COPY. */
final class JdbcRangeAccess implements RangeAccess {

  /** A chunk follows the index; a scan of the whole table for each would cost a multiple. */
  private static final String FOLLOW_INDEX =
      "SELECT pg_catalog.set_config('enable_seqscan', 'off', true),"
          + " pg_catalog.set_config('enable_sort', 'off', true)";

  private static final String ESTIMATE =
      "SELECT pg_catalog.sum(GREATEST(l.reltuples, 0)) FROM pg_catalog.pg_class AS c"
          + " JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace"
          + " JOIN LATERAL (SELECT p.relid FROM pg_catalog.pg_partition_tree(c.oid) AS p"
          + " UNION SELECT c.oid) AS tree ON true"
          + " JOIN pg_catalog.pg_class AS l ON l.oid = tree.relid AND l.relkind = 'r'"
          + " WHERE n.nspname = CAST(? AS pg_catalog.text)"
          + " AND c.relname = CAST(? AS pg_catalog.text)";

  private final Transactions source;
  private final Transactions target;
  private final JdbcRowAccess rows;
  private final RowSettings settings;

  JdbcRangeAccess(Transactions source, Transactions target, RowSettings settings) {
    this.source = source;
    this.target = target;
    this.settings = settings;
    this.rows = new JdbcRowAccess(source, target, settings);
  }

  @Override
  public Opening open(TableId table, Deadline deadline, Cancellation cancel) {
    Outcome<Optional<SideCatalog>> here = rows.catalog(Side.SOURCE, table, deadline, cancel);
    if (here instanceof Outcome.Failed<Optional<SideCatalog>> failed) {
      return new Opening.Unavailable(
          JdbcRowAccess.reason(Side.SOURCE, failed.cause()), failed.detail());
    }
    Outcome<Optional<SideCatalog>> there = rows.catalog(Side.TARGET, table, deadline, cancel);
    if (there instanceof Outcome.Failed<Optional<SideCatalog>> failed) {
      return new Opening.Unavailable(
          JdbcRowAccess.reason(Side.TARGET, failed.cause()), failed.detail());
    }
    Optional<SideCatalog> from = ((Outcome.Done<Optional<SideCatalog>>) here).value();
    Optional<UniqueIndex> key = from.flatMap(RangePlanner::key);
    List<String> columns =
        key.map(index -> index.parts().stream().map(UniqueIndex.Part::column).toList())
            .orElse(List.of());
    RowAccess.Opening opening =
        new TablePlanner(table, columns, settings)
            .plan(from, ((Outcome.Done<Optional<SideCatalog>>) there).value());
    if (opening instanceof RowAccess.Opening.Skipped skipped) {
      return new Opening.Skipped(skipped.reason(), skipped.detail());
    }
    if (opening instanceof RowAccess.Opening.Unavailable unavailable) {
      return new Opening.Unavailable(unavailable.reason(), unavailable.detail());
    }
    PlannedTable planned = (PlannedTable) ((RowAccess.Opening.Ready) opening).plan();
    return new Opening.Ready(RangePlanner.plan(planned, key.orElseThrow(), settings.rowMaxBytes()));
  }

  @Override
  public Read read(
      Side side,
      RangePlan plan,
      KeyRange range,
      int limit,
      Content content,
      Deadline deadline,
      Cancellation cancel) {
    RangeSide rangeSide = plan.on(side);
    Outcome<Optional<RowsChunk>> outcome =
        on(side)
            .run(
                TransactionKind.ROWS,
                deadline,
                cancel,
                session -> copy(session, plan, rangeSide, range, limit, content));
    if (outcome instanceof Outcome.Done<Optional<RowsChunk>> done) {
      return done.value().<Read>map(Read.Rows::new).orElseGet(Read.PlanStale::new);
    }
    Outcome.Failed<Optional<RowsChunk>> failed = (Outcome.Failed<Optional<RowsChunk>>) outcome;
    return switch (failed.cause()) {
      case CATALOG, INTERNAL -> staleOrFailed(side, plan, failed, deadline, cancel);
      case CANCELLED, DEADLINE, UNREACHABLE, REFUSED, PERMISSION, DATA, OTHER ->
          failedRead(side, failed);
    };
  }

  private static Optional<RowsChunk> copy(
      Session session, RangePlan plan, RangeSide side, KeyRange range, int limit, Content content)
      throws SQLException {
    if (side.indexed()) {
      session.text(FOLLOW_INDEX, Session.Parameters.NONE);
    }
    RowsChunk chunk = new RowsChunk(plan.keyColumns(), content != Content.KEYS);
    CopiedRows taker = CopiedRows.of(content, side, chunk);
    String sql =
        switch (content) {
          case LINES, ROWS -> side.sql().rows(range, limit);
          case KEYS -> side.sql().keys(range, limit);
        };
    session.copyOut(sql, taker::take);
    return isCurrent(session, side) ? Optional.of(chunk) : Optional.empty();
  }

  @Override
  public Digest digest(
      Side side, RangePlan plan, KeyRange range, Deadline deadline, Cancellation cancel) {
    RangeSide rangeSide = plan.on(side);
    Outcome<Optional<ServerDigest>> outcome =
        on(side)
            .run(
                TransactionKind.ROWS,
                deadline,
                cancel,
                session -> digest(session, rangeSide, range));
    if (outcome instanceof Outcome.Done<Optional<ServerDigest>> done) {
      return done.value().<Digest>map(Digest.Made::new).orElseGet(Digest.PlanStale::new);
    }
    Outcome.Failed<Optional<ServerDigest>> failed =
        (Outcome.Failed<Optional<ServerDigest>>) outcome;
    boolean catalog =
        failed.cause() == Outcome.Cause.CATALOG || failed.cause() == Outcome.Cause.INTERNAL;
    if (catalog && isStale(side, plan, deadline, cancel)) {
      return new Digest.PlanStale();
    }
    return new Digest.Failed(
        JdbcRowAccess.reason(side, failed.cause()), failed.detail(), concernsValues(failed));
  }

  private static Optional<ServerDigest> digest(Session session, RangeSide side, KeyRange range)
      throws SQLException {
    if (side.indexed()) {
      session.text(FOLLOW_INDEX, Session.Parameters.NONE);
    }
    ServerDigest digest =
        session.query(
            side.sql().digest(range),
            Session.Parameters.NONE,
            rows -> {
              rows.next();
              return new ServerDigest(
                  rows.getLong(1),
                  new BigInteger(rows.getString(2)),
                  new BigInteger(rows.getString(3)),
                  rows.getString(4));
            });
    return isCurrent(session, side) ? Optional.of(digest) : Optional.empty();
  }

  private static boolean isCurrent(Session session, RangeSide side) throws SQLException {
    SideCatalog catalog = side.side().catalog();
    return CatalogReader.fingerprint(session, catalog).equals(catalog.fingerprint());
  }

  @Override
  public KeyAt keyAt(
      RangePlan plan, KeyRange range, int offset, Deadline deadline, Cancellation cancel) {
    RangeSide side = plan.on(Side.SOURCE);
    Outcome<Optional<List<String>>> outcome =
        source.run(
            TransactionKind.ROWS,
            deadline,
            cancel,
            session -> {
              session.text(FOLLOW_INDEX, Session.Parameters.NONE);
              RowsChunk chunk = new RowsChunk(plan.keyColumns(), false);
              session.copyOut(
                  side.sql().keyAt(range, offset), CopiedRows.of(Content.KEYS, side, chunk)::take);
              return chunk.size() == 0 ? Optional.empty() : Optional.of(chunk.keyTexts(0));
            });
    if (outcome instanceof Outcome.Done<Optional<List<String>>> done) {
      return done.value().<KeyAt>map(KeyAt.Key::new).orElseGet(KeyAt.Beyond::new);
    }
    Outcome.Failed<Optional<List<String>>> failed =
        (Outcome.Failed<Optional<List<String>>>) outcome;
    return new KeyAt.Failed(JdbcRowAccess.reason(Side.SOURCE, failed.cause()), failed.detail());
  }

  private Read staleOrFailed(
      Side side,
      RangePlan plan,
      Outcome.Failed<Optional<RowsChunk>> failed,
      Deadline deadline,
      Cancellation cancel) {
    return isStale(side, plan, deadline, cancel) ? new Read.PlanStale() : failedRead(side, failed);
  }

  private boolean isStale(Side side, RangePlan plan, Deadline deadline, Cancellation cancel) {
    Outcome<Optional<SideCatalog>> now = rows.catalog(side, plan.table().table(), deadline, cancel);
    boolean same =
        now instanceof Outcome.Done<Optional<SideCatalog>> done
            && done.value().equals(Optional.of(plan.on(side).side().catalog()));
    return !same;
  }

  private static Read failedRead(Side side, Outcome.Failed<Optional<RowsChunk>> failed) {
    return new Read.Failed(
        JdbcRowAccess.reason(side, failed.cause()), failed.detail(), concernsValues(failed));
  }

  private static boolean concernsValues(Outcome.Failed<?> failed) {
    return failed.cause() == Outcome.Cause.DATA || failed.cause() == Outcome.Cause.INTERNAL;
  }

  @Override
  public KeylessRows keylessRows(RangePlan plan, Deadline deadline, Cancellation cancel) {
    String sql = plan.on(Side.TARGET).sql().withoutKey();
    Outcome<String> outcome =
        target.run(
            TransactionKind.ROWS,
            deadline,
            cancel,
            session -> session.text(sql, Session.Parameters.NONE));
    if (outcome instanceof Outcome.Done<String> done) {
      return new KeylessRows.Counted(Long.parseLong(done.value()));
    }
    return new KeylessRows.Failed(((Outcome.Failed<String>) outcome).detail());
  }

  @Override
  public BatchRead lookup(
      Side side, RangePlan plan, List<RowKey> keys, Deadline deadline, Cancellation cancel) {
    return rows.read(side, plan.planned(), keys, deadline, cancel);
  }

  @Override
  public HeldCommits heldCommits(Deadline deadline, Cancellation cancel) {
    return rows.heldCommits(deadline, cancel);
  }

  @Override
  public Within within(
      RangePlan plan, KeyRange range, List<RowKey> keys, Deadline deadline, Cancellation cancel) {
    String[][] arrays = new String[plan.keyColumns().size()][keys.size()];
    for (int i = 0; i < keys.size(); i++) {
      for (int c = 0; c < arrays.length; c++) {
        arrays[c][i] = keys.get(i).columns().get(c).text();
      }
    }
    Outcome<Set<Integer>> outcome =
        source.run(
            TransactionKind.ROWS,
            deadline,
            cancel,
            session ->
                session.query(
                    plan.on(Side.SOURCE).sql().within(range),
                    binder -> {
                      for (String[] array : arrays) {
                        binder.texts(array);
                      }
                    },
                    JdbcRangeAccess::places));
    if (outcome instanceof Outcome.Done<Set<Integer>> done) {
      return new Within.Places(done.value());
    }
    Outcome.Failed<Set<Integer>> failed = (Outcome.Failed<Set<Integer>>) outcome;
    return new Within.Failed(JdbcRowAccess.reason(Side.SOURCE, failed.cause()), failed.detail());
  }

  private static Set<Integer> places(ResultSet result) throws SQLException {
    Set<Integer> places = new HashSet<>();
    while (result.next()) {
      places.add(result.getInt(1) - 1);
    }
    return places;
  }

  @Override
  public BoundCheck check(RangePlan plan, KeyRange range, Deadline deadline, Cancellation cancel) {
    for (Optional<KeyRange.Bound> bound : List.of(range.from(), range.to())) {
      if (bound.isPresent()) {
        Outcome<String> outcome =
            source.run(
                TransactionKind.ROWS,
                deadline,
                cancel,
                session ->
                    session.text(
                        plan.on(Side.SOURCE).sql().probe(bound.get()), Session.Parameters.NONE));
        if (outcome instanceof Outcome.Failed<String> failed) {
          return failed.cause() == Outcome.Cause.DATA
              ? new BoundCheck.Refused()
              : new BoundCheck.Failed(
                  JdbcRowAccess.reason(Side.SOURCE, failed.cause()), failed.detail());
        }
      }
    }
    return new BoundCheck.Accepted();
  }

  @Override
  public long estimatedRows(TableId table, Deadline deadline, Cancellation cancel) {
    Outcome<String> outcome =
        source.run(
            TransactionKind.CATALOG,
            deadline,
            cancel,
            session ->
                session.text(ESTIMATE, Session.Parameters.texts(table.schema(), table.name())));
    return outcome instanceof Outcome.Done<String> done && done.value() != null
        ? (long) Double.parseDouble(done.value())
        : -1;
  }

  private Transactions on(Side side) {
    return side == Side.SOURCE ? source : target;
  }
}
