package io.walproof.standalone;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.walproof.contract.RowKey;
import io.walproof.standalone.run.RangeReport;
import io.walproof.verifier.audit.VisibleText;
import io.walproof.verifier.range.RangeResult;
import io.walproof.verifier.range.RangeResult.Names;
import io.walproof.verifier.range.Strength;
import io.walproof.verifier.row.KeyRange;
import java.util.List;
import java.util.Map;

/** A range check's result for machines: one object on one line. */
final class RangeJson {

  private static final JsonMapper JSON = JsonMapper.builder().build();

  private RangeJson() {}

  static String of(RangeReport report) {
    ObjectNode json = JSON.createObjectNode();
    json.put("run_id", report.runId());
    json.put("exit_status", report.status().code());
    results(json.putArray("tables"), report.results());
    results(json.putArray("left_out"), report.leftOut());
    return VisibleText.of(json.toString());
  }

  static void results(ArrayNode array, List<RangeResult> results) {
    results.forEach(result -> result(array.addObject(), result));
  }

  private static void result(ObjectNode json, RangeResult result) {
    json.putObject("table")
        .put("schema", result.table().schema())
        .put("name", result.table().name());
    json.put("outcome", result.outcome().text());
    result.reason().ifPresent(reason -> json.put("reason", reason));
    result.detail().ifPresent(detail -> json.put("detail", detail));
    claim(json.putObject("claim"), result);
    result.strength().map(Strength::text).ifPresent(strength -> json.put("strength", strength));
    result.pairing().ifPresent(pairing -> json.put("pairing", pairing));
    result.digest().ifPresent(digest -> json.put("digest", digest));
    json.put("resumed", result.resumed());
    result.resumedFrom().ifPresent(at -> json.put("resumed_from", at.toString()));
    RangeResult.Progress progress = result.progress();
    ObjectNode coverage = json.putObject("coverage");
    coverage.put("rows", progress.rows());
    coverage.put("complete", progress.complete());
    progress.coveredTo().ifPresent(key -> key(coverage.putObject("covered_to"), key));
    json.putObject("chunks")
        .put("equal", progress.chunksEqual())
        .put("differing", progress.chunksDiffering());
    json.put("suspects", result.keys().suspects());
    ObjectNode outcomes = json.putObject("keys");
    for (Map.Entry<String, Names> outcome : result.keys().byOutcome().entrySet()) {
      names(outcomes.putObject(outcome.getKey()), outcome.getValue());
    }
    names(json.putObject("target_only"), result.targetOnly());
    ArrayNode notCompared = json.putArray("columns_not_compared");
    result.columnsNotCompared().forEach(notCompared::add);
    json.put("milliseconds", result.took().toMillis());
  }

  private static void claim(ObjectNode json, RangeResult result) {
    json.put("origin", result.claim().origin().text());
    KeyRange range = result.claim().range();
    range.from().ifPresent(bound -> bound(json.putObject("from"), bound));
    range.to().ifPresent(bound -> bound(json.putObject("to"), bound));
  }

  private static void bound(ObjectNode json, KeyRange.Bound bound) {
    ArrayNode key = json.putArray("key");
    bound.key().forEach(key::add);
    json.put("inclusive", bound.inclusive());
  }

  private static void names(ObjectNode json, Names names) {
    json.put("count", names.count());
    ArrayNode keys = json.putArray("named");
    names.named().forEach(key -> key(keys.addObject(), key));
  }

  private static void key(ObjectNode json, RowKey key) {
    key.asMap().forEach(json::put);
  }
}
