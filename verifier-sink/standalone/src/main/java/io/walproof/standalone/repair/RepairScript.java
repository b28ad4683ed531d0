package io.walproof.standalone.repair;

import io.walproof.standalone.repair.ConfirmedFailures.Failure;
import io.walproof.verifier.audit.VisibleText;
import io.walproof.verifier.row.KeyRead;
import io.walproof.verifier.row.RepairRow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Writes the script's text. Every value in it was quoted by PostgreSQL. Pure. */
final class RepairScript {

  /** Whatever role, database and server have set: values mean what they meant when read. */
  private static final List<String> SETTINGS =
      List.of(
          "TimeZone = 'UTC'",
          "DateStyle = 'ISO, YMD'",
          "IntervalStyle = 'postgres'",
          "extra_float_digits = '1'",
          "bytea_output = 'hex'",
          "lc_monetary = 'C'",
          "xmloption = 'content'",
          "standard_conforming_strings = 'on'");

  private RepairScript() {}

  /** What stands at the top. */
  static List<String> heading(
      Instant at, Instant until, String source, String target, int statements) {
    return List.of(
        "-- Repairs that Walproof proposes for confirmed failures. Walproof does not run them.",
        "-- Made "
            + at
            + ", "
            + statements
            + " rows. Runs until "
            + until
            + " by the target's clock.",
        "-- Values were read from: " + VisibleText.of(source),
        "-- To be run on:          " + VisibleText.of(target),
        "-- THIS FILE HOLDS ROW VALUES. Keep it as private as the tables; its mode is 0600.",
        "--",
        "-- Review each transaction. It changes one row, and only while that row is the one that was",
        "-- judged and read; otherwise it raises an error and changes nothing.",
        "-- AN INSERT CAN GO STALE. It sees that the target has no such row, not that the source has",
        "-- deleted or changed its own since: it would bring such a row back, or take a key that the",
        "-- pipeline is about to write, which stops an applier. Export again right before you run it,",
        "-- and run it while nobody writes those rows on the source. After the time above each",
        "-- transaction refuses. Triggers of the target fire. Columns that no publication of the",
        "-- pipeline lists, or verify.columns.exclude names, are left as they are. Stop the cause first: a pipeline that lost a change may lose the next one. Run it as",
        "-- a role that may write, for example: psql -v ON_ERROR_STOP=1 -f FILE",
        "-- What was repaired is proved by the next check of it: walproof verify-range.",
        "",
        "SET client_encoding = 'UTF8';",
        "SET standard_conforming_strings = 'on';");
  }

  /** One row's transaction. */
  static List<String> transaction(Failure failure, RepairRow row, Instant until) {
    List<String> body = new ArrayList<>();
    body.add("DECLARE changed bigint;");
    body.add("BEGIN");
    body.add(
        "  IF pg_catalog.clock_timestamp() > CAST('" + until + "' AS pg_catalog.timestamptz) THEN");
    body.add(
        "    RAISE EXCEPTION 'nothing is repaired: these statements were made too long ago; export"
            + " them again';");
    body.add("  END IF;");
    if (row.target() instanceof KeyRead.Found) {
      update(row, body);
    } else {
      insert(row, body);
    }
    body.add("  GET DIAGNOSTICS changed = ROW_COUNT;");
    body.add("  IF changed <> 1 THEN");
    body.add(
        "    RAISE EXCEPTION 'nothing is repaired: the target row is not the one that was judged"
            + " any more';");
    body.add("  END IF;");
    body.add("END");
    String tag = tagAbsentFrom(body);
    List<String> lines = new ArrayList<>();
    lines.add("");
    lines.add("-- " + title(failure));
    lines.add("BEGIN;");
    SETTINGS.forEach(setting -> lines.add("SET LOCAL " + setting + ";"));
    lines.add("DO " + tag);
    lines.addAll(body);
    lines.add(tag + ";");
    lines.add("COMMIT;");
    return lines;
  }

  /** What is left out, and why. */
  static String leftOut(Failure failure, String why) {
    return "-- left out: " + title(failure) + ": " + VisibleText.of(why);
  }

  private static String title(Failure failure) {
    return VisibleText.of(
        failure.table().display()
            + " "
            + failure.key().display()
            + ": "
            + failure.record().outcome().orElse("")
            + ", record "
            + failure.record().seq()
            + " of "
            + failure.record().at());
  }

  private static void update(RepairRow row, List<String> body) {
    body.add("  UPDATE " + row.relation() + " AS t");
    body.add("     SET " + assignments(row.differing()));
    body.add("   WHERE " + row.condition().orElseThrow());
    body.add("     AND " + row.unchanged().orElseThrow() + ";");
  }

  private static String assignments(Map<String, String> values) {
    return values.entrySet().stream()
        .map(value -> value.getKey() + " = " + value.getValue())
        .collect(Collectors.joining(",\n         "));
  }

  private static void insert(RepairRow row, List<String> body) {
    body.add(
        "  INSERT INTO "
            + row.table().sql()
            + " ("
            + String.join(", ", row.all().keySet())
            + ") OVERRIDING SYSTEM VALUE");
    body.add("  SELECT " + String.join(",\n         ", row.all().values()));
    body.add(
        "   WHERE NOT EXISTS (SELECT FROM "
            + row.relation()
            + " AS t WHERE "
            + row.condition().orElseThrow()
            + ");");
  }

  /** A value may hold any text, also what would end the body. */
  private static String tagAbsentFrom(List<String> body) {
    String text = String.join("\n", body);
    int number = 0;
    String tag = "$repair$";
    while (text.contains(tag)) {
      number++;
      tag = "$repair" + number + "$";
    }
    return tag;
  }
}
