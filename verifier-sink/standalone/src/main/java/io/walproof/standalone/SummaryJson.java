package io.walproof.standalone;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.walproof.contract.TableId;
import io.walproof.verifier.audit.AuditSummary;
import io.walproof.verifier.audit.VisibleText;
import io.walproof.verifier.model.ColumnsLeftOut;
import io.walproof.verifier.model.Coverage;
import io.walproof.verifier.range.RangeResult;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/** A summary for machines: one object on one line. */
final class SummaryJson {

  private SummaryJson() {}

  static String of(AuditSummary summary, ObjectMapper mapper) {
    return VisibleText.of(object(summary, mapper).toString());
  }

  /**
   * The same for a run that has just ended.
   *
   * @param ranges the range checks that the run did by itself, if any
   */
  static String of(AuditSummary summary, List<RangeResult> ranges, ObjectMapper mapper) {
    ObjectNode json = object(summary, mapper);
    if (!ranges.isEmpty()) {
      RangeJson.results(json.putArray("ranges"), ranges);
    }
    return VisibleText.of(json.toString());
  }

  private static ObjectNode object(AuditSummary summary, ObjectMapper mapper) {
    ObjectNode json = mapper.createObjectNode();
    ArrayNode runs = json.putArray("runs");
    summary.runs().forEach(runs::add);
    json.put("started_at", summary.startedAt().toString());
    summary.endedAt().ifPresent(at -> json.put("ended_at", at.toString()));
    summary.endReason().ifPresent(reason -> json.put("end_reason", reason));
    summary.exitStatus().ifPresent(status -> json.put("exit_status", status));
    json.put("records", summary.records());
    figures(json.putObject("total"), summary.total());
    ArrayNode tables = json.putArray("tables");
    summary
        .tables()
        .forEach(
            (table, figures) -> {
              ObjectNode entry = tables.addObject();
              entry.putObject("table").put("schema", table.schema()).put("name", table.name());
              figures(entry, figures);
            });
    counts(json.putObject("drift"), summary.drift());
    json.put("ranges_failed", summary.ranges().failed());
    json.put("ranges_open", summary.ranges().open());
    summary.reported().ifPresent(coverage -> coverage(json.putObject("coverage"), coverage));
    ArrayNode behind = json.putArray("verdicts_after");
    summary
        .verdictsAfter()
        .forEach(
            (table, lsn) -> {
              ObjectNode entry = behind.addObject();
              entry.putObject("table").put("schema", table.schema()).put("name", table.name());
              entry.put("lsn", lsn.toString());
            });
    columns(json.putArray("not_compared"), summary.columns(), ColumnsLeftOut::notCompared);
    columns(json.putArray("excluded"), summary.columns(), ColumnsLeftOut::excluded);
    columns(json.putArray("not_published"), summary.columns(), ColumnsLeftOut::notPublished);
    ObjectNode columns = json.putObject("column_settings");
    new TreeMap<>(summary.columnSettings()).forEach(columns::put);
    ArrayNode disagreements = json.putArray("disagreements");
    summary.disagreements().forEach(disagreements::add);
    return json;
  }

  /** Of the tables that have such columns. */
  private static void columns(
      ArrayNode array,
      Map<TableId, ColumnsLeftOut> leftOut,
      Function<ColumnsLeftOut, List<String>> which) {
    leftOut.forEach(
        (table, left) -> {
          if (!which.apply(left).isEmpty()) {
            ObjectNode entry = array.addObject();
            entry.putObject("table").put("schema", table.schema()).put("name", table.name());
            which.apply(left).forEach(entry.putArray("columns")::add);
          }
        });
  }

  private static void figures(ObjectNode json, AuditSummary.Figures figures) {
    json.put("deferred", figures.deferred());
    counts(json.putObject("outcomes"), figures.outcomes());
    counts(json.putObject("incomplete_reasons"), figures.incompleteReasons());
  }

  private static void coverage(ObjectNode json, Coverage coverage) {
    json.put("observed", coverage.observed());
    json.put("checked", coverage.checked());
    json.put("coalesced", coverage.coalesced());
    counts(json.putObject("skipped"), coverage.skipped());
    json.put("pending", coverage.pending());
    counts(json.putObject("outcomes"), coverage.outcomes());
  }

  private static void counts(ObjectNode json, Map<String, Long> counts) {
    counts.forEach(json::put);
  }
}
