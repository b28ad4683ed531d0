package io.walproof.standalone.status;

import io.walproof.verifier.model.Coverage;
import java.util.LinkedHashMap;
import java.util.Map;

/** The tables and their counts. */
final class TablesSection {

  /** Headings, each with the outcome that it counts. */
  private static final Map<String, String> OUTCOMES = new LinkedHashMap<>();

  static {
    OUTCOMES.put("Converged", "converged");
    OUTCOMES.put("Advanced", "advanced");
    OUTCOMES.put("Stalled", "unresolved_target_stalled");
    OUTCOMES.put("Stale", "unresolved_stale");
    OUTCOMES.put("Missing", "unresolved_missing");
    OUTCOMES.put("Different", "unresolved_different");
    OUTCOMES.put("Incomplete", "incomplete");
    OUTCOMES.put("Ignored", "ignored_app");
  }

  private final Status status;
  private final Html html;

  TablesSection(Status status, Html html) {
    this.status = status;
    this.html = html;
  }

  void write() {
    html.raw("<section aria-labelledby=\"tables\"><h2 id=\"tables\">Tables</h2>");
    if (status.tables().isEmpty()) {
      html.raw("<p class=\"note\">No change has arrived yet.</p></section>\n");
      return;
    }
    html.raw(
        "<div class=\"scroll\" role=\"region\" aria-labelledby=\"tables\" tabindex=\"0\">"
            + "<table class=\"wide\"><thead><tr><th scope=\"col\">Table</th>"
            + "<th scope=\"col\" class=\"state\">State</th><th scope=\"col\">Checked</th>"
            + "<th scope=\"col\">Pending</th><th scope=\"col\">Open failures</th>");
    OUTCOMES.keySet().forEach(heading -> html.raw("<th scope=\"col\">" + heading + "</th>"));
    html.raw("<th scope=\"col\">Coverage</th></tr></thead><tbody>");
    for (Status.Table table : status.tables()) {
      html.raw("<tr class=\"").raw(table.health().text()).raw("\"><th scope=\"row\">");
      html.text(table.table().display()).raw("</th><td class=\"state\" data-label=\"State\">");
      html.raw("<span class=\"mark\">").raw(Words.icon(table.health()));
      html.text(Words.badge(table.health())).raw("</span></td>");
      counts(table.coverage(), table.open() + table.earlier());
      html.raw("</tr>");
    }
    html.raw("</tbody><tfoot><tr><th scope=\"row\">All</th>")
        .raw("<td class=\"state\" data-label=\"State\"></td>");
    counts(status.total(), status.openInAll());
    html.raw("</tr></tfoot></table></div>");
    if (status.tablesLeftOut() > 0) {
      html.element(
          "p",
          "note cut",
          Words.cut(
              status.tables().size(),
              status.tablesLeftOut(),
              "tables (status.tables.max); none of the others is worse."));
    }
    Coverage total = status.total();
    html.element(
        "p",
        "note",
        "Observed "
            + Words.number(total.observed())
            + " = checked "
            + Words.number(total.checked())
            + " + coalesced "
            + Words.number(total.coalesced())
            + " + skipped "
            + Words.number(skipped(total))
            + " + pending "
            + Words.number(total.pending())
            + ". Coverage is what was checked, coalesced, or had nothing to judge.");
    html.raw("</section>\n");
  }

  private void counts(Coverage coverage, long open) {
    cell("Checked", coverage.checked(), "");
    cell("Pending", coverage.pending(), "");
    cell("Open failures", open, "bad");
    OUTCOMES.forEach(
        (heading, outcome) ->
            cell(
                heading,
                coverage.outcomes().getOrDefault(outcome, 0L),
                outcome.startsWith("unresolved")
                    ? "bad"
                    : outcome.equals("incomplete") ? "open" : ""));
    long notJudged =
        io.walproof.standalone.run.RunStatus.notJudged(coverage)
            + coverage.pending()
            + coverage.incomplete();
    html.raw("<td data-label=\"Coverage\">")
        .text(Words.percent(coverage.observed() - notJudged, coverage.observed()))
        .raw("</td>");
  }

  private void cell(String heading, long count, String emphasis) {
    html.raw("<td data-label=\"" + heading + "\"")
        .raw(count == 0 ? " class=\"zero\"" : " class=\"" + emphasis + "\"")
        .raw(">")
        .text(Words.number(count))
        .raw("</td>");
  }

  private static long skipped(Coverage coverage) {
    return coverage.skipped().values().stream().mapToLong(Long::longValue).sum();
  }
}
