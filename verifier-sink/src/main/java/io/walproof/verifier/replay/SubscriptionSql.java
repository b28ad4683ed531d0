package io.walproof.verifier.replay;

/** Catalog queries about subscriptions; none needs more than what every role may read. */
final class SubscriptionSql {

  /** On the target: this database's subscriptions and how far their appliers have received. */
  static final String SUBSCRIPTIONS =
      """
      SELECT s.oid, s.subname, s.subenabled, s.subslotname,
        (SELECT pg_catalog.max(w.received_lsn) FROM pg_catalog.pg_stat_subscription AS w
          WHERE w.subid = s.oid AND w.relid IS NULL AND w.pid IS NOT NULL) AS received
        FROM pg_catalog.pg_subscription AS s
        JOIN pg_catalog.pg_database AS d ON d.oid = s.subdbid
       WHERE d.datname = pg_catalog.current_database()
       ORDER BY s.subname
      """;

  /**
   * On the target: for each wanted table (by ordinal) the subscriptions of the table itself or of
   * what it is a partition of ({@code leaf} NULL), and of each of its leaf partitions.
   */
  static final String COVERAGE =
      """
      WITH wanted AS (
        SELECT k.n, c.oid
          FROM ROWS FROM (pg_catalog.unnest(CAST(? AS pg_catalog.text[])),
                          pg_catalog.unnest(CAST(? AS pg_catalog.text[])))
               WITH ORDINALITY AS k (nspname, relname, n)
          JOIN pg_catalog.pg_namespace AS ns ON ns.nspname = k.nspname
          JOIN pg_catalog.pg_class AS c ON c.relnamespace = ns.oid AND c.relname = k.relname)
      SELECT w.n, NULL AS leaf, r.srsubid, r.srsubstate
        FROM wanted AS w
        JOIN pg_catalog.pg_subscription_rel AS r
          ON r.srrelid = w.oid
          OR r.srrelid IN (SELECT a.relid FROM pg_catalog.pg_partition_ancestors(w.oid) AS a)
      UNION ALL
      SELECT w.n, t.relid, r.srsubid, r.srsubstate
        FROM wanted AS w
       CROSS JOIN LATERAL pg_catalog.pg_partition_tree(w.oid) AS t
        LEFT JOIN pg_catalog.pg_subscription_rel AS r ON r.srrelid = t.relid
       WHERE t.isleaf AND t.relid <> w.oid
      """;

  /** On the source: this database's pgoutput slots, and the end of its WAL. */
  static final String SLOTS =
      """
      SELECT s.slot_name, s.confirmed_flush_lsn, pg_catalog.pg_current_wal_insert_lsn() AS ends
        FROM pg_catalog.pg_replication_slots AS s
       WHERE s.slot_type = 'logical' AND s.plugin = 'pgoutput'
         AND s.database = pg_catalog.current_database()
      """;

  private SubscriptionSql() {}
}
