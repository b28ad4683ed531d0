package io.walproof.standalone.bench;

import java.sql.SQLException;

/** Many small tables on both sides, each with one row, which is not the same on the target. */
final class ManyTables {

  /** How their names begin. */
  static final String PREFIX = "many_";

  /** Tables of one transaction: each takes locks. */
  private static final int AT_ONCE = 200;

  private ManyTables() {}

  static void create(TwoSides sides, int tables) throws SQLException {
    sides.onBoth(
        forEach(
            tables,
            "CREATE TABLE public.%I (id bigint PRIMARY KEY, customer uuid, status varchar(12),"
                + " total numeric(12,2), placed_at timestamptz, note text)"),
        forEach(tables, "INSERT INTO public.%I (id, status) VALUES (1, ''new'')"));
    sides.onTarget(forEach(tables, "UPDATE public.%I SET note = ''other''"));
  }

  /** Changes each table's row on the source. */
  static void change(TwoSides sides, int tables) throws SQLException {
    sides.onSource(forEach(tables, "UPDATE public.%I SET status = ''paid''"));
  }

  private static String forEach(int tables, String statement) {
    return "DO $$ BEGIN FOR i IN 1.."
        + tables
        + " LOOP EXECUTE format('"
        + statement
        + "', '"
        + PREFIX
        + "' || i); IF i % "
        + AT_ONCE
        + " = 0 THEN COMMIT; END IF; END LOOP; END $$";
  }
}
