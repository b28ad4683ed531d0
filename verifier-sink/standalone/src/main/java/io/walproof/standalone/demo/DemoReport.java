package io.walproof.standalone.demo;

import io.walproof.verifier.model.Coverage;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * The demo's result.
 *
 * @param lines one per injection
 * @param unexpected what was reported and not injected
 * @param runs each run's final counts
 * @param incompleteByReason decisions that are incomplete
 * @param auditFile where the evidence is
 * @param seconds how long it all took
 */
record DemoReport(
    List<Line> lines,
    List<String> unexpected,
    List<Coverage> runs,
    Map<String, Long> incompleteByReason,
    Path auditFile,
    double seconds) {

  /** One injection. */
  record Line(
      String injected, String expected, String found, double afterSeconds, boolean asExpected) {}

  DemoReport {
    lines = List.copyOf(lines);
    unexpected = List.copyOf(unexpected);
    runs = List.copyOf(runs);
    incompleteByReason = new TreeMap<>(incompleteByReason);
  }

  boolean allFoundAndNothingElse() {
    return lines.stream().allMatch(Line::asExpected) && unexpected.isEmpty();
  }

  void print(PrintStream out) {
    int injected = width("injected", lines.stream().map(Line::injected).toList());
    int expected = width("expected", lines.stream().map(Line::expected).toList());
    int found = width("found", lines.stream().map(Line::found).toList());
    String row = "%-" + injected + "s  %-" + expected + "s  %-" + found + "s  %8s  %s%n";
    out.println();
    out.printf(row, "injected", "expected", "found", "after", "");
    for (Line line : lines) {
      out.printf(
          row,
          line.injected(),
          line.expected(),
          line.found(),
          String.format(Locale.ROOT, "%.1f s", line.afterSeconds()),
          line.asExpected() ? "ok" : "NOT AS EXPECTED");
    }
    out.println();
    printCoverage(out);
    unexpected.stream()
        .distinct()
        .forEach(text -> out.println("not injected, yet reported: " + text));
    out.println("audit file: " + auditFile);
    out.printf(
        Locale.ROOT,
        "%s (%.0f s)%n",
        allFoundAndNothingElse()
            ? "everything injected was found, and nothing else was reported"
            : "the demo did not end as expected",
        seconds);
  }

  private void printCoverage(PrintStream out) {
    Map<String, Long> outcomes = new TreeMap<>();
    Map<String, Long> skipped = new TreeMap<>();
    long observed = 0;
    long checked = 0;
    long coalesced = 0;
    long pending = 0;
    for (Coverage run : runs) {
      observed += run.observed();
      checked += run.checked();
      coalesced += run.coalesced();
      pending += run.pending();
      run.outcomes().forEach((name, n) -> outcomes.merge(name, n, Long::sum));
      run.skipped().forEach((name, n) -> skipped.merge(name, n, Long::sum));
    }
    Coverage sum = new Coverage(observed, checked, coalesced, skipped, pending, outcomes);
    out.printf(
        Locale.ROOT,
        "coverage over %d runs: %,d keys observed = %,d checked + %,d coalesced + %,d skipped %s + %d"
            + " pending%n",
        runs.size(),
        sum.observed(),
        sum.checked(),
        sum.coalesced(),
        sum.skipped().values().stream().mapToLong(Long::longValue).sum(),
        sum.skipped(),
        sum.pending());
    out.println("outcomes: " + sum.outcomes());
    incompleteByReason.forEach(
        (reason, n) -> out.printf(Locale.ROOT, "incomplete, %s: %,d%s%n", reason, n, why(reason)));
  }

  private static String why(String reason) {
    return switch (reason) {
      case "cancelled" -> " (undecided when Walproof was stopped; the next run checked them again)";
      case "replay_not_confirmed" -> " (while the applier was stopped: nothing was proven)";
      default -> "";
    };
  }

  private static int width(String title, List<String> texts) {
    return texts.stream().mapToInt(String::length).reduce(title.length(), Math::max);
  }
}
