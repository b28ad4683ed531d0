package io.walproof.standalone.status;

import io.walproof.contract.TableId;
import io.walproof.verifier.model.ColumnsLeftOut;
import io.walproof.verifier.model.Coverage;
import io.walproof.verifier.model.IncompleteReason;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The page, rendered here; a script of a few lines fetches it again and puts it in place. Pure. */
final class StatusPage {

  private static final String HEAD =
      """
      </title>
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <link rel="stylesheet" href="/status.css">
      <link rel="icon" href="/icon.svg" type="image/svg+xml">
      <noscript><meta http-equiv="refresh" content="10"></noscript>
      <script src="/status.js" defer></script>
      </head>
      <body>
      <a class="skip" href="#main">Skip to the verdict</a>
      <header class="top"><p class="brand">Walproof</p>
      <p class="feed" id="feed">As of <time id="as-of">""";

  private static final String BODY =
      """
      </time></p></header>
      <div class="lost" id="lost" role="alert" hidden></div>
      <p class="quiet-speech" id="speech" aria-live="polite"></p>
      <main id="main" tabindex="-1" data-health=\"""";

  private static final String NOT_CONFIRMED = IncompleteReason.REPLAY_NOT_CONFIRMED.text();

  private final Status status;
  private final Html html = new Html();

  private StatusPage(Status status) {
    this.status = status;
  }

  static String of(Status status) {
    return new StatusPage(status).page();
  }

  private String page() {
    html.raw("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>")
        .text(Words.badge(status.health()) + ": " + Words.headline(status) + " · Walproof")
        .raw(HEAD)
        .text(Words.time(status.at()))
        .raw(BODY)
        .text(status.health().text())
        .raw("\" data-says=\"")
        .text(Words.badge(status.health()) + ". " + Words.headline(status) + ".")
        .raw("\">\n");
    verdict();
    figures();
    if (status.openInAll() > 0) {
      new FailuresSection(status, html).write();
      new TablesSection(status, html).write();
    } else {
      new TablesSection(status, html).write();
      new FailuresSection(status, html).write();
    }
    new HistorySection(status, html).write();
    runs();
    html.raw("</main>\n</body>\n</html>\n");
    return html.toString();
  }

  private void verdict() {
    html.raw("<section class=\"verdict ")
        .raw(status.health().text())
        .raw("\" aria-labelledby=\"headline\">\n<p class=\"badge\">")
        .raw(Words.icon(status.health()))
        .text(Words.badge(status.health()))
        .raw("</p>\n<h1 id=\"headline\">")
        .text(Words.headline(status))
        .raw("</h1>\n");
    List<String> reasons = status.reasons();
    if (!reasons.isEmpty()) {
      html.raw("<ul class=\"reasons\">");
      reasons.stream().limit(12).forEach(reason -> html.element("li", reason));
      if (reasons.size() > 12) {
        html.element("li", reasons.size() - 12 + " more reasons, in the JSON");
      }
      html.raw("</ul>\n");
    }
    long pending = status.total().pending();
    if (pending > 0 && status.health() != Health.PENDING) {
      html.element(
          "p", "note", "Still pending: " + Words.number(pending) + ", which may add to this.");
    }
    scope();
    html.raw("</section>\n");
  }

  private void scope() {
    Status.Scope scope = status.scope();
    html.raw("<div class=\"scope\"><h2>This verdict covers</h2><dl>");
    html.pair("Tables", scope.settings().getOrDefault("table.include.list", "as captured"));
    html.pair(
        "Replay confirmed by", scope.confirmation().isEmpty() ? "unknown" : scope.confirmation());
    html.pair(
        "Ignored apps",
        scope.ignoredApps().isEmpty()
            ? "none"
            : scope.ignoredApps().stream().map(String::valueOf).collect(Collectors.joining(", ")));
    html.pair(
        "Not judged",
        scope.skipped().isEmpty()
            ? "no table"
            : scope.skipped().entrySet().stream()
                    .limit(5)
                    .map(e -> e.getKey().display() + " (" + counts(e.getValue()) + ")")
                    .collect(Collectors.joining(", "))
                + more(scope.skipped().size()));
    html.pair(
        "Columns not compared",
        scope.columnsUnknown().isEmpty() || !columns(ColumnsLeftOut::notCompared).equals("none")
            ? columns(ColumnsLeftOut::notCompared)
            : "unknown of " + Words.number(scope.columnsUnknown().size()) + " tables");
    // The setting names them all, the records only those of tables that were read.
    String excluded = scope.settings().getOrDefault("verify.columns.exclude", "");
    html.pair(
        "Columns excluded by setting",
        excluded.isBlank() ? columns(ColumnsLeftOut::excluded) : excluded);
    html.pair("Columns not published", columns(ColumnsLeftOut::notPublished));
    html.raw("</dl>");
    if (!scope.settings().isEmpty()) {
      html.raw("<details id=\"scope-settings\"><summary>All settings that limit it</summary><dl>");
      scope.settings().forEach(html::pair);
      html.pair("row equality rules, version", scope.rulesVersion());
      html.raw("</dl></details>");
    }
    html.raw("</div>\n");
  }

  private String columns(Function<ColumnsLeftOut, List<String>> which) {
    Map<TableId, List<String>> tables = status.scope().columns(which);
    return tables.isEmpty()
        ? "none"
        : tables.entrySet().stream()
                .limit(5)
                .map(e -> e.getKey().display() + " (" + String.join("; ", e.getValue()) + ")")
                .collect(Collectors.joining(", "))
            + more(tables.size());
  }

  private static String more(int of) {
    return of > 5 ? ", and " + (of - 5) + " more" : "";
  }

  private void figures() {
    Coverage total = status.total();
    html.raw("<section aria-labelledby=\"figures\"><h2 id=\"figures\">At a glance</h2>")
        .raw("<dl class=\"figures\">");
    figure(
        "Open failures",
        Words.number(status.openInAll()),
        status.openEarlier() > 0 ? Words.number(status.openEarlier()) + " of earlier runs" : "");
    figure("Not judged", Words.number(total.incomplete()), counts(status.incompleteReasons()));
    figure(
        "Pending",
        Words.number(total.pending()),
        status.live().map(live -> Words.number(live.onHold().keys()) + " on hold").orElse(""));
    figure(
        "Oldest on hold",
        status.oldestPending().map(Words::duration).orElse("none"),
        "each is rechecked once");
    figure("Checked", Words.number(total.checked()), "of " + Words.number(total.observed()));
    replay();
    status
        .live()
        .ifPresent(
            live ->
                figure(
                    "WAL held back",
                    live.slotLagBytes().isPresent()
                        ? Words.bytes(live.slotLagBytes().getAsLong())
                        : "unknown",
                    live.durable().map(lsn -> "resumes at " + lsn).orElse("no position yet")));
    html.raw("</dl></section>\n");
  }

  /** A boundary is set, and waited for, only when a mismatch is rechecked. */
  private void replay() {
    if (status.replay().isPresent()) {
      Status.Replay replay = status.replay().get();
      figure(
          "Target has replayed past",
          replay.boundary(),
          Words.ago(Duration.between(replay.at(), status.at()))
              + replay.waited().map(w -> ", took " + Words.duration(w)).orElse(""));
    } else if (status.incompleteReasons().containsKey(NOT_CONFIRMED)) {
      figure("Replay", "never confirmed", "is the applier stopped, or far behind?");
    } else {
      figure("Replay", "not asked yet", "no recheck was due so far");
    }
  }

  private void figure(String name, String value, String note) {
    html.raw("<div><dt>").text(name).raw("</dt><dd>").element("strong", value);
    if (!note.isEmpty()) {
      html.raw(" ").element("span", note);
    }
    html.raw("</dd></div>");
  }

  private void runs() {
    html.raw(
        "<section aria-labelledby=\"runs\"><h2 id=\"runs\">Evidence from</h2><ul class=\"runs\">");
    for (Status.Run run : status.runs()) {
      html.raw("<li><code>").text(run.id()).raw("</code> since ").text(Words.time(run.startedAt()));
      html.text(
          run.endedAt()
              .map(at -> ", ended " + Words.time(at) + " (" + run.endReason().orElse("") + ")")
              .orElse(", last record " + Words.time(run.lastAt())));
      if (status.live().isEmpty()) {
        html.text(
            run.countedAt()
                .map(at -> ", own counts of " + Words.time(at))
                .orElse(", no counts of its own yet"));
      }
      html.raw("</li>");
    }
    html.raw("</ul>");
    if (status.runsLeftOut() > 0) {
      html.element(
          "p",
          "note cut",
          Words.number(status.runsLeftOut()) + " older runs are only counted (status.runs.max).");
    }
    html.element(
        "p",
        "note",
        status.disagreements().isEmpty()
            ? "Records and the runs' own counts do not contradict each other."
            : "Records and the runs' own counts DISAGREE: " + status.disagreements());
    html.raw(
        "<p class=\"note\">The same for machines: <a href=\"/api/status\">/api/status</a></p>"
            + "</section>\n");
  }

  private static String counts(Map<String, Long> counts) {
    return counts.entrySet().stream()
        .map(count -> count.getKey().replace('_', ' ') + " " + Words.number(count.getValue()))
        .collect(Collectors.joining(", "));
  }
}
