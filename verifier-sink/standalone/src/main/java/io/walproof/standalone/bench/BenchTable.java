package io.walproof.standalone.bench;

import io.walproof.contract.TableId;

/** The benches' table: eight columns of common types, about a hundred bytes a row. */
final class BenchTable {

  static final TableId ID = new TableId("public", "bench");

  static final String KEY = "id";

  static final String CREATE =
      """
      CREATE TABLE public.bench (
        id bigint PRIMARY KEY,
        customer uuid NOT NULL,
        status varchar(12) NOT NULL,
        total numeric(12,2) NOT NULL,
        placed_at timestamptz NOT NULL,
        paid boolean NOT NULL,
        quantity integer NOT NULL,
        note text)
      """;

  private BenchTable() {}

  /** Inserts the rows whose ids are in the range of two SQL expressions; same id, same row. */
  static String insert(String from, String to) {
    return "INSERT INTO public.bench SELECT i,"
        + " CAST(pg_catalog.md5(CAST(i AS pg_catalog.text)) AS pg_catalog.uuid),"
        + " 'new', (i % 1000000) / 100.0,"
        + " TIMESTAMPTZ '2020-01-01 00:00:00+00' + i * INTERVAL '1 second', i % 3 = 0, i % 100,"
        + " 'note of row ' || i"
        + " FROM pg_catalog.generate_series(CAST("
        + from
        + " AS pg_catalog.int8), CAST("
        + to
        + " AS pg_catalog.int8)) AS i";
  }
}
