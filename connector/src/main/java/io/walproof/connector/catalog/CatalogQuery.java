package io.walproof.connector.catalog;

import io.walproof.contract.Lsn;
import io.walproof.contract.TableId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;

/** Reads the catalog: one statement for all tables, without locks on them. */
public final class CatalogQuery {

  /** One row at least, for the place in the WAL; a table's columns are null if it is gone. */
  private static final String SQL =
      """
      WITH wanted AS (
        SELECT * FROM ROWS FROM (
          pg_catalog.unnest(CAST(? AS pg_catalog.text[])),
          pg_catalog.unnest(CAST(? AS pg_catalog.text[]))) AS w(nspname, relname)),
      tables AS MATERIALIZED (
        SELECT n.nspname, c.oid, c.relname, c.relnamespace, c.relkind, c.relispartition, c.relreplident
        FROM wanted w
        JOIN pg_catalog.pg_namespace n ON n.nspname = w.nspname
        JOIN pg_catalog.pg_class c ON c.relnamespace = n.oid AND c.relname = w.relname AND c.relkind IN ('r', 'p')),
      publication AS MATERIALIZED (
        SELECT * FROM pg_catalog.pg_publication WHERE pubname = ?),
      published AS MATERIALIZED (
        SELECT * FROM pg_catalog.pg_publication_tables WHERE pubname = ?),
      family AS MATERIALIZED (
        SELECT c.oid AS relid, c.oid AS up, c.relnamespace AS space FROM tables c
        UNION ALL
        SELECT c.oid, uc.oid, uc.relnamespace FROM tables c
        CROSS JOIN LATERAL pg_catalog.pg_partition_ancestors(c.oid) a
        JOIN pg_catalog.pg_class uc ON uc.oid = a.relid AND uc.oid <> c.oid
        WHERE c.relispartition),
      above AS MATERIALIZED (
        SELECT f.relid, pg_catalog.bool_or(f.up NOT IN (SELECT k.oid FROM tables k)) AS elsewhere
        FROM family f
        JOIN pg_catalog.pg_class uc ON uc.oid = f.up
        JOIN pg_catalog.pg_namespace un ON un.oid = uc.relnamespace
        JOIN published up ON up.schemaname = un.nspname AND up.tablename = uc.relname
        WHERE f.up <> f.relid
        GROUP BY f.relid),
      members AS MATERIALIZED (
        SELECT m.relid, pg_catalog.jsonb_agg(DISTINCT m.member ORDER BY m.member) AS members
        FROM (
          SELECT f.relid, pr.oid::bigint AS member FROM family f
          JOIN pg_catalog.pg_publication_rel pr ON pr.prrelid = f.up
          JOIN publication b ON b.oid = pr.prpubid
          {schemas}
          UNION ALL
          SELECT f.relid, b.oid::bigint FROM family f CROSS JOIN publication b WHERE b.puballtables) m
        GROUP BY m.relid),
      found AS (
      SELECT c.nspname, c.relname,
        pg_catalog.jsonb_strip_nulls(pg_catalog.jsonb_build_object(
          'oid', c.oid::bigint,
          'columns', (
            SELECT pg_catalog.jsonb_object_agg(a.attname, pg_catalog.jsonb_build_object(
              'number', a.attnum,
              'type', pg_catalog.format_type(a.atttypid, a.atttypmod),
              'type_oid', CASE WHEN a.atttypid >= 10000 THEN a.atttypid::bigint END,
              'collation', (SELECT cn.nspname || '.' || l.collname FROM pg_catalog.pg_collation l
                JOIN pg_catalog.pg_namespace cn ON cn.oid = l.collnamespace WHERE l.oid = a.attcollation),
              'generated', NULLIF(a.attgenerated::text, ''),
              'labels', CASE WHEN a.atttypid >= 10000 THEN (
                SELECT pg_catalog.jsonb_agg(e.enumlabel ORDER BY e.enumsortorder) FROM pg_catalog.pg_enum e
                WHERE e.enumtypid IN (t.oid, t.typelem, t.typbasetype)) END,
              'rules', CASE WHEN a.atttypid >= 10000 THEN (
                SELECT pg_catalog.jsonb_agg(pg_catalog.pg_get_constraintdef(k.oid) ORDER BY k.conname)
                FROM pg_catalog.pg_constraint k
                WHERE k.contype = 'c' AND k.contypid IN (t.oid, t.typelem)) END))
            FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
            WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped),
          'key', (
            SELECT pg_catalog.jsonb_agg(a.attname ORDER BY k.place)
            FROM pg_catalog.pg_index i
            CROSS JOIN LATERAL pg_catalog.unnest(i.indkey::int2[]) WITH ORDINALITY AS k(number, place)
            JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.number
            WHERE i.indrelid = c.oid AND k.place <= i.indnkeyatts
              AND CASE c.relreplident WHEN 'i' THEN i.indisreplident ELSE i.indisprimary END),
          'identity', c.relreplident::text,
          'published', p.tablename IS NOT NULL OR u.relid IS NOT NULL
            OR (c.relkind = 'p' AND EXISTS (
              SELECT FROM pg_catalog.pg_partition_tree(c.oid) down
              JOIN pg_catalog.pg_class dc ON dc.oid = down.relid
              JOIN pg_catalog.pg_namespace dn ON dn.oid = dc.relnamespace
              JOIN published dp ON dp.schemaname = dn.nspname AND dp.tablename = dc.relname)),
          'members', m.members,
          'operations', (
            SELECT pg_catalog.concat_ws(', ', CASE WHEN b.pubinsert THEN 'insert' END,
              CASE WHEN b.pubupdate THEN 'update' END, CASE WHEN b.pubdelete THEN 'delete' END,
              CASE WHEN b.pubtruncate THEN 'truncate' END)
            FROM publication b),
          'via_root', CASE WHEN c.relkind = 'p' OR c.relispartition THEN (SELECT b.pubviaroot FROM publication b) END,
          'elsewhere', CASE
            WHEN c.relkind = 'p' AND NOT (SELECT b.pubviaroot FROM publication b) THEN EXISTS (
              SELECT FROM pg_catalog.pg_partition_tree(c.oid) leaf
              WHERE leaf.isleaf AND leaf.relid NOT IN (SELECT k.oid FROM tables k))
            WHEN c.relispartition AND (SELECT b.pubviaroot FROM publication b) THEN u.elsewhere END,
          'published_columns', CASE WHEN pg_catalog.to_jsonb(r) ->> 'prattrs' IS NOT NULL
            THEN pg_catalog.to_jsonb(p) -> 'attnames' END,
          'row_filter', pg_catalog.to_jsonb(p) ->> 'rowfilter',
          'partitions', CASE WHEN c.relkind = 'p' THEN (
            SELECT pg_catalog.jsonb_agg(cn.nspname || '.' || cc.relname ORDER BY cn.nspname, cc.relname)
            FROM pg_catalog.pg_inherits h JOIN pg_catalog.pg_class cc ON cc.oid = h.inhrelid
            JOIN pg_catalog.pg_namespace cn ON cn.oid = cc.relnamespace
            WHERE h.inhparent = c.oid) END))::text,
        CASE WHEN c.relkind = 'p' THEN (
            SELECT pg_catalog.sum(ls.n_tup_ins + ls.n_tup_upd + ls.n_tup_del)::bigint
            FROM pg_catalog.pg_partition_tree(c.oid) leaf
            JOIN pg_catalog.pg_stat_all_tables ls ON ls.relid = leaf.relid)
          ELSE s.n_tup_ins + s.n_tup_upd + s.n_tup_del END
      FROM tables c
      LEFT JOIN published p ON p.schemaname = c.nspname AND p.tablename = c.relname
      LEFT JOIN above u ON u.relid = c.oid
      LEFT JOIN members m ON m.relid = c.oid
      LEFT JOIN pg_catalog.pg_publication_rel r ON r.prrelid = c.oid
        AND r.prpubid = (SELECT b.oid FROM publication b)
      LEFT JOIN pg_catalog.pg_stat_all_tables s ON s.relid = c.oid)
      SELECT\s"""
          + WalEnd.SQL
          + """
      ,
        pg_catalog.pg_snapshot_xmax(pg_catalog.pg_current_snapshot())::text::bigint, found.*
      FROM (SELECT 1) AS one LEFT JOIN found ON true
      """;

  /** Publications of whole schemas, which PostgreSQL 14 has not. */
  private static final String SCHEMAS =
      """
      UNION ALL
      SELECT f.relid, pn.oid::bigint FROM family f
      JOIN pg_catalog.pg_publication_namespace pn ON pn.pnnspid = f.space
      JOIN publication b ON b.oid = pn.pnpubid
      """;

  private static final int FIRST_WITH_SCHEMAS = 15;

  private CatalogQuery() {}

  /**
   * Reads what the catalog says now.
   *
   * @param connection with search_path {@code pg_catalog}
   * @param tables which to look at
   * @param publication the publication's name
   */
  public static CatalogReading read(
      Connection connection, Collection<TableId> tables, String publication) throws SQLException {
    boolean schemas = connection.getMetaData().getDatabaseMajorVersion() >= FIRST_WITH_SCHEMAS;
    String sql = SQL.replace("{schemas}", schemas ? SCHEMAS : "");
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setArray(1, connection.createArrayOf("text", schemas(tables)));
      statement.setArray(2, connection.createArrayOf("text", names(tables)));
      statement.setString(3, publication);
      statement.setString(4, publication);
      Map<TableId, String> facts = new TreeMap<>();
      Map<TableId, Long> changes = new TreeMap<>();
      Lsn at = Lsn.NONE;
      long nextXid = 0;
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          at = Lsn.parse(rows.getString(1));
          nextXid = rows.getLong(2);
          if (rows.getString(3) != null) {
            TableId table = new TableId(rows.getString(3), rows.getString(4));
            facts.put(table, rows.getString(5));
            changes.put(table, rows.getLong(6));
          }
        }
      }
      return new CatalogReading(at, nextXid, facts, changes);
    }
  }

  private static Object[] schemas(Collection<TableId> tables) {
    return tables.stream().map(TableId::schema).toArray();
  }

  private static Object[] names(Collection<TableId> tables) {
    return tables.stream().map(TableId::name).toArray();
  }
}
