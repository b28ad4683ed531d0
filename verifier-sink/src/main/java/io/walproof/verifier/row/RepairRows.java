package io.walproof.verifier.row;

import io.walproof.contract.RowKey;
import io.walproof.contract.SqlIdentifier;
import io.walproof.contract.TableId;
import io.walproof.verifier.database.Outcome;
import io.walproof.verifier.database.Session;
import io.walproof.verifier.database.TransactionKind;
import io.walproof.verifier.database.Transactions;
import io.walproof.verifier.model.Cancellation;
import io.walproof.verifier.model.Deadline;
import io.walproof.verifier.model.Side;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Reads keys on both sides afresh, with their values quoted by PostgreSQL, for statements that
 * repair them. Only reads. For one thread.
 */
public final class RepairRows {

  /** Columns that take no value, at least in an update. */
  private static final String FIXED =
      """
      SELECT a.attname, a.attgenerated <> '' AS generated FROM pg_catalog.pg_attribute AS a
        JOIN pg_catalog.pg_class AS c ON c.oid = a.attrelid
        JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
       WHERE n.nspname = CAST(? AS pg_catalog.text) AND c.relname = CAST(? AS pg_catalog.text)
         AND a.attnum > 0 AND NOT a.attisdropped AND (a.attgenerated <> '' OR a.attidentity = 'a')
      """;

  private static final String QUOTED =
      """
      SELECT pg_catalog.quote_literal(k.v)
        FROM pg_catalog.unnest(CAST(? AS pg_catalog.text[])) WITH ORDINALITY AS k (v, n)
       ORDER BY k.n
      """;

  private static final String COMPUTED = "computed";

  private final Transactions source;
  private final Transactions target;
  private final RowSettings settings;
  private final JdbcRowAccess access;

  RepairRows(Transactions source, Transactions target, RowSettings settings) {
    this.source = source;
    this.target = target;
    this.settings = settings;
    this.access = new JdbcRowAccess(source, target, settings);
  }

  /** How a table's rows can be read; see {@link RowAccess#open}. */
  public RowAccess.Opening open(
      TableId table, List<String> keyColumns, Deadline deadline, Cancellation cancel) {
    return access.open(table, keyColumns, deadline, cancel);
  }

  /** How reading went. */
  public sealed interface Reading {
    /**
     * The rows, in the keys' order.
     *
     * @param rows one for each key; empty where the source's row changed while it was read
     */
    record Rows(List<Optional<RepairRow>> rows) implements Reading {
      /** Copies. */
      public Rows {
        rows = List.copyOf(rows);
      }
    }

    /**
     * Nothing was learned.
     *
     * @param detail a sentence for people; no row values
     */
    record Failed(String detail) implements Reading {}
  }

  /** Waits for the target. */
  @FunctionalInterface
  public interface Replay {
    /**
     * Returns once the target has replayed all that was committed on the source when it was called.
     *
     * @return why that is not known, as a sentence; empty if it has
     */
    Optional<String> awaited();
  }

  /**
   * Reads the keys: the source, after replay the target, and the source again. Of a key whose
   * source row is the same both times no change was in flight when the target was read.
   *
   * @param replay waits in between
   * @param deadlines bounds the reads before the wait, and those after it
   */
  public Reading read(
      TablePlan plan,
      List<RowKey> keys,
      Replay replay,
      Supplier<Deadline> deadlines,
      Cancellation cancel) {
    if (!(plan instanceof PlannedTable planned)) {
      throw new IllegalArgumentException("the plan was not made here");
    }
    try {
      List<KeyRead> before = rows(Side.SOURCE, planned, keys, deadlines.get(), cancel);
      Optional<String> notReplayed = replay.awaited();
      if (notReplayed.isPresent()) {
        return new Reading.Failed(notReplayed.get());
      }
      Deadline deadline = deadlines.get();
      List<KeyRead> there = rows(Side.TARGET, planned, keys, deadline, cancel);
      Literals targetSide =
          literals(target, deadline, cancel, s -> targetLiterals(s, planned, keys));
      // Values are fetched of rows that are there once, and not too long for that.
      int[] readable = found(before);
      Literals sourceSide =
          literals(source, deadline, cancel, s -> sourceLiterals(s, planned, keys, readable));
      // Last, so that equal versions before and after frame the values.
      List<KeyRead> here = rows(Side.SOURCE, planned, keys, deadline, cancel);
      List<Optional<RepairRow>> result = new ArrayList<>();
      for (int i = 0; i < keys.size(); i++) {
        result.add(
            isSame(before.get(i), here.get(i))
                ? row(planned, keys.get(i), here.get(i), there.get(i), sourceSide, targetSide, i)
                : Optional.empty());
      }
      return new Reading.Rows(result);
    } catch (Unread e) {
      return new Reading.Failed(e.getMessage());
    }
  }

  /** What cannot be read is told as such, and nothing is written of it. */
  private static boolean isSame(KeyRead before, KeyRead here) {
    if (before instanceof KeyRead.Found one && here instanceof KeyRead.Found other) {
      return one.xmin() == other.xmin() && one.hash().equals(other.hash());
    }
    return here instanceof KeyRead.Unreadable
        || (before instanceof KeyRead.NotFound && here instanceof KeyRead.NotFound);
  }

  private static int[] found(List<KeyRead> rows) {
    return IntStream.range(0, rows.size())
        .filter(at -> rows.get(at) instanceof KeyRead.Found)
        .toArray();
  }

  private List<KeyRead> rows(
      Side side, PlannedTable plan, List<RowKey> keys, Deadline deadline, Cancellation cancel)
      throws Unread {
    RowAccess.BatchRead read = access.read(side, plan, keys, deadline, cancel);
    if (read instanceof RowAccess.BatchRead.Rows rows) {
      return rows.rows();
    }
    throw new Unread(
        read instanceof RowAccess.BatchRead.Failed failed
            ? failed.detail()
            : plan.table() + " changed its shape just now; try again");
  }

  private static Literals literals(
      Transactions side, Deadline deadline, Cancellation cancel, Transactions.Work<Literals> work)
      throws Unread {
    Outcome<Literals> outcome = side.run(TransactionKind.ROWS, deadline, cancel, work);
    if (outcome instanceof Outcome.Done<Literals> done) {
      return done.value();
    }
    throw new Unread(((Outcome.Failed<Literals>) outcome).detail());
  }

  /** Empty if the literals do not belong to the row that was read. */
  private Optional<RepairRow> row(
      PlannedTable plan,
      RowKey key,
      KeyRead here,
      KeyRead there,
      Literals sourceSide,
      Literals targetSide,
      int at) {
    if (!sourceSide.isOf(here, at) || !targetSide.isOf(there, at)) {
      return Optional.empty();
    }
    Map<String, String> all = new LinkedHashMap<>();
    Map<String, String> differing = new LinkedHashMap<>();
    List<String> fixed = new ArrayList<>();
    if (here instanceof KeyRead.Found found) {
      Set<String> differ =
          there instanceof KeyRead.Found other
              ? new TreeSet<>(plan.differingColumns(found, other))
              : Set.of();
      List<String> values = sourceSide.rows.get(at).values();
      List<CatalogColumn> columns = sourceSide.columns;
      for (int i = 0; i < columns.size(); i++) {
        String name = columns.get(i).name();
        Optional<CatalogColumn> on = plan.on(Side.TARGET).catalog().column(name);
        if (on.isEmpty() || !isWritten(plan, name)) {
          continue;
        }
        String value = "CAST(" + values.get(i) + " AS " + on.get().type().sql() + ")";
        String own = on.get().own();
        String reason = targetSide.fixed.get(own);
        if (!COMPUTED.equals(reason)) {
          all.put(SqlIdentifier.quoted(own), value);
        }
        if (differ.contains(name) && reason != null) {
          fixed.add(SqlIdentifier.display(own) + " is " + reason);
        } else if (differ.contains(name)) {
          differing.put(SqlIdentifier.quoted(own), value);
        }
      }
    }
    LookupSql lookup =
        new LookupSql(
            plan.on(Side.TARGET).relation(), plan.on(Side.TARGET).catalog(), plan.keyColumns());
    return Optional.of(
        new RepairRow(
            key,
            here,
            there,
            plan.on(Side.TARGET).catalog().table(),
            plan.on(Side.TARGET).relation(),
            targetSide.keys.get(at).map(lookup::condition),
            there instanceof KeyRead.Found ? targetSide.unchanged(at) : Optional.empty(),
            Collections.unmodifiableMap(differing),
            List.copyOf(fixed),
            Collections.unmodifiableMap(all)));
  }

  /** What the pipeline does not carry, or nobody compares, is the target's own. */
  private boolean isWritten(PlannedTable plan, String column) {
    return plan.keyColumns().contains(column) || settings.takesPart(plan.table(), column);
  }

  private static Literals sourceLiterals(
      Session session, PlannedTable plan, List<RowKey> keys, int[] readable) throws SQLException {
    SideCatalog catalog = plan.on(Side.SOURCE).catalog();
    List<String> values =
        catalog.columns().stream()
            .map(
                column ->
                    literal(
                        catalog.sql(column.name()),
                        column.type(),
                        plan.on(Side.TARGET).catalog().column(column.name())))
            .toList();
    return new Literals(
        catalog.columns(),
        lookup(session, plan, catalog, values, keys, readable),
        List.of(),
        Map.of());
  }

  /** An integer takes no text with a point, whatever follows it. */
  private static String literal(String value, TypeName type, Optional<CatalogColumn> there) {
    boolean toInteger =
        type.is("numeric") && there.filter(other -> LookupKey.isInteger(other.type())).isPresent();
    return "pg_catalog.quote_nullable(CAST("
        + (toInteger ? "pg_catalog.trim_scale(" + value + ")" : value)
        + " AS pg_catalog.text))";
  }

  private static Literals targetLiterals(Session session, PlannedTable plan, List<RowKey> keys)
      throws SQLException {
    SideCatalog catalog = plan.on(Side.TARGET).catalog();
    int[] all = IntStream.range(0, keys.size()).toArray();
    Map<Integer, QuotedRow> rows =
        lookup(session, plan, catalog, List.of(Literals.DIGEST), keys, all);
    LookupKey lookupKey = LookupKey.of(catalog, plan.keyColumns());
    List<Optional<List<String>>> literals = new ArrayList<>();
    for (RowKey key : keys) {
      Optional<String[]> texts = lookupKey.texts(key);
      literals.add(
          texts.isEmpty()
              ? Optional.empty()
              : Optional.of(
                  session.query(QUOTED, binder -> binder.texts(texts.get()), RepairRows::strings)));
    }
    Map<String, String> fixed =
        session.query(
            FIXED,
            Session.Parameters.texts(catalog.table().schema(), catalog.table().name()),
            columns -> {
              Map<String, String> reasons = new LinkedHashMap<>();
              while (columns.next()) {
                reasons.put(
                    columns.getString(1),
                    columns.getBoolean(2) ? COMPUTED : "GENERATED ALWAYS AS IDENTITY");
              }
              return reasons;
            });
    return new Literals(catalog.columns(), rows, literals, fixed);
  }

  /** By the key's place; a place whose key has several rows gets none. */
  private static Map<Integer, QuotedRow> lookup(
      Session session,
      PlannedTable plan,
      SideCatalog catalog,
      List<String> values,
      List<RowKey> keys,
      int[] places)
      throws SQLException {
    String sql =
        new LookupSql(plan.on(catalog.side()).relation(), catalog, plan.keyColumns()).text(values);
    LookupKey.Batch batch = LookupKey.of(catalog, plan.keyColumns()).batch(keys, places);
    return session.query(
        sql,
        batch,
        rows -> {
          Map<Integer, QuotedRow> found = new LinkedHashMap<>();
          while (rows.next()) {
            List<String> quoted = new ArrayList<>();
            for (int i = 0; i < values.size(); i++) {
              quoted.add(rows.getString(i + 3));
            }
            int place = batch.place(rows.getInt(1));
            QuotedRow row = new QuotedRow(rows.getString(2), quoted);
            found.merge(place, row, (one, two) -> QuotedRow.SEVERAL);
          }
          return found;
        });
  }

  private static List<String> strings(ResultSet rows) throws SQLException {
    List<String> strings = new ArrayList<>();
    while (rows.next()) {
      strings.add(rows.getString(1));
    }
    return strings;
  }

  /** A row's xmin and expressions, as text. */
  private record QuotedRow(String xmin, List<String> values) {
    private static final QuotedRow SEVERAL = new QuotedRow("", List.of());
  }

  /** What one side says, by the key's place. */
  private record Literals(
      List<CatalogColumn> columns,
      Map<Integer, QuotedRow> rows,
      List<Optional<List<String>>> keys,
      Map<String, String> fixed) {

    /** Besides xmin, which a restored copy of the database might have by chance. */
    private static final String DIGEST = "pg_catalog.md5(CAST(ROW(t.*) AS pg_catalog.text))";

    boolean isOf(KeyRead read, int at) {
      QuotedRow row = rows.get(at);
      // Of what cannot be read nothing is written, so that its literals do not count.
      return read instanceof KeyRead.Unreadable
          || (read instanceof KeyRead.Found found
              ? row != null && row.xmin().equals(Long.toString(found.xmin()))
              : row == null);
    }

    Optional<String> unchanged(int at) {
      return Optional.ofNullable(rows.get(at))
          .map(
              row ->
                  "CAST(t.xmin AS pg_catalog.text) OPERATOR(pg_catalog.=) '"
                      + row.xmin()
                      + "' AND "
                      + DIGEST
                      + " OPERATOR(pg_catalog.=) '"
                      + row.values().get(0)
                      + "'");
    }
  }

  /** A side that could not be read; the message is for people. */
  private static final class Unread extends Exception {
    private static final long serialVersionUID = 1L;

    Unread(String detail) {
      super(detail);
    }
  }
}
