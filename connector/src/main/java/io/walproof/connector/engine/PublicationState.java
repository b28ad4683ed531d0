package io.walproof.connector.engine;

import io.walproof.connector.engine.CaptureException.Reason;
import io.walproof.contract.TableId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;

/**
 * What the publication carries at one moment, by which labels of enums it prints values, and that
 * no table was rewritten.
 *
 * @param version changes with every change of the publication, of enums' labels and of tables'
 *     definitions, also one that was taken back
 * @param since the 64-bit id of the first transaction that certainly began after that moment
 * @param complete whether it publishes inserts, updates, deletes and truncates
 * @param filtered tables of which it publishes only some rows
 */
public record PublicationState(
    String version, long since, boolean complete, Set<TableId> filtered) {

  /** Copies. */
  public PublicationState {
    Objects.requireNonNull(version, "version");
    filtered = Set.copyOf(filtered);
  }

  /**
   * Catalog rows are rewritten by each change, so their xmin tells one that was taken back.
   * Altering a table or its partitions can change rows that the stream then never shows.
   */
  private static final String VERSION =
      """
      SELECT pg_catalog.concat_ws(' ', p.oid, p.xmin, p.ctid,
          (SELECT pg_catalog.md5(pg_catalog.string_agg(
                pg_catalog.concat_ws(' ', r.oid, r.xmin, r.ctid), ',' ORDER BY r.oid))
             FROM pg_catalog.pg_publication_rel AS r WHERE r.prpubid = p.oid),
          (SELECT pg_catalog.md5(pg_catalog.string_agg(
                CAST(pg_catalog.to_jsonb(t) AS pg_catalog.text), ','
                ORDER BY t.schemaname, t.tablename))
             FROM pg_catalog.pg_publication_tables AS t WHERE t.pubname = p.pubname),
          (SELECT pg_catalog.md5(pg_catalog.string_agg(
                pg_catalog.concat_ws(' ', e.oid, e.xmin), ',' ORDER BY e.oid))
             FROM pg_catalog.pg_enum AS e),
          (SELECT pg_catalog.md5(pg_catalog.string_agg(
                pg_catalog.concat_ws(' ', c.oid, c.xmin), ',' ORDER BY c.oid))
             FROM pg_catalog.pg_class AS c
            WHERE c.relkind IN ('r', 'p') AND c.relpersistence = 'p')),
        CAST(CAST(pg_catalog.pg_snapshot_xmax(pg_catalog.pg_current_snapshot())
            AS pg_catalog.text) AS pg_catalog.int8),
        p.pubinsert AND p.pubupdate AND p.pubdelete AND p.pubtruncate
        FROM pg_catalog.pg_publication AS p WHERE p.pubname = ?
      """;

  /** Before PostgreSQL 15 there are no row filters, and no column that tells them. */
  private static final String FILTERED =
      """
      SELECT t.schemaname, t.tablename FROM pg_catalog.pg_publication_tables AS t
       WHERE t.pubname = ? AND pg_catalog.to_jsonb(t) ->> 'rowfilter' IS NOT NULL
      """;

  static PublicationState read(CaptureSettings settings) {
    String name = settings.get("publication.name");
    try (Connection connection = SourcePreparation.connect(settings);
        PreparedStatement version = connection.prepareStatement(VERSION);
        PreparedStatement filtered = connection.prepareStatement(FILTERED)) {
      version.setString(1, name);
      filtered.setString(1, name);
      try (ResultSet one = version.executeQuery();
          ResultSet rows = filtered.executeQuery()) {
        if (!one.next()) {
          return new PublicationState("", 0, false, Set.of());
        }
        Set<TableId> tables = new HashSet<>();
        while (rows.next()) {
          tables.add(new TableId(rows.getString(1), rows.getString(2)));
        }
        return new PublicationState(one.getString(1), one.getLong(2), one.getBoolean(3), tables);
      }
    } catch (SQLException e) {
      throw new CaptureException(
          Reason.SERVER,
          "publication '"
              + name
              + "' could not be read on the source (SQLSTATE "
              + e.getSQLState()
              + ")",
          e);
    }
  }
}
