package io.walproof.connector.engine;

import io.walproof.connector.engine.CaptureException.Reason;
import io.walproof.contract.TableId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What the publication holds of the included tables. Changes nothing. */
final class PublicationContents {

  private final Connection connection;
  private final String name;

  PublicationContents(Connection connection, CaptureSettings settings) {
    this.connection = connection;
    this.name = settings.get("publication.name");
  }

  /** A publication's flags. */
  record Flags(boolean allTables, boolean rowChanges, boolean viaRoot) {}

  /**
   * The included tables whose changes the publication does not carry.
   *
   * @throws CaptureException if rows arrive under names that are not included
   */
  List<SourceTable> missing(List<SourceTable> included, Flags flags) throws SQLException {
    Set<TableId> published = published();
    if (flags.viaRoot()) {
      refuseHiddenBehindRoot(included, published);
    }
    if (flags.allTables()) {
      refuseUncaptured(included, flags);
      return List.of();
    }
    List<SourceTable> missing = new ArrayList<>();
    for (SourceTable table : included) {
      boolean covered =
          published.contains(table.table())
              || (table.partition() && published.contains(table.root()))
              || (table.partitioned() && !flags.viaRoot() && hasPublishedLeaf(table, published));
      if (!covered) {
        missing.add(table);
      }
    }
    refuseUncaptured(included, flags);
    return withoutPartitionsOf(missing, flags.viaRoot());
  }

  /** Rows that arrive under their partition's name are lost if only the root is included. */
  private void refuseUncaptured(List<SourceTable> included, Flags flags) throws SQLException {
    if (flags.viaRoot()) {
      return;
    }
    Set<TableId> names = new HashSet<>(names(included));
    for (SourceTable table : included) {
      if (table.partitioned() && !names.containsAll(leaves(table.table()))) {
        throw new CaptureException(
            Reason.PUBLICATION,
            "publication.name '"
                + name
                + "' publishes changes of "
                + table.table()
                + " under the names of its partitions, which are not all included; run: ALTER"
                + " PUBLICATION "
                + Sql.quoted(name)
                + " SET (publish_via_partition_root = true), or include the partitions in"
                + " table.include.list");
      }
    }
  }

  /** Rows that arrive under their root's name are lost if only partitions are included. */
  private void refuseHiddenBehindRoot(List<SourceTable> included, Set<TableId> published) {
    Set<TableId> names = new HashSet<>(names(included));
    for (SourceTable table : included) {
      if (table.partition() && published.contains(table.root()) && !names.contains(table.root())) {
        throw new CaptureException(
            Reason.PUBLICATION,
            "publication.name '"
                + name
                + "' publishes changes of "
                + table.table()
                + " under the name of "
                + table.root()
                + " (publish_via_partition_root), which is not included; include "
                + table.root()
                + " in table.include.list, or run: ALTER PUBLICATION "
                + Sql.quoted(name)
                + " SET (publish_via_partition_root = false)");
      }
    }
  }

  private boolean hasPublishedLeaf(SourceTable table, Set<TableId> published) throws SQLException {
    return leaves(table.table()).stream().anyMatch(published::contains);
  }

  /** Leaves out partitions whose root is there too, where that is enough. */
  static List<SourceTable> withoutPartitionsOf(List<SourceTable> tables, boolean viaRoot) {
    if (!viaRoot) {
      return tables;
    }
    Set<TableId> names = new HashSet<>(names(tables));
    return tables.stream()
        .filter(table -> !table.partition() || !names.contains(table.root()))
        .toList();
  }

  static List<TableId> names(List<SourceTable> tables) {
    return tables.stream().map(SourceTable::table).toList();
  }

  /** Its flags, empty if there is no publication of the name. */
  Optional<Flags> flags() throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "SELECT puballtables, pubinsert AND pubupdate AND pubdelete, pubviaroot"
                + " FROM pg_catalog.pg_publication WHERE pubname = ?")) {
      statement.setString(1, name);
      try (ResultSet row = statement.executeQuery()) {
        return row.next()
            ? Optional.of(new Flags(row.getBoolean(1), row.getBoolean(2), row.getBoolean(3)))
            : Optional.empty();
      }
    }
  }

  private Set<TableId> published() throws SQLException {
    return tables(
        "SELECT schemaname, tablename FROM pg_catalog.pg_publication_tables WHERE pubname = ?",
        name);
  }

  private Set<TableId> leaves(TableId root) throws SQLException {
    return tables(
        "SELECT n.nspname, c.relname FROM pg_catalog.pg_partition_tree(CAST(? AS"
            + " pg_catalog.regclass)) t JOIN pg_catalog.pg_class c ON c.oid = t.relid JOIN"
            + " pg_catalog.pg_namespace n ON n.oid = c.relnamespace WHERE t.isleaf",
        root.sql());
  }

  /** The schemas and tables that a query with one argument gives. */
  Set<TableId> tables(String sql, String argument) throws SQLException {
    Set<TableId> tables = new HashSet<>();
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, argument);
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          tables.add(new TableId(rows.getString(1), rows.getString(2)));
        }
      }
    }
    return tables;
  }
}
