package io.walproof.standalone.timeline;

import io.walproof.contract.SqlIdentifier;
import io.walproof.contract.TableId;
import io.walproof.standalone.timeline.DriftEntry.Change;
import java.util.ArrayList;
import java.util.List;

/**
 * A drift event as text. The difference reads like the DDL that may have led to it; what has no
 * such form, or is not certain, is a comment. It is not meant to be run.
 */
public final class DriftText {

  private DriftText() {}

  /** The event's lines: a heading, the difference, the sentence. */
  public static List<String> lines(DriftEntry entry) {
    List<String> lines = new ArrayList<>();
    lines.add(
        entry.at().map(at -> at + "  ").orElse("")
            + entry.table().map(TableId::display).orElse("(the stream)")
            + "  "
            + entry.kind()
            + "  "
            + entry.occurrence()
            + entry.from().map(from -> "  from " + from).orElse("")
            + "  at "
            + entry.lsn()
            + (entry.transaction() == 0 ? "" : " in transaction " + entry.transaction())
            + "  "
            + entry.policy()
            + ": "
            + entry.action());
    difference(entry).forEach(line -> lines.add("    " + line));
    lines.add(
        "    -- "
            + entry.detail()
            + entry
                .narrowing()
                .map(narrows -> narrows ? "; narrowing" : "; not narrowing")
                .orElse(""));
    return lines;
  }

  /** The difference, one line for each change. */
  public static List<String> difference(DriftEntry entry) {
    String table = entry.table().map(TableId::display).orElse("");
    return entry.changes().stream().map(change -> line(table, change)).toList();
  }

  private static String line(String table, Change change) {
    String alter = "ALTER TABLE " + table + " ";
    String column = change.column().isEmpty() ? "" : SqlIdentifier.display(change.column());
    return switch (change.what()) {
      case "added" -> alter + "ADD COLUMN " + column + " " + change.after() + ";";
      case "removed" -> alter + "DROP COLUMN " + column + "; -- was " + change.before();
      case "type", "type_modifier" ->
          alter
              + "ALTER COLUMN "
              + column
              + " TYPE "
              + change.after()
              + "; -- was "
              + change.before()
              + (change.narrowing() ? ", may not hold its values" : "");
      case "collation" ->
          alter
              + "ALTER COLUMN "
              + column
              + " ... COLLATE "
              + change.after()
              + "; -- was "
              + change.before();
      case "possible_rename" ->
          "-- perhaps: "
              + alter
              + "RENAME COLUMN "
              + column
              + " TO "
              + SqlIdentifier.display(change.after())
              + ";";
      case "order" ->
          "-- " + column + ": place " + change.before() + " became place " + change.after();
      default ->
          "-- "
              + (column.isEmpty() ? "" : column + ": ")
              + change.what().replace('_', ' ')
              + ": "
              + orNone(change.before())
              + " became "
              + orNone(change.after());
    };
  }

  private static String orNone(String text) {
    return text.isEmpty() ? "none" : text;
  }
}
