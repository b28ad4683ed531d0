package io.walproof.standalone;

import io.walproof.contract.RowKey;
import io.walproof.contract.SqlIdentifier;
import io.walproof.standalone.run.RangeReport;
import io.walproof.verifier.audit.VisibleText;
import io.walproof.verifier.range.RangeResult;
import io.walproof.verifier.range.RangeResult.Names;
import io.walproof.verifier.range.Strength;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A range check's result for people. */
final class RangeText {

  /** Of the tables that were left out for one reason. */
  private static final int NAMES_SHOWN = 10;

  private RangeText() {}

  static void print(RangeReport report, PrintWriter out) {
    out.println("run " + report.runId());
    out.println();
    if (!report.results().isEmpty()) {
      results(report.results(), out);
    }
    leftOut(report.leftOut(), out);
  }

  /** Tables that nobody named, one line for each reason: there may be thousands. */
  private static void leftOut(List<RangeResult> tables, PrintWriter out) {
    Map<String, List<String>> byReason = new LinkedHashMap<>();
    tables.forEach(
        table -> byReason.computeIfAbsent(why(table), any -> new ArrayList<>()).add(name(table)));
    byReason.forEach(
        (why, names) ->
            out.println(
                String.format(Locale.ROOT, "not checked, %,d ", names.size())
                    + (names.size() == 1 ? "table" : "tables")
                    + " ("
                    + why
                    + "): "
                    + names.stream().limit(NAMES_SHOWN).collect(Collectors.joining(", "))
                    + (names.size() > NAMES_SHOWN
                        ? String.format(
                            Locale.ROOT, " and %,d more (--json)", names.size() - NAMES_SHOWN)
                        : "")));
  }

  /** The tables and what is to be said of each. */
  static void results(List<RangeResult> results, PrintWriter out) {
    TextTable table =
        new TextTable(
            "table",
            "outcome",
            "strength",
            "rows",
            "equal",
            "differing",
            "failing",
            "target only",
            "seconds");
    for (RangeResult result : results) {
      table.row(
          name(result),
          result.outcome().text(),
          result.strength().map(Strength::text).orElse("-"),
          String.format(Locale.ROOT, "%,d", result.progress().rows()),
          String.format(Locale.ROOT, "%,d", result.progress().chunksEqual()),
          String.format(Locale.ROOT, "%,d", result.progress().chunksDiffering()),
          String.format(Locale.ROOT, "%,d", result.keys().failures()),
          String.format(Locale.ROOT, "%,d", result.targetOnly().count()),
          String.format(Locale.ROOT, "%.1f", result.took().toMillis() / 1e3));
    }
    table.print(out);
    results.forEach(result -> details(result, out));
  }

  private static void details(RangeResult result, PrintWriter out) {
    String name = name(result);
    String why = why(result);
    if (!why.isEmpty()) {
      out.println(name + ": " + why);
    }
    result
        .resumedFrom()
        .ifPresent(at -> out.println(name + ": continues the check that began at " + at));
    if (!result.progress().complete() && result.progress().coveredTo().isPresent()) {
      out.println(name + ": covered through " + key(result.progress().coveredTo().get()));
    }
    for (Map.Entry<String, Names> outcome : result.keys().byOutcome().entrySet()) {
      names(name + ": " + outcome.getKey(), outcome.getValue(), out);
    }
    if (result.targetOnly().count() > 0) {
      names(name + ": only on the target, not judged", result.targetOnly(), out);
    }
    result
        .columnsNotCompared()
        .forEach(column -> out.println(name + ": not compared: " + VisibleText.of(column)));
  }

  private static void names(String what, Names names, PrintWriter out) {
    String more =
        names.count() > names.named().size()
            ? String.format(
                Locale.ROOT,
                " and %,d more (verify.range.keys.max)",
                names.count() - names.named().size())
            : "";
    out.println(
        String.format(Locale.ROOT, "%s: %,d: ", what, names.count())
            + names.named().stream().map(RangeText::key).collect(Collectors.joining(", "))
            + more);
  }

  private static String why(RangeResult result) {
    return Stream.concat(result.reason().stream(), result.detail().stream().map(VisibleText::of))
        .collect(Collectors.joining(": "));
  }

  private static String name(RangeResult result) {
    return VisibleText.of(result.table().display());
  }

  private static String key(RowKey key) {
    return key.columns().stream()
        .map(column -> SqlIdentifier.display(column.name()) + '=' + column.text())
        .map(VisibleText::of)
        .collect(Collectors.joining(" and ", "(", ")"));
  }
}
