package io.walproof.standalone;

import io.walproof.contract.Lsn;
import io.walproof.contract.TableId;
import io.walproof.verifier.audit.AuditSummary;
import io.walproof.verifier.audit.AuditSummary.Figures;
import io.walproof.verifier.audit.VisibleText;
import io.walproof.verifier.model.Coverage;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** A summary for people. */
final class SummaryText {

  /** So many tables are named; the rest is counted. */
  private static final int NAMED = 20;

  private SummaryText() {}

  static void print(AuditSummary summary, PrintWriter out) {
    out.println(
        summary.runs().size() == 1
            ? "run " + VisibleText.of(summary.runs().get(0))
            : summary.runs().size() + " runs");
    out.print("from " + summary.startedAt());
    out.println(
        summary.endedAt().isPresent()
            ? " to " + summary.endedAt().get() + " (" + summary.endReason().orElse("ended") + ")"
            : ", not ended: still running, or killed");
    out.println();
    table(summary, out);
    out.println();
    summary.reported().ifPresent(coverage -> out.println(coverage(coverage)));
    columnSettings(summary.columnSettings(), out);
    summary
        .columns()
        .forEach(
            (table, left) -> {
              columns(table, "not compared", left.notCompared(), out);
              columns(table, "excluded", left.excluded(), out);
              columns(table, "not published", left.notPublished(), out);
            });
    if (!summary.total().incompleteReasons().isEmpty()) {
      out.println("incomplete: " + counts(summary.total().incompleteReasons()));
    }
    if (summary.ranges().failed() + summary.ranges().open() > 0) {
      out.println(
          "range checks: "
              + summary.ranges().failed()
              + " failed, "
              + summary.ranges().open()
              + " without a judgement or with rows that only the target has");
    }
    verdictsAfter(summary.verdictsAfter(), out);
    out.println("drift: " + (summary.drift().isEmpty() ? "none" : counts(summary.drift())));
    if (summary.disagreements().isEmpty()) {
      out.println(
          summary.endedAt().isPresent()
              ? "The records and the run's own counts agree."
              : "The run's own final counts are not there to compare.");
    }
    summary.disagreements().forEach(sentence -> out.println("DISAGREEMENT: " + sentence));
  }

  /** What no verdict covers, or covers otherwise, because somebody said so. */
  static void columnSettings(Map<String, String> settings, PrintWriter out) {
    new TreeMap<>(settings).forEach((key, text) -> out.println(key + ": " + VisibleText.of(text)));
  }

  private static void columns(TableId table, String how, List<String> columns, PrintWriter out) {
    if (!columns.isEmpty()) {
      out.println(VisibleText.of(table.display() + ": " + how + ": " + String.join("; ", columns)));
    }
  }

  /** A gap of the whole stream concerns every table alike. */
  private static void verdictsAfter(Map<TableId, Lsn> tables, PrintWriter out) {
    Map<Lsn, List<String>> names = new TreeMap<>();
    tables.forEach(
        (table, lsn) -> names.computeIfAbsent(lsn, at -> new ArrayList<>()).add(table.display()));
    names.forEach(
        (lsn, list) ->
            out.println(
                "verdicts start after "
                    + lsn
                    + " (a gap): "
                    + VisibleText.of(
                        String.join(", ", list.subList(0, Math.min(NAMED, list.size()))))
                    + (list.size() > NAMED ? " and " + (list.size() - NAMED) + " more" : "")));
  }

  private static void table(AuditSummary summary, PrintWriter out) {
    TextTable table = new TextTable("table", "deferred", "unresolved", "incomplete", "other");
    for (Map.Entry<TableId, Figures> entry : summary.tables().entrySet()) {
      row(table, VisibleText.of(entry.getKey().display()), entry.getValue());
    }
    row(table, "total", summary.total());
    table.print(out);
  }

  private static void row(TextTable table, String name, Figures figures) {
    String unresolved =
        figures.outcomes().entrySet().stream()
            .filter(outcome -> outcome.getKey().startsWith("unresolved_"))
            .map(o -> o.getKey().substring("unresolved_".length()) + " " + o.getValue())
            .collect(Collectors.joining(", "));
    String other =
        figures.outcomes().entrySet().stream()
            .filter(o -> !o.getKey().startsWith("unresolved_") && !o.getKey().equals("incomplete"))
            .map(outcome -> outcome.getKey() + " " + outcome.getValue())
            .collect(Collectors.joining(", "));
    table.row(
        name,
        Long.toString(figures.deferred()),
        unresolved.isEmpty() ? "0" : unresolved,
        Long.toString(figures.incomplete()),
        other.isEmpty() ? "0" : other);
  }

  /** Invariant I, as an equation that can be checked by eye. */
  static String coverage(Coverage coverage) {
    String skipped = counts(coverage.skipped());
    return "observed %d = checked %d + coalesced %d + skipped %d%s + pending %d; matched %d"
        .formatted(
            coverage.observed(),
            coverage.checked(),
            coverage.coalesced(),
            coverage.skipped().values().stream().mapToLong(Long::longValue).sum(),
            skipped.isEmpty() ? "" : " (" + skipped + ")",
            coverage.pending(),
            coverage.outcomes().getOrDefault("matched", 0L));
  }

  private static String counts(Map<String, Long> counts) {
    return counts.entrySet().stream()
        .map(count -> VisibleText.of(count.getKey()) + " " + count.getValue())
        .collect(Collectors.joining(", "));
  }
}
