package io.walproof.verifier.range;

import io.walproof.contract.TableId;
import io.walproof.contract.Time;
import io.walproof.verifier.database.Database;
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
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/** Asks both servers what the pipeline carries. */
public final class RouteReader {

  private static final String TABLES =
      """
      SELECT n.nspname, c.relname, c.relispartition, ln.nspname AS leaf_schema,
        l.relname AS leaf_name
        FROM pg_catalog.pg_class AS c
        JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
        LEFT JOIN LATERAL (SELECT p.relid FROM pg_catalog.pg_partition_tree(c.oid) AS p
          WHERE p.isleaf AND c.relkind = 'p') AS tree ON true
        LEFT JOIN pg_catalog.pg_class AS l ON l.oid = tree.relid
        LEFT JOIN pg_catalog.pg_namespace AS ln ON ln.oid = l.relnamespace
       WHERE c.relkind IN ('r', 'p') AND c.relpersistence = 'p'
         AND n.nspname <> 'information_schema' AND n.nspname NOT LIKE 'pg\\_%'
      """;

  private static final String SUBSCRIPTIONS =
      """
      SELECT s.subslotname, s.subpublications
        FROM pg_catalog.pg_subscription AS s
        JOIN pg_catalog.pg_database AS d ON d.oid = s.subdbid
       WHERE d.datname = pg_catalog.current_database()
         AND (CAST(? AS pg_catalog.text) = '' OR s.subname = CAST(? AS pg_catalog.text))
      """;

  private static final String SLOTS =
      """
      SELECT s.slot_name FROM pg_catalog.pg_replication_slots AS s
       WHERE s.database = pg_catalog.current_database()
      """;

  private static final String PUBLICATIONS = "SELECT p.pubname FROM pg_catalog.pg_publication AS p";

  /** PostgreSQL 14 has neither column lists nor row filters, and no columns for them. */
  private static final String PUBLISHED =
      """
      SELECT t.schemaname, t.tablename,
        ARRAY(SELECT pg_catalog.jsonb_array_elements_text(
          CASE pg_catalog.jsonb_typeof(pg_catalog.to_jsonb(t) -> 'attnames') WHEN 'array'
            THEN pg_catalog.to_jsonb(t) -> 'attnames' ELSE '[]' END)) AS attnames,
        pg_catalog.to_jsonb(t) ->> 'rowfilter' AS rowfilter,
        p.pubinsert, p.pubupdate, p.pubdelete,
        pg_catalog.to_jsonb(pr) ->> 'prattrs' IS NOT NULL AS listed
        FROM pg_catalog.pg_publication_tables AS t
        JOIN pg_catalog.pg_publication AS p ON p.pubname = t.pubname
        JOIN pg_catalog.pg_namespace AS n ON n.nspname = t.schemaname
        JOIN pg_catalog.pg_class AS c ON c.relnamespace = n.oid AND c.relname = t.tablename
        LEFT JOIN pg_catalog.pg_publication_rel AS pr
          ON pr.prpubid = p.oid AND pr.prrelid = c.oid
       WHERE t.pubname = ANY (CAST(? AS pg_catalog.text[]))
      """;

  private final Transactions source;
  private final Transactions target;
  private final Deadline deadline;
  private final Cancellation cancel;

  private RouteReader(
      Database source, Database target, Time time, Deadline deadline, Cancellation cancel) {
    this.source = new Transactions(source, time);
    this.target = new Transactions(target, time);
    this.deadline = deadline;
    this.cancel = cancel;
  }

  /**
   * Asks.
   *
   * @param names what says what it carries
   * @throws RouteException if a server does not answer, or the source lacks a publication that is
   *     named
   */
  public static Route read(
      Database source,
      Database target,
      RouteNames names,
      Time time,
      Deadline deadline,
      Cancellation cancel) {
    return new RouteReader(source, target, time, deadline, cancel).read(names);
  }

  private Route read(RouteNames names) {
    Map<TableId, Route.SourceTable> tables =
        ask(source, s -> s.query(TABLES, Session.Parameters.NONE, RouteReader::tables));
    if (!names.publications().isEmpty()) {
      requireThere(names.publications());
      return new Route(
          tables, Optional.of(sent(List.of(names.publications()), SentRows::ofConnector)));
    }
    String subscription = names.subscription().orElse("");
    Set<String> slots =
        ask(source, s -> s.query(SLOTS, Session.Parameters.NONE, RouteReader::names));
    List<List<String>> subscriptions =
        ask(
            target,
            session ->
                session.query(
                    SUBSCRIPTIONS,
                    Session.Parameters.texts(subscription, subscription),
                    rows -> publications(rows, slots)));
    return new Route(
        tables,
        subscriptions.isEmpty()
            ? Optional.empty()
            : Optional.of(sent(subscriptions, SentRows::of)));
  }

  /** Rows of nowhere would be taken for rows that the pipeline leaves out. */
  private void requireThere(List<String> publications) {
    Set<String> there =
        ask(source, s -> s.query(PUBLICATIONS, Session.Parameters.NONE, RouteReader::names));
    for (String publication : publications) {
      if (!there.contains(publication)) {
        throw new RouteException(
            Side.SOURCE,
            Outcome.Cause.CATALOG,
            "the source has no publication "
                + publication
                + "; name those that the pipeline reads in verify.pipeline.publication, or remove it");
      }
    }
  }

  /**
   * What is sent.
   *
   * @param streams the publications of each stream of changes
   * @param together how one stream sends a table
   */
  private Map<TableId, Route.Published> sent(
      List<List<String>> streams, Function<List<SentRows.Publication>, Route.Published> together) {
    Map<TableId, Route.Published> published = new TreeMap<>();
    for (List<String> publications : streams) {
      ask(
              source,
              session ->
                  session.query(
                      PUBLISHED,
                      binder -> binder.texts(publications.toArray(String[]::new)),
                      RouteReader::published))
          .forEach((table, by) -> published.merge(table, together.apply(by), SentRows::ofBoth));
    }
    return published;
  }

  private <T> T ask(Transactions on, Transactions.Work<T> work) {
    Outcome<T> outcome = on.run(TransactionKind.CATALOG, deadline, cancel, work);
    if (outcome instanceof Outcome.Done<T> done) {
      return done.value();
    }
    Outcome.Failed<T> failed = (Outcome.Failed<T>) outcome;
    throw new RouteException(
        on.database().settings().side(),
        failed.cause(),
        "which tables the pipeline carries could not be found out: " + failed.detail());
  }

  private static Map<TableId, Route.SourceTable> tables(ResultSet rows) throws SQLException {
    Map<TableId, Boolean> partitions = new TreeMap<>();
    Map<TableId, List<TableId>> leaves = new TreeMap<>();
    while (rows.next()) {
      TableId id = new TableId(rows.getString("nspname"), rows.getString("relname"));
      partitions.put(id, rows.getBoolean("relispartition"));
      List<TableId> known = leaves.computeIfAbsent(id, any -> new ArrayList<>());
      String leaf = rows.getString("leaf_name");
      if (leaf != null) {
        known.add(new TableId(rows.getString("leaf_schema"), leaf));
      }
    }
    Map<TableId, Route.SourceTable> tables = new TreeMap<>();
    partitions.forEach(
        (id, partition) -> tables.put(id, new Route.SourceTable(partition, leaves.get(id))));
    return tables;
  }

  private static Set<String> names(ResultSet rows) throws SQLException {
    Set<String> names = new HashSet<>();
    while (rows.next()) {
      names.add(rows.getString(1));
    }
    return names;
  }

  /** Each subscription's publications. */
  private static List<List<String>> publications(ResultSet rows, Set<String> slots)
      throws SQLException {
    List<List<String>> subscriptions = new ArrayList<>();
    while (rows.next()) {
      if (slots.contains(rows.getString("subslotname"))) {
        subscriptions.add(texts(rows, "subpublications"));
      }
    }
    return subscriptions;
  }

  private static Map<TableId, List<SentRows.Publication>> published(ResultSet rows)
      throws SQLException {
    Map<TableId, List<SentRows.Publication>> published = new TreeMap<>();
    while (rows.next()) {
      published
          .computeIfAbsent(
              new TableId(rows.getString("schemaname"), rows.getString("tablename")),
              table -> new ArrayList<>())
          .add(
              new SentRows.Publication(
                  rows.getBoolean("listed")
                      ? Optional.of(new HashSet<>(texts(rows, "attnames")))
                      : Optional.empty(),
                  Optional.ofNullable(rows.getString("rowfilter")),
                  rows.getBoolean("pubinsert"),
                  rows.getBoolean("pubupdate"),
                  rows.getBoolean("pubdelete")));
    }
    return published;
  }

  private static List<String> texts(ResultSet rows, String column) throws SQLException {
    Object[] values = (Object[]) rows.getArray(column).getArray();
    return Arrays.stream(values).map(Object::toString).toList();
  }
}
