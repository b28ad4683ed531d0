package io.walproof.connector.engine;

import io.walproof.connector.engine.CaptureException.Reason;
import io.walproof.connector.engine.PublicationContents.Flags;
import io.walproof.connector.schema.SchemaHistory;
import io.walproof.contract.TableId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Sees to it that the publication holds every included table, as {@code
 * publication.autocreate.mode} allows. Tables are added, never removed: somebody else may use the
 * publication too.
 */
final class PublicationSetup {

  /** For so many tables the statement is told; the others are counted. */
  private static final int NAMED = 20;

  private final Connection connection;
  private final CaptureSettings settings;
  private final String name;
  private final PublicationContents contents;
  private final List<String> warnings = new ArrayList<>();
  private String change;

  PublicationSetup(Connection connection, CaptureSettings settings) {
    this.connection = connection;
    this.settings = settings;
    this.name = settings.get("publication.name");
    this.contents = new PublicationContents(connection, settings);
  }

  /** The statement that {@link #ensure} had to run, empty if all was there. */
  Optional<String> changes() {
    return Optional.ofNullable(change);
  }

  /** What limits the publication without keeping it from being used. */
  List<String> warnings() {
    return List.copyOf(warnings);
  }

  /** Whether there is a publication of the name. */
  boolean exists() throws SQLException {
    return contents.flags().isPresent();
  }

  /**
   * Tables that were captured and are not published any more: PostgreSQL takes a dropped table out
   * of its publications, also if it is created again. What was changed in them since is in no
   * stream, and once the publication is completed nothing shows it.
   *
   * @param captured the history of the stored position, whose tables were published once
   * @throws CaptureException if there are any, unless the gap was accepted
   */
  List<TableId> lapsed(List<SourceTable> included, SchemaHistory captured) throws SQLException {
    Optional<Flags> flags = contents.flags();
    List<SourceTable> missing =
        flags.isPresent() ? contents.missing(included, flags.get()) : included;
    List<TableId> lapsed =
        PublicationContents.names(missing).stream()
            .filter(table -> captured.table(table).isPresent())
            .toList();
    if (!lapsed.isEmpty() && !settings.drift().acceptGap()) {
      throw SlotCheck.gap(
          "publication.name '"
              + name
              + "' lacks "
              + Sql.display(lapsed)
              + ", which it had: dropped and created again, or taken out of it. What was changed"
              + " there since then was not published and cannot be had any more");
    }
    return lapsed;
  }

  /**
   * Checks, and creates or completes.
   *
   * @throws CaptureException with the SQL to run where the role or the mode does not allow it
   */
  void ensure(List<SourceTable> included) throws SQLException {
    Optional<Flags> flags = contents.flags();
    if (flags.isEmpty()) {
      create(included);
      return;
    }
    if (!flags.get().rowChanges()) {
      throw new CaptureException(
          Reason.PUBLICATION,
          "publication.name '"
              + name
              + "' does not publish inserts, updates and deletes; run: ALTER PUBLICATION "
              + Sql.quoted(name)
              + " SET (publish = 'insert, update, delete, truncate'), and prove the tables with"
              + " walproof verify-range: what was changed meanwhile was not published");
    }
    List<SourceTable> missing = contents.missing(included, flags.get());
    if (!missing.isEmpty()) {
      add(missing);
    }
    noteUnidentified(included);
    noteRowFilters(included);
    noteColumnLists(included);
  }

  /**
   * Whether the publication was made, or got other options, after what the slot still needs of the
   * catalog. Then changes that the slot reaches back to may be in no publication: PostgreSQL 18
   * passes over them, and older ones end the stream.
   */
  boolean isNewerThan(String slotName) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "SELECT pg_catalog.age(p.xmin) < pg_catalog.age(s.catalog_xmin)"
                + " FROM pg_catalog.pg_publication p, pg_catalog.pg_replication_slots s"
                + " WHERE p.pubname = ? AND s.slot_name = ?")) {
      statement.setString(1, name);
      statement.setString(2, slotName);
      try (ResultSet row = statement.executeQuery()) {
        return row.next() && row.getBoolean(1);
      }
    }
  }

  /**
   * All included tables are published by now. A partitioned table's rows are its partitions', whose
   * identities count.
   */
  private void noteUnidentified(List<SourceTable> included) {
    List<SourceTable> unidentified =
        included.stream().filter(table -> !table.identified() && !table.partitioned()).toList();
    if (!unidentified.isEmpty()) {
      int more = unidentified.size() - NAMED;
      warnings.add(
          "publication.name '"
              + name
              + "' has tables without a replica identity, where the source refuses every UPDATE and"
              + " DELETE; run: "
              + unidentified.stream()
                  .limit(NAMED)
                  .map(PublicationSetup::identify)
                  .collect(Collectors.joining("; "))
              + (more > 0 ? "; and the same for " + more + " more" : ""));
    }
  }

  private static String identify(SourceTable table) {
    return "ALTER TABLE "
        + table.table().sql()
        + " REPLICA IDENTITY "
        + (table.primary() ? "DEFAULT" : "FULL");
  }

  /** Rows outside a filter never arrive, so they are not checked; PostgreSQL 14 has no filters. */
  private void noteRowFilters(List<SourceTable> included) throws SQLException {
    note(
        included,
        "SELECT t.schemaname, t.tablename FROM pg_catalog.pg_publication_tables t WHERE"
            + " t.pubname = ? AND pg_catalog.to_jsonb(t) ->> 'rowfilter' IS NOT NULL",
        "filters rows of",
        "changes of other rows are not seen");
  }

  /** Verified is what the source's table holds, whatever is published of it. */
  private void noteColumnLists(List<SourceTable> included) throws SQLException {
    note(
        included,
        "SELECT n.nspname, c.relname FROM pg_catalog.pg_publication_rel r"
            + " JOIN pg_catalog.pg_publication p ON p.oid = r.prpubid"
            + " JOIN pg_catalog.pg_class c ON c.oid = r.prrelid"
            + " JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace"
            + " WHERE p.pubname = ? AND pg_catalog.to_jsonb(r) ->> 'prattrs' IS NOT NULL",
        "lists columns of",
        "a change of the others alone is not seen, and all columns are compared");
  }

  private void note(List<SourceTable> included, String sql, String what, String effect)
      throws SQLException {
    Set<TableId> limited = contents.tables(sql, name);
    limited.retainAll(PublicationContents.names(included));
    if (!limited.isEmpty()) {
      warnings.add(
          "publication.name '" + name + "' " + what + ' ' + Sql.display(limited) + "; " + effect);
    }
  }

  private void create(List<SourceTable> included) throws SQLException {
    boolean viaRoot =
        "true".equals(settings.get("publish.via.partition.root"))
            || included.stream().anyMatch(SourceTable::partitioned);
    String options = viaRoot ? " WITH (publish_via_partition_root = true)" : "";
    String mode = settings.get("publication.autocreate.mode");
    List<SourceTable> members = included;
    String sql;
    if (mode.equals("all_tables")) {
      sql = "CREATE PUBLICATION " + Sql.quoted(name) + " FOR ALL TABLES" + options;
    } else {
      members = PublicationContents.withoutPartitionsOf(included, viaRoot);
      sql =
          "CREATE PUBLICATION "
              + Sql.quoted(name)
              + " FOR TABLE "
              + Sql.list(PublicationContents.names(members))
              + options;
    }
    if (mode.equals("disabled")) {
      throw new CaptureException(
          Reason.PUBLICATION,
          "publication.name '"
              + name
              + "' does not exist in database "
              + settings.get("database.dbname")
              + " and publication.autocreate.mode is disabled; run: "
              + sql);
    }
    refuseUnidentified(members);
    run(sql);
  }

  private void add(List<SourceTable> missing) throws SQLException {
    String sql =
        "ALTER PUBLICATION "
            + Sql.quoted(name)
            + " ADD TABLE "
            + Sql.list(PublicationContents.names(missing));
    if (settings.get("publication.autocreate.mode").equals("disabled")) {
      throw new CaptureException(
          Reason.PUBLICATION,
          "publication.name '"
              + name
              + "' lacks "
              + Sql.display(PublicationContents.names(missing))
              + ", and publication.autocreate.mode is disabled; run: "
              + sql
              + ", or exclude the tables with table.exclude.list");
    }
    refuseUnidentified(missing);
    run(sql);
  }

  private void run(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
      change = sql;
    } catch (SQLException e) {
      if (SourceError.is(e, SourceError.INSUFFICIENT_PRIVILEGE)) {
        throw new CaptureException(
            Reason.PUBLICATION,
            "database.user '"
                + settings.get("database.user")
                + "' may not set up publication '"
                + name
                + "'; run as the owner of the tables or as a superuser: "
                + sql,
            e);
      }
      if (SourceError.is(e, SourceError.QUERY_CANCELED)
          || SourceError.is(e, SourceError.LOCK_NOT_AVAILABLE)) {
        throw new CaptureException(
            Reason.PUBLICATION,
            "setting up publication '"
                + name
                + "' did not get its locks within drift.start.timeout.ms; try again when no long"
                + " transaction uses the tables, or run: "
                + sql,
            e);
      }
      throw e;
    }
  }

  /** Publishing such a table would make its updates and deletes fail on the source. */
  private static void refuseUnidentified(List<SourceTable> tables) {
    List<TableId> unidentified =
        tables.stream().filter(table -> !table.identified()).map(SourceTable::table).toList();
    if (!unidentified.isEmpty()) {
      throw new CaptureException(
          Reason.TABLE,
          "without a replica identity a published table refuses UPDATE and DELETE, so these are not"
              + " published: "
              + Sql.display(unidentified)
              + "; exclude them with table.exclude.list, or give each a primary key, or run ALTER"
              + " TABLE "
              + unidentified.get(0).sql()
              + " REPLICA IDENTITY USING INDEX (of a unique index over NOT NULL columns)");
    }
  }
}
