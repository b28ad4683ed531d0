package io.walproof.standalone.status;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.walproof.contract.RowKey;
import io.walproof.contract.TableId;
import io.walproof.verifier.audit.VisibleText;
import io.walproof.verifier.model.ColumnsLeftOut;
import io.walproof.verifier.model.Coverage;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The status for machines, version 1. */
final class StatusJson {

  private StatusJson() {}

  static String of(Status status) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("v", 1).put("at", status.at().toString()).put("health", status.health().text());
    status.reasons().forEach(json.putArray("reasons")::add);
    ArrayNode runs = json.putArray("runs");
    status.runs().forEach(run -> run(runs.addObject(), run));
    json.put("runs_left_out", status.runsLeftOut());
    scope(json.putObject("scope"), status.scope());
    coverage(json.putObject("coverage"), status.total());
    json.put("open_failures", status.openInAll());
    json.put("earlier_open_failures", status.openEarlier());
    status.oldestPending().ifPresent(age -> json.put("oldest_pending_ms", age.toMillis()));
    status.replay().ifPresent(replay -> replay(json, replay, status.at()));
    status.live().ifPresent(live -> live(json.putObject("live"), live));
    ArrayNode tables = json.putArray("tables");
    for (Status.Table table : status.tables()) {
      ObjectNode node = tables.addObject();
      table(node, table.table());
      node.put("health", table.health().text());
      node.put("open_failures", table.open() + table.earlier());
      node.put("earlier_open_failures", table.earlier());
      coverage(node.putObject("coverage"), table.coverage());
      table.oldestPending().ifPresent(age -> node.put("oldest_pending_ms", age.toMillis()));
      table.replay().ifPresent(replay -> replay(node, replay, status.at()));
    }
    json.put("tables_left_out", status.tablesLeftOut());
    failures(json.putArray("failures"), status.failures());
    json.put("failures_left_out", status.failuresLeftOut());
    failures(json.putArray("earlier_failures"), status.earlierFailures());
    json.put("earlier_failures_left_out", status.earlierLeftOut());
    counts(json.putObject("incomplete_reasons"), status.incompleteReasons());
    failures(json.putArray("not_judged"), status.notJudged());
    failures(json.putArray("earlier_not_judged"), status.earlierNotJudged());
    json.put("earlier_not_judged_left_out", status.earlierNotJudgedLeftOut());
    ArrayNode drift = json.putArray("drift");
    status.drift().forEach(event -> drift.add(event.toJson()));
    json.put("drift_left_out", status.driftLeftOut());
    ArrayNode ranges = json.putArray("ranges");
    status.ranges().forEach(range -> range(ranges.addObject(), range));
    json.put("ranges_left_out", status.rangesLeftOut());
    ArrayNode wrongFor = json.putArray("wrong_for");
    for (WrongFor.Bucket bucket : status.wrongFor()) {
      ObjectNode node = wrongFor.addObject();
      if (bucket.upTo() != Long.MAX_VALUE) {
        node.put("up_to_s", bucket.upTo());
      }
      node.put("keys", bucket.keys());
    }
    json.put("not_measured", status.notMeasured());
    status.disagreements().forEach(json.putArray("disagreements")::add);
    return VisibleText.of(json.toString());
  }

  private static void replay(ObjectNode json, Status.Replay replay, Instant now) {
    ObjectNode node = json.putObject("replay");
    node.put("boundary", replay.boundary()).put("at", replay.at().toString());
    node.put("lag_ms", Duration.between(replay.at(), now).toMillis());
    replay.waited().ifPresent(wait -> node.put("wait_ms", wait.toMillis()));
  }

  private static void run(ObjectNode json, Status.Run run) {
    json.put("run_id", run.id()).put("started_at", run.startedAt().toString());
    json.put("last_record_at", run.lastAt().toString());
    run.endedAt().ifPresent(at -> json.put("ended_at", at.toString()));
    run.endReason().ifPresent(reason -> json.put("end_reason", reason));
    run.countedAt().ifPresent(at -> json.put("counted_at", at.toString()));
  }

  private static void scope(ObjectNode json, Status.Scope scope) {
    json.put("rules_version", scope.rulesVersion()).put("confirmation", scope.confirmation());
    scope.ignoredApps().forEach(json.putArray("ignored_apps")::add);
    ObjectNode settings = json.putObject("settings");
    scope.settings().forEach(settings::put);
    ArrayNode skipped = json.putArray("skipped");
    scope
        .skipped()
        .forEach(
            (table, reasons) -> {
              ObjectNode node = skipped.addObject();
              table(node, table);
              counts(node.putObject("reasons"), reasons);
            });
    columns(json.putArray("columns_not_compared"), scope.columns(ColumnsLeftOut::notCompared));
    columns(json.putArray("columns_excluded"), scope.columns(ColumnsLeftOut::excluded));
    columns(json.putArray("columns_not_published"), scope.columns(ColumnsLeftOut::notPublished));
    ArrayNode unknown = json.putArray("columns_unknown");
    scope.columnsUnknown().forEach(table -> table(unknown.addObject(), table));
  }

  private static void columns(ArrayNode array, Map<TableId, List<String>> tables) {
    tables.forEach(
        (table, columns) -> {
          ObjectNode node = array.addObject();
          table(node, table);
          columns.forEach(node.putArray("columns")::add);
        });
  }

  private static void live(ObjectNode json, LiveFigures live) {
    json.put("on_hold", live.onHold().keys());
    json.put("oldest_on_hold_ms", live.onHold().oldest().toMillis());
    json.put("replay_confirmed", live.confirmations());
    json.put("replay_not_confirmed", live.notConfirmed());
    json.put("diverted", live.diverted());
    json.put("ranges_waiting", live.rangesWaiting());
    live.durable().ifPresent(lsn -> json.put("durable", lsn));
    live.slotLagBytes().ifPresent(bytes -> json.put("slot_lag_bytes", bytes));
  }

  private static void failures(ArrayNode array, List<Failure> failures) {
    for (Failure failure : failures) {
      ObjectNode json = array.addObject();
      json.put("at", failure.at().toString()).put("run_id", failure.runId());
      json.put("seq", failure.seq());
      table(json, failure.table());
      key(json, "key", Optional.of(failure.key()));
      json.put("stratum", failure.stratum()).put("outcome", failure.outcome());
      failure.reason().ifPresent(reason -> json.put("reason", reason));
      failure.columns().forEach(json.putArray("columns")::add);
      json.put("source_changed", failure.sourceChanged());
      failure
          .snapshots()
          .forEach(
              (name, snapshot) -> {
                ObjectNode node = json.putObject(name).put("present", snapshot.present());
                if (snapshot.present()) {
                  node.put("hash", snapshot.hash()).put("version", snapshot.version());
                }
              });
      failure.boundary().ifPresent(lsn -> json.put("boundary", lsn));
      failure.shape().ifPresent(shape -> json.put("shape", shape));
      failure.detail().ifPresent(detail -> json.put("detail", detail));
    }
  }

  private static void range(ObjectNode json, RangeView range) {
    table(json, range.table());
    json.put("run_id", range.runId()).put("started_at", range.startedAt().toString());
    json.put("origin", range.origin()).put("resumed", range.resumed());
    key(json, "from", range.from());
    key(json, "to", range.to());
    range.endedAt().ifPresent(at -> json.put("ended_at", at.toString()));
    json.put("outcome", range.outcome());
    range.found().ifPresent(found -> found(json, found));
  }

  private static void found(ObjectNode json, RangeView.Found found) {
    found.strength().ifPresent(strength -> json.put("strength", strength));
    json.put("rows", found.rows());
    found.ofAbout().ifPresent(rows -> json.put("estimated_rows", rows));
    json.put("chunks_equal", found.chunksEqual());
    json.put("chunks_differing", found.chunksDiffering()).put("target_only", found.targetOnly());
    key(json, "covered_to", found.coveredTo());
    found.detail().ifPresent(detail -> json.put("detail", detail));
    found.stage().ifPresent(stage -> json.put("stage", stage.text()));
  }

  private static void coverage(ObjectNode json, Coverage coverage) {
    json.put("observed", coverage.observed()).put("checked", coverage.checked());
    json.put("coalesced", coverage.coalesced());
    counts(json.putObject("skipped"), coverage.skipped());
    json.put("pending", coverage.pending());
    counts(json.putObject("outcomes"), coverage.outcomes());
  }

  private static void table(ObjectNode json, TableId table) {
    json.putObject("table").put("schema", table.schema()).put("name", table.name());
  }

  private static void key(ObjectNode json, String field, Optional<RowKey> key) {
    if (key.isPresent()) {
      ObjectNode node = json.putObject(field);
      key.get().asMap().forEach(node::put);
    }
  }

  private static void counts(ObjectNode json, Map<String, Long> counts) {
    counts.forEach(json::put);
  }
}
