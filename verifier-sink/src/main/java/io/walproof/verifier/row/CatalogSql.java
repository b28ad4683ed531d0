package io.walproof.verifier.row;

/** The catalog queries. Parameters are schema and table name, or a relation's OID as text. */
final class CatalogSql {

  /**
   * One text that changes with the relation OID, a column, a type, a collation, or a unique index.
   * Cheap, because it runs in every read transaction, after the rows were read: the table's lock is
   * still held, so nothing can have changed in between.
   */
  static final String FINGERPRINT =
      """
      SELECT pg_catalog.concat_ws(' ', c.oid, c.relkind, c.relrowsecurity, c.relforcerowsecurity,
        (SELECT pg_catalog.string_agg(pg_catalog.concat_ws(' ', a.attnum, a.atttypid, a.atttypmod,
             a.attcollation, a.attnotnull, pg_catalog.quote_ident(a.attname)), ','
             ORDER BY a.attnum)
           FROM pg_catalog.pg_attribute AS a
          WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped),
        '/',
        (SELECT pg_catalog.string_agg(pg_catalog.concat_ws(' ', i.indexrelid, i.indisvalid,
             i.indimmediate, i.indkey), ',' ORDER BY i.indexrelid)
           FROM pg_catalog.pg_index AS i
          WHERE i.indrelid = c.oid AND i.indisunique))
        FROM pg_catalog.pg_class AS c
        JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
       WHERE n.nspname = CAST(? AS pg_catalog.text) AND c.relname = CAST(? AS pg_catalog.text)
      """;

  static final String RELATION =
      """
      SELECT c.oid,
        CASE WHEN c.relkind = 'p' AND EXISTS (
            SELECT FROM pg_catalog.pg_partition_tree(c.oid) AS p
              JOIN pg_catalog.pg_class AS f ON f.oid = p.relid
             WHERE f.relkind = 'f') THEN 'F' ELSE c.relkind END AS kind,
        pg_catalog.getdatabaseencoding() AS encoding,
        pg_catalog.has_schema_privilege(n.oid, 'USAGE')
          AND pg_catalog.has_table_privilege(c.oid, 'SELECT') AS readable,
        pg_catalog.row_security_active(c.oid) AS hidden
        FROM pg_catalog.pg_class AS c
        JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
       WHERE n.nspname = CAST(? AS pg_catalog.text) AND c.relname = CAST(? AS pg_catalog.text)
      """;

  /** Sets the locale that database and role have by default; yields the one that was set. */
  static final String OWN_MONETARY =
      """
      SELECT s.setting FROM pg_catalog.pg_settings AS s
       CROSS JOIN LATERAL (
         SELECT pg_catalog.set_config('lc_monetary', s.reset_val, true) AS own) AS o
       WHERE s.name = 'lc_monetary' AND o.own IS NOT NULL
      """;

  static final String MONEY_DIGITS =
      """
      SELECT pg_catalog.scale(
        CAST(CAST(0 AS pg_catalog.money) AS pg_catalog.numeric))
      """;

  static final String MONETARY = "SELECT pg_catalog.set_config('lc_monetary', ?, true)";

  static final String COLUMNS =
      """
      SELECT a.attname, a.atttypid, pg_catalog.format_type(a.atttypid, a.atttypmod)
        FROM pg_catalog.pg_attribute AS a
       WHERE a.attrelid = CAST(? AS pg_catalog.oid) AND a.attnum > 0 AND NOT a.attisdropped
       ORDER BY a.attnum
      """;

  static final String UNIQUE_INDEXES =
      """
      SELECT ic.relname, i.indisvalid AND i.indisready AS valid, i.indimmediate,
        i.indpred IS NULL AS complete, i.indexprs IS NULL AS plain,
        am.amname = 'btree' AND NOT i.indisexclusion AS ordinary,
        a.attname, a.attnotnull, opn.nspname, op.oprname, i.indisprimary,
        (i.indoption[k.at] & 1) <> 0 AS descending, (i.indoption[k.at] & 2) <> 0 AS nulls_first,
        (SELECT pg_catalog.array_agg('OPERATOR(' || pg_catalog.quote_ident(sn.nspname) || '.'
             || so.oprname || ')' ORDER BY sa.amopstrategy)
           FROM pg_catalog.pg_amop AS sa
           JOIN pg_catalog.pg_operator AS so ON so.oid = sa.amopopr
           JOIN pg_catalog.pg_namespace AS sn ON sn.oid = so.oprnamespace
          WHERE sa.amopfamily = oc.opcfamily AND sa.amoppurpose = 's'
            AND sa.amoplefttype = oc.opcintype AND sa.amoprighttype = oc.opcintype) AS operators,
        pg_catalog.quote_ident(con.nspname) || '.' || pg_catalog.quote_ident(co.collname)
          AS collation,
        CASE
          WHEN co.oid IS NULL THEN 'none'
          WHEN l.provider = 'b' OR (l.provider = 'c' AND l.locale IN ('C', 'POSIX'))
            THEN 'bytes ' || d.encoding
          ELSE pg_catalog.concat_ws(' ', l.provider, l.locale, l.version, d.encoding,
            co.collisdeterministic)
        END AS sorting,
        (SELECT pg_catalog.string_agg(pg_catalog.quote_literal(e.enumlabel), ','
             ORDER BY e.enumsortorder)
           FROM pg_catalog.pg_enum AS e WHERE e.enumtypid = a.atttypid) AS labels
        FROM pg_catalog.pg_index AS i
        JOIN pg_catalog.pg_class AS ic ON ic.oid = i.indexrelid
        JOIN pg_catalog.pg_am AS am ON am.oid = ic.relam
       CROSS JOIN LATERAL pg_catalog.generate_series(0, i.indnkeyatts - 1) AS k (at)
        LEFT JOIN pg_catalog.pg_attribute AS a
          ON a.attrelid = i.indrelid AND a.attnum = i.indkey[k.at] AND a.attnum > 0
        JOIN pg_catalog.pg_opclass AS oc ON oc.oid = i.indclass[k.at]
        LEFT JOIN pg_catalog.pg_amop AS ao
          ON ao.amopfamily = oc.opcfamily AND ao.amopstrategy = 3
         AND ao.amoplefttype = oc.opcintype AND ao.amoprighttype = oc.opcintype
        LEFT JOIN pg_catalog.pg_operator AS op ON op.oid = ao.amopopr
        LEFT JOIN pg_catalog.pg_namespace AS opn ON opn.oid = op.oprnamespace
        JOIN pg_catalog.pg_database AS d ON d.datname = pg_catalog.current_database()
        LEFT JOIN pg_catalog.pg_collation AS co ON co.oid = i.indcollation[k.at]
        LEFT JOIN pg_catalog.pg_namespace AS con ON con.oid = co.collnamespace
        LEFT JOIN LATERAL (
          SELECT CASE WHEN co.collprovider = 'd' THEN d.datlocprovider ELSE co.collprovider END
              AS provider,
            CASE WHEN co.collprovider = 'd'
              THEN COALESCE(pg_catalog.to_jsonb(d) ->> 'datlocale',
                pg_catalog.to_jsonb(d) ->> 'daticulocale', d.datcollate)
              ELSE COALESCE(pg_catalog.to_jsonb(co) ->> 'colllocale',
                pg_catalog.to_jsonb(co) ->> 'colliculocale', co.collcollate) END AS locale,
            CASE WHEN co.collprovider = 'd'
              THEN pg_catalog.pg_database_collation_actual_version(d.oid)
              ELSE pg_catalog.pg_collation_actual_version(co.oid) END AS version) AS l ON true
       WHERE i.indrelid = CAST(? AS pg_catalog.oid) AND i.indisunique
       ORDER BY ic.relname, k.at
      """;

  private CatalogSql() {}
}
