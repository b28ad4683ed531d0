package io.walproof.standalone;

import com.fasterxml.jackson.databind.JsonNode;
import io.walproof.contract.SqlIdentifier;
import io.walproof.contract.TableId;
import io.walproof.verifier.audit.AuditRecord;
import io.walproof.verifier.audit.AuditType;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/**
 * Everything that an audit says of one key, in the order in which it was recorded: by which run and
 * scope, under which shape, what was seen first, what the recheck saw, and how it ended. The last
 * records are kept where there are very many.
 */
final class KeyStory {

  private static final int MOST_RECORDS = 10_000;

  private final TableId table;
  private final Predicate<AuditRecord> ofKey;
  private final Map<String, AuditRecord> runs = new HashMap<>();
  private final Map<String, AuditRecord> shapes = new HashMap<>();
  private final Map<Long, AuditRecord> told = new LinkedHashMap<>();
  private final Map<String, Instant> firstSeen = new HashMap<>();
  private final List<AuditRecord> ranges = new ArrayList<>();
  private long dropped;

  KeyStory(TableId table, Predicate<AuditRecord> ofKey) {
    this.table = table;
    this.ofKey = ofKey;
  }

  /** Takes the next record of the file. */
  void add(AuditRecord record) {
    if (record.type() == AuditType.RUN_START) {
      runs.put(record.runId(), record);
      ranges.clear();
      return;
    }
    if (record.table().filter(table::equals).isEmpty()) {
      return;
    }
    switch (record.type()) {
      case DRIFT -> {
        String shape = record.json().path("shape").asText();
        shapes.put(shape, record);
        if (!isEmpty()) {
          keep(record);
        }
      }
      case OBSERVATION, DECISION -> {
        if (ofKey.test(record)) {
          Optional.ofNullable(runs.get(record.runId())).ifPresent(this::keep);
          Optional.ofNullable(shapes.get(record.json().path("shape").asText("")))
              .ifPresent(this::keep);
          ranges.forEach(this::keep);
          keep(record);
        }
      }
      case RANGE_START -> {
        ranges.clear();
        ranges.add(record);
      }
      case RANGE_END -> {
        if (ranges.stream().anyMatch(start -> told.containsKey(start.seq()))) {
          keep(record);
        }
        ranges.clear();
      }
      case RUN_START, SUMMARY, RUN_END, TORN_LINE -> {}
    }
  }

  private void keep(AuditRecord record) {
    told.putIfAbsent(record.seq(), record);
    if (told.size() > MOST_RECORDS) {
      told.remove(told.keySet().iterator().next());
      dropped++;
    }
  }

  /** Whether no record is about the key. */
  boolean isEmpty() {
    return told.isEmpty();
  }

  /** The records as they stand in the file. */
  List<String> records() {
    return inOrder().map(AuditRecord::text).toList();
  }

  private java.util.stream.Stream<AuditRecord> inOrder() {
    return new TreeSet<>(told.keySet()).stream().map(told::get);
  }

  /** The story for people. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    if (dropped > 0) {
      lines.add(dropped + " earlier records are not shown");
    }
    firstSeen.clear();
    inOrder().forEach(record -> tell(record, lines));
    return lines;
  }

  private void tell(AuditRecord record, List<String> lines) {
    JsonNode json = record.json();
    String at = record.at() + "  ";
    switch (record.type()) {
      case RUN_START ->
          lines.add(
              at
                  + "run "
                  + record.runId()
                  + ": confirmation "
                  + json.path("confirmation").asText()
                  + ", rules version "
                  + json.path("rules_version").asText()
                  + ", ignored apps "
                  + (json.path("ignored_apps").isEmpty()
                      ? "none"
                      : values(json.path("ignored_apps"))));
      case DRIFT ->
          lines.add(
              at
                  + "shape "
                  + json.path("shape").asText("unknown")
                  + ": "
                  + json.path("kind").asText()
                  + " at "
                  + json.path("lsn").asText()
                  + "; "
                  + json.path("detail").asText());
      case OBSERVATION -> {
        firstSeen.put(record.runId(), record.at());
        lines.add(at + "seen first (" + json.path("stratum").asText() + "): " + differs(json));
        snapshot(lines, json, "original_source", "source");
        snapshot(lines, json, "original_target", "target");
        shape(lines, json);
      }
      case DECISION -> decision(record, at, lines);
      case RANGE_START ->
          lines.add(
              at
                  + "range check of the table began, asked for by "
                  + json.path("origin").asText()
                  + bounds(record));
      case RANGE_END ->
          lines.add(
              at
                  + "range check of the table ended: "
                  + json.path("outcome").asText()
                  + record
                      .keyIn("covered_to")
                      .map(k -> ", covered up to " + k.display())
                      .orElse(""));
      case SUMMARY, RUN_END, TORN_LINE -> {}
    }
  }

  private void decision(AuditRecord record, String at, List<String> lines) {
    JsonNode json = record.json();
    if (json.path("source").isObject() || json.path("boundary").isTextual()) {
      lines.add(
          at
              + "rechecked"
              + (json.path("boundary").isTextual()
                  ? ": boundary " + json.path("boundary").asText()
                  : " without a boundary"));
      snapshot(lines, json, "source", "source");
      snapshot(lines, json, "target", "target");
      snapshot(lines, json, "source_after", "source again");
    }
    Instant seen = firstSeen.remove(record.runId());
    lines.add(
        at
            + "decided: "
            + record.outcome().orElse("")
            + record.reason().map(reason -> " (" + reason + ")").orElse("")
            + (json.path("columns").isEmpty() ? "" : ", columns " + columns(json.path("columns")))
            + (json.path("source_changed").asBoolean() ? ", the source row changed meanwhile" : "")
            + (seen == null
                ? ""
                : ", " + Duration.between(seen, record.at()).toMillis() + " ms after first sight"));
    if (seen == null) {
      shape(lines, json);
    }
    if (json.path("detail").isTextual()) {
      lines.add("    " + json.path("detail").asText());
    }
  }

  private static String differs(JsonNode json) {
    return json.path("columns").isEmpty()
        ? "the target has no such row"
        : "different in " + columns(json.path("columns"));
  }

  private void shape(List<String> lines, JsonNode json) {
    if (json.path("shape").isTextual()) {
      lines.add("    shape         " + json.path("shape").asText());
    }
  }

  private static void snapshot(List<String> lines, JsonNode json, String field, String name) {
    JsonNode snapshot = json.path(field);
    if (snapshot.isObject()) {
      lines.add(
          "    "
              + name
              + " ".repeat(Math.max(1, 14 - name.length()))
              + (snapshot.path("present").asBoolean()
                  ? "hash "
                      + snapshot.path("hash").asText()
                      + ", version "
                      + snapshot.path("version").asText()
                  : "absent"));
    }
  }

  private static String bounds(AuditRecord record) {
    return record.keyIn("from").map(key -> ", from " + key.display()).orElse(", from the first row")
        + record.keyIn("to").map(key -> " to " + key.display()).orElse(" to the last row");
  }

  private static String columns(JsonNode array) {
    return SqlIdentifier.list(
        StreamSupport.stream(array.spliterator(), false).map(JsonNode::asText).toList());
  }

  private static String values(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false)
        .map(JsonNode::asText)
        .collect(Collectors.joining(", "));
  }
}
