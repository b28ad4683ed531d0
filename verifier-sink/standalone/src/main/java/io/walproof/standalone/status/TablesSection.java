package io.walproof.standalone.status;

import io.walproof.verifier.model.Coverage;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

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

  private static final String OLDEST = "Oldest on hold";
  private static final String OPEN = "Open failures";
  private static final String REPLAYED = "Replayed past";

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
    html.scroll("Counts by table").table("wide", "Counts by table");
    html.column("Table").column("State", "state").column("Checked").column("Pending");
    html.column(OLDEST).column(OPEN);
    OUTCOMES.keySet().forEach(html::column);
    html.column("Coverage").column(REPLAYED).rows();
    for (Status.Table table : status.tables()) {
      html.row(table.health().text(), table.table().display()).cell("State", "state");
      html.raw("<span class=\"mark\">").raw(Words.icon(table.health()));
      html.text(Words.badge(table.health())).raw("</span></td>");
      counts(
          table.coverage(), table.oldestPending(), table.open() + table.earlier(), table.replay());
      html.raw("</tr>");
    }
    html.sum().row("", "All").cell("State", "state").raw("</td>");
    counts(status.total(), status.oldestPending(), status.openInAll(), status.replay());
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

  private void counts(
      Coverage coverage, Optional<Duration> oldest, long open, Optional<Status.Replay> replay) {
    cell("Checked", coverage.checked(), "");
    cell("Pending", coverage.pending(), "");
    cell(OLDEST, oldest.map(Words::duration).orElse("none"));
    cell(OPEN, open, "bad");
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
    cell("Coverage", Words.percent(coverage.observed() - notJudged, coverage.observed()));
    cell(
        REPLAYED,
        replay
            .map(
                last ->
                    last.boundary() + ", " + Words.ago(Duration.between(last.at(), status.at())))
            .orElse("not asked"));
  }

  private void cell(String heading, String text) {
    html.cell(heading, "").text(text).raw("</td>");
  }

  private void cell(String heading, long count, String emphasis) {
    html.cell(heading, count == 0 ? "zero" : emphasis).text(Words.number(count)).raw("</td>");
  }

  private static long skipped(Coverage coverage) {
    return coverage.skipped().values().stream().mapToLong(Long::longValue).sum();
  }
}
