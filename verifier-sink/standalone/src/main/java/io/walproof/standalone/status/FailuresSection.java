package io.walproof.standalone.status;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Failures, each opening to its evidence, and checks that were not judged. */
final class FailuresSection {

  /** What the reads are called, by the record's field names. */
  private static final Map<String, String> READS = new LinkedHashMap<>();

  static {
    READS.put("original_source", "First read, source");
    READS.put("original_target", "First read, target");
    READS.put("source", "Recheck, source");
    READS.put("target", "Recheck, target");
    READS.put("source_after", "Recheck, source again");
  }

  private final Status status;
  private final Html html;

  FailuresSection(Status status, Html html) {
    this.status = status;
    this.html = html;
  }

  void write() {
    html.raw("<section aria-labelledby=\"failures\"><h2 id=\"failures\">Failures</h2>");
    if (status.openInAll() == 0) {
      html.raw("<p class=\"note\">No confirmed failure is open.</p>");
    }
    list(status.failures());
    cut(status.failures().size(), status.failuresLeftOut(), "open failures", "unresolved");
    if (!status.earlierFailures().isEmpty() || status.earlierLeftOut() > 0) {
      html.raw("<h3>Of earlier runs, not known to be mended</h3>");
      list(status.earlierFailures());
      cut(
          status.earlierFailures().size(),
          status.earlierLeftOut(),
          "open failures of earlier runs",
          "unresolved");
    }
    if (!status.notJudged().isEmpty()) {
      html.raw("<h3>Not judged</h3>");
      list(status.notJudged());
      cut(
          status.notJudged().size(),
          status.total().incomplete() - status.notJudged().size(),
          "checks without a judgement, the newest of each table",
          "incomplete");
    }
    if (!status.earlierNotJudged().isEmpty() || status.earlierNotJudgedLeftOut() > 0) {
      html.raw("<h3>Of earlier runs, not judged, and not checked again by themselves</h3>");
      list(status.earlierNotJudged());
      cut(
          status.earlierNotJudged().size(),
          status.earlierNotJudgedLeftOut(),
          "checks of earlier runs without a judgement",
          "incomplete");
    }
    html.raw("</section>\n");
  }

  private void cut(long shown, long leftOut, String what, String outcome) {
    if (leftOut > 0) {
      html.element(
          "p",
          "note cut",
          Words.cut(shown, leftOut, what)
              + " (status.failures.shown.max, and what is kept of each table and run). All are in the audit: walproof audit show --outcome "
              + outcome);
    }
  }

  private void list(List<Failure> failures) {
    for (Failure failure : failures) {
      html.raw("<details class=\"failure\" id=\"f-")
          .text(failure.runId() + "-" + failure.seq())
          .raw("\"><summary><span class=\"kind ")
          .raw(failure.outcome().equals("incomplete") ? "incomplete" : "failing")
          .raw("\">")
          .text(Words.outcome(failure.outcome()))
          .raw("</span> <span class=\"where\">")
          .text(failure.table().display())
          .raw("</span> <code>")
          .text(Words.key(failure.key()))
          .raw("</code> <span class=\"what\">")
          .text(what(failure))
          .raw("</span></summary>\n");
      evidence(failure);
      html.raw("</details>\n");
    }
  }

  private static String what(Failure failure) {
    return failure
        .reason()
        .map(reason -> reason.replace('_', ' '))
        .orElse(
            failure.columns().isEmpty() ? "" : "columns " + String.join(", ", failure.columns()));
  }

  private void evidence(Failure failure) {
    html.raw("<div class=\"evidence\">").element("p", Words.meaning(failure));
    failure.detail().ifPresent(detail -> html.element("p", detail));
    if (!failure.snapshots().isEmpty()) {
      html.scroll("What was read").table("reads", "What was read");
      html.column("Read").column("Row").column("Hash").column("Version (xmin)").rows();
      failure.snapshots().forEach(this::read);
      html.raw("</tbody></table></div>");
    }
    html.raw("<dl class=\"facts\">");
    html.pair("Boundary", failure.boundary().orElse("none"));
    html.pair(
        "Columns", failure.columns().isEmpty() ? "none" : String.join(", ", failure.columns()));
    html.pair("Source row changed meanwhile", failure.sourceChanged() ? "yes" : "no");
    html.pair("Shape", failure.shape().orElse("unknown"));
    html.pair("Check", failure.stratum().equals("range") ? "range check" : "changed key");
    html.pair("Decided", Words.time(failure.at()));
    html.pair("Record", failure.seq() + " of run " + failure.runId());
    html.raw("</dl></div>");
  }

  private void read(String field, Failure.Snapshot snapshot) {
    html.row("", READS.getOrDefault(field, "Read")).cell("Row", "");
    html.raw(snapshot.present() ? "present" : "absent").raw("</td>");
    html.cell("Hash", "").element("code", snapshot.hash()).raw("</td>");
    html.cell("Version (xmin)", "").element("code", snapshot.version()).raw("</td></tr>");
  }
}
