package io.walproof.standalone.status;

import io.walproof.contract.TableId;
import io.walproof.standalone.timeline.DriftEntry;
import io.walproof.standalone.timeline.DriftText;
import java.util.List;
import java.util.Optional;

/** Range checks, the timeline of drift and gaps, and how long keys were wrong. */
final class HistorySection {

  /** Of a check that runs in another process. */
  private static final String UNKNOWN = "…";

  private final Status status;
  private final Html html;

  HistorySection(Status status, Html html) {
    this.status = status;
    this.html = html;
  }

  void write() {
    ranges();
    timeline();
    wrongFor();
  }

  private void ranges() {
    html.raw("<section aria-labelledby=\"ranges\"><h2 id=\"ranges\">Range checks</h2>");
    long waiting = status.live().map(LiveFigures::rangesWaiting).orElse(0);
    if (waiting > 0) {
      html.element(
          "p",
          "note",
          "Not begun: " + Words.number(waiting) + ". One table is read at a time, the rest wait.");
    }
    if (status.ranges().isEmpty()) {
      html.raw(
          "<p class=\"note\">None. Only changed rows were checked; whole tables are proved by"
              + " <code>walproof verify-range</code>.</p></section>\n");
      return;
    }
    html.scroll("Range checks by table").table("wide texts", "Range checks by table");
    html.column("Table").column("Outcome", "state").column("Range").column("Covered");
    html.column("Rows").column("Chunks equal, differing").column("Only on target");
    html.column("When").rows();
    status.ranges().forEach(this::range);
    html.raw("</tbody></table></div>");
    if (status.rangesLeftOut() > 0) {
      html.element(
          "p",
          "note cut",
          Words.cut(
              status.ranges().size(),
              status.rangesLeftOut(),
              "range checks (status.ranges.max); proved ones make room first."));
    }
    html.raw("</section>\n");
  }

  private void range(RangeView range) {
    Health health = range.health();
    Optional<RangeView.Found> found = range.found();
    html.row("", range.table().display());
    html.cell("Outcome", "state")
        .raw("<span class=\"mark ")
        .raw(health.text())
        .raw("\">")
        .raw(Words.icon(health))
        .text(
            range.outcome()
                + found.flatMap(RangeView.Found::strength).map(s -> ", " + s).orElse(""))
        .raw("</span>");
    found
        .flatMap(RangeView.Found::detail)
        .ifPresent(detail -> html.raw(" ").element("span", "note", detail));
    found
        .flatMap(RangeView.Found::stage)
        .ifPresent(stage -> html.raw(" ").element("span", "note", stage.sentence()));
    html.raw("</td>");
    cell("Range", bounds(range));
    cell("Covered", found.map(what -> covered(range, what)).orElse(UNKNOWN));
    cell("Rows", found.map(HistorySection::rows).orElse(UNKNOWN));
    cell(
        "Chunks equal, differing",
        found
            .map(f -> Words.number(f.chunksEqual()) + ", " + Words.number(f.chunksDiffering()))
            .orElse(UNKNOWN));
    cell(
        "Only on target", range.endedAt().isPresent() ? Words.number(range.targetOnly()) : UNKNOWN);
    cell(
        "When",
        Words.time(range.startedAt())
            + range.endedAt().map(at -> " to " + Words.time(at)).orElse(""));
    html.raw("</tr>");
  }

  private static String rows(RangeView.Found found) {
    return Words.number(found.rows())
        + (found.ofAbout().isPresent()
            ? " of about " + Words.number(found.ofAbout().getAsLong())
            : "");
  }

  private static String covered(RangeView range, RangeView.Found found) {
    if (found.coveredTo().isPresent()) {
      return "up to " + Words.key(found.coveredTo().get());
    } else if (range.isComplete()) {
      return "to the end";
    }
    return found.rows() == 0 ? "nothing" : "unknown";
  }

  private static String bounds(RangeView range) {
    if (!range.read()) {
      return "unknown";
    }
    return range.from().map(Words::key).orElse("first row")
        + " to "
        + range.to().map(Words::key).orElse("last row")
        + (range.resumed() ? " (continued)" : "");
  }

  private void cell(String heading, String text) {
    html.cell(heading, "").text(text).raw("</td>");
  }

  private void timeline() {
    html.raw("<section aria-labelledby=\"drift\"><h2 id=\"drift\">Drift and gaps</h2>");
    if (status.drift().isEmpty()) {
      html.raw("<p class=\"note\">No table changed its shape, and nothing was skipped.</p>");
    } else {
      html.raw("<ol class=\"timeline\">");
      status.drift().forEach(this::event);
      html.raw("</ol>");
    }
    if (status.driftLeftOut() > 0) {
      html.element(
          "p",
          "note cut",
          Words.cut(
              status.drift().size(),
              status.driftLeftOut(),
              "events (status.drift.max), the newest."));
    }
    html.raw("</section>\n");
  }

  private void event(DriftEntry event) {
    html.raw("<li class=\"").raw(event.isGap() ? "gap" : "change").raw("\"><p class=\"event\">");
    html.element(
            "span", "kind " + (event.isGap() ? "failing" : "plain"), event.kind().replace('_', ' '))
        .raw(" ")
        .element("span", "where", event.table().map(TableId::display).orElse("the whole stream"))
        .raw(" ")
        .element("span", "what", event.at().map(at -> at + ", ").orElse("") + "at " + event.lsn());
    if (event.narrowing().orElse(false)) {
      html.raw(" ").element("span", "kind incomplete", "narrowing");
    }
    html.raw("</p>");
    List<String> difference = DriftText.difference(event);
    if (!difference.isEmpty()) {
      html.raw("<pre tabindex=\"0\">").text("").raw(lines(difference)).raw("</pre>");
    }
    html.element(
        "p",
        "note",
        event.detail()
            + " ("
            + event.occurrence().replace('_', ' ')
            + "; policy "
            + event.policy()
            + ": "
            + event.action()
            + ")");
    html.raw("</li>");
  }

  /** Each line is escaped by itself, so that only our own newlines are newlines. */
  private static String lines(List<String> lines) {
    return String.join("\n", lines.stream().map(Html::escaped).toList());
  }

  private void wrongFor() {
    html.raw(
        "<section aria-labelledby=\"wrong-for\"><h2 id=\"wrong-for\">How long keys were wrong</h2>");
    long all = status.wrongFor().stream().mapToLong(WrongFor.Bucket::keys).sum();
    long highest = status.wrongFor().stream().mapToLong(WrongFor.Bucket::keys).max().orElse(0);
    if (all == 0) {
      html.raw("<p class=\"note\">No key was wrong at first and right later.</p></section>\n");
      return;
    }
    html.table("bars", "Keys by how long they were wrong");
    html.column("Until seen equal").column("Keys").column("Share").rows();
    long from = 0;
    for (WrongFor.Bucket bucket : status.wrongFor()) {
      String label =
          bucket.upTo() == Long.MAX_VALUE
              ? "more than " + Words.duration(java.time.Duration.ofSeconds(from))
              : "up to " + Words.duration(java.time.Duration.ofSeconds(bucket.upTo()));
      long width = bucket.keys() == 0 ? 0 : Math.max(1, 100 * bucket.keys() / highest);
      html.row("", label).cell("Keys", "").text(Words.number(bucket.keys())).raw("</td>");
      html.cell("Share", "")
          .raw("<span class=\"quiet-speech\">")
          .text(Words.percent(bucket.keys(), all))
          .raw("</span><svg class=\"bar\" aria-hidden=\"true\" focusable=\"false\">")
          .raw("<rect height=\"100%\" width=\"" + width + "%\"/></svg></td></tr>");
      from = bucket.upTo();
    }
    html.raw("</tbody></table>");
    html.element(
        "p",
        "note",
        "From the first read to the recheck that found both sides equal. Nothing looks in between:"
            + " a key may have been right sooner, and no time is shorter than"
            + " verify.recheck.delay.ms."
            + (status.notMeasured() > 0
                ? " Not measured, because too many were on hold: "
                    + Words.number(status.notMeasured())
                    + "."
                : ""));
    html.raw("</section>\n");
  }
}
