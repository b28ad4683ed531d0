package io.walproof.verifier.range;

/** The statements of {@link ExactWitness}. The parameters are schema and name of a table. */
final class WitnessSql {

  /**
   * The table, what it is a partition of, and what are partitions of it: the OIDs that its changes
   * may be sent under; and a text that changes with whatever changes rows without a logical change:
   * rewriting, attaching and detaching, renaming an enum's labels. Then whether values may change
   * their texts in ways that this does not show. Then a publication that sends every change of the
   * table, and a text that changes with it; NULL if there is none.
   */
  static final String STATE =
      """
      WITH root AS (
        SELECT c.oid, c.relkind
          FROM pg_catalog.pg_class AS c
          JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
         WHERE n.nspname = CAST(? AS pg_catalog.text) AND c.relname = CAST(? AS pg_catalog.text)),
      parts AS (
        SELECT r.oid FROM root AS r
        UNION
        SELECT p.relid FROM root AS r, pg_catalog.pg_partition_tree(r.oid) AS p),
      tree AS (
        SELECT p.oid FROM parts AS p
        UNION
        SELECT a.relid FROM root AS r, pg_catalog.pg_partition_ancestors(r.oid) AS a),
      types AS (
        SELECT y.oid, y.xmin, y.typtype,
          a.attgenerated = 'v' OR EXISTS (SELECT 1 FROM pg_catalog.pg_type AS b
             WHERE b.oid IN (y.oid, y.typelem, y.typbasetype)
               AND b.typnamespace = CAST('pg_catalog' AS pg_catalog.regnamespace)
               AND pg_catalog.starts_with(CAST(b.typname AS pg_catalog.text), 'reg')) OR (y.oid >= 16384 AND y.typtype <> 'e'
            AND NOT (y.typtype = 'b' AND y.typelem = 0)
            AND NOT (y.typtype = 'd' AND y.typbasetype < 16384)) AS shifting
          FROM root AS r
          JOIN pg_catalog.pg_attribute AS a
            ON a.attrelid = r.oid AND a.attnum > 0 AND NOT a.attisdropped
          JOIN pg_catalog.pg_type AS y ON y.oid = a.atttypid),
      leaves AS (
        SELECT p.oid
          FROM parts AS p JOIN pg_catalog.pg_class AS c ON c.oid = p.oid AND c.relkind <> 'p'),
      pub AS (
        SELECT p.pubname, pg_catalog.concat_ws(' ', p.oid, p.xmin,
            (SELECT pg_catalog.string_agg(pg_catalog.concat_ws('/', r.oid, r.xmin), ','
                 ORDER BY r.oid)
               FROM pg_catalog.pg_publication_rel AS r WHERE r.prpubid = p.oid),
            '|',
            (SELECT pg_catalog.string_agg(pg_catalog.concat_ws('/', s.oid, s.xmin), ','
                 ORDER BY s.oid)
               FROM pg_catalog.pg_publication_namespace AS s WHERE s.pnpubid = p.oid)) AS state
          FROM pg_catalog.pg_publication AS p
         WHERE p.pubinsert AND p.pubupdate AND p.pubdelete AND p.pubtruncate
           AND NOT EXISTS (SELECT 1 FROM leaves AS l
             WHERE NOT EXISTS (SELECT 1
                 FROM pg_catalog.pg_publication_tables AS t
                 JOIN pg_catalog.pg_namespace AS n ON n.nspname = t.schemaname
                 JOIN pg_catalog.pg_class AS c
                   ON c.relnamespace = n.oid AND c.relname = t.tablename
                WHERE t.pubname = p.pubname AND t.rowfilter IS NULL
                  AND (c.oid = l.oid OR c.oid IN (SELECT a.relid
                     FROM pg_catalog.pg_partition_ancestors(l.oid) AS a))))
         ORDER BY p.pubname LIMIT 1)
      SELECT pg_catalog.array_agg(CAST(t.oid AS pg_catalog.int8)) AS oids,
        pg_catalog.string_agg(pg_catalog.concat_ws(' ', t.oid, c.xmin, c.relkind,
            c.relpersistence, pg_catalog.pg_relation_filenode(t.oid),
            (SELECT pg_catalog.string_agg(pg_catalog.concat_ws('/', i.inhparent, i.xmin), ','
                 ORDER BY i.inhparent)
               FROM pg_catalog.pg_inherits AS i WHERE i.inhrelid = t.oid)), ';' ORDER BY t.oid)
          AS tables,
        (SELECT pg_catalog.string_agg(pg_catalog.concat_ws(' ', y.oid, y.xmin,
             (SELECT pg_catalog.string_agg(pg_catalog.concat_ws('/', e.oid, e.xmin), ','
                  ORDER BY e.oid)
                FROM pg_catalog.pg_enum AS e WHERE e.enumtypid = y.oid)), ';' ORDER BY y.oid)
           FROM types AS y) AS types,
        (SELECT pg_catalog.bool_or(y.shifting) FROM types AS y) AS shifting,
        (SELECT pubname FROM pub) AS publication, (SELECT state FROM pub) AS published
        FROM tree AS t JOIN pg_catalog.pg_class AS c ON c.oid = t.oid
      """;

  static final String CREATE =
      "SELECT pg_catalog.pg_create_logical_replication_slot(CAST(? AS pg_catalog.text), 'pgoutput',"
          + " true)";

  static final String DROP =
      "SELECT pg_catalog.pg_drop_replication_slot(s.slot_name)"
          + " FROM pg_catalog.pg_replication_slots AS s"
          + " WHERE s.slot_name = CAST(? AS pg_catalog.text)";

  /** Logged like any boundary; its commit waits for standbys as theirs do. */
  static final String MARK =
      "SELECT pg_catalog.pg_logical_emit_message(true, 'walproof-boundary',"
          + " CAST(? AS pg_catalog.text))";

  static final String OWN_TRANSACTION = "SELECT pg_catalog.pg_current_xact_id_if_assigned()";

  static final String FLUSHED = "SELECT pg_catalog.pg_current_wal_flush_lsn()";

  static final String SNAPSHOT = "SELECT pg_catalog.pg_current_snapshot()";

  static final String IN_RECOVERY = "SELECT pg_catalog.pg_is_in_recovery()";

  /**
   * The next changes: of inserts, updates and deletes only which relation they are of, each once;
   * of truncates all of it, and messages. Parameters: slot, LSN, publication as an identifier.
   */
  static final String CHANGES =
      """
      SELECT DISTINCT CASE WHEN pg_catalog.get_byte(s.data, 0) IN (68, 73, 85)
          THEN pg_catalog.substr(s.data, 1, 5) ELSE s.data END
        FROM pg_catalog.pg_logical_slot_get_binary_changes(CAST(? AS pg_catalog.text),
          CAST(? AS pg_catalog.pg_lsn), 10000, 'proto_version', '1', 'messages', 'true',
          'publication_names', CAST(? AS pg_catalog.text)) AS s
       WHERE pg_catalog.get_byte(s.data, 0) IN (68, 73, 77, 84, 85)
      """;

  private WitnessSql() {}
}
