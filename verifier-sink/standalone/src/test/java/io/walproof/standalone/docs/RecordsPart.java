package io.walproof.standalone.docs;

import static io.walproof.standalone.docs.Markdown.code;
import static io.walproof.standalone.docs.Markdown.table;
import static io.walproof.standalone.docs.Markdown.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.walproof.contract.ChangedKey;
import io.walproof.contract.DriftEvent;
import io.walproof.contract.Lsn;
import io.walproof.contract.TableId;
import io.walproof.contract.Time;
import io.walproof.contract.topic.ChangedKeyRecord;
import io.walproof.contract.topic.DriftRecord;
import io.walproof.contract.topic.HeartbeatRecord;
import io.walproof.contract.topic.RecordHeaders;
import io.walproof.contract.topic.TopicNames;
import io.walproof.verifier.audit.FileAuditLog;
import io.walproof.verifier.audit.StateDirectory;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** The reference of topics and records: fields and types from encoded samples. */
final class RecordsPart {

  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final List<String> HEADINGS = List.of("Field", "Type", "Meaning");

  private final Meanings meanings;
  private final Path state;

  /**
   * @param meanings of the fields
   * @param state an empty directory for an audit of samples
   */
  RecordsPart(Meanings meanings, Path state) {
    this.meanings = meanings;
    this.state = state;
  }

  String page() throws IOException, IllegalAccessException {
    return "## Topics\n\n"
        + topics()
        + "## Records on the topics\n\nAll records of Walproof's own have a version `v`; a reader"
        + " refuses versions that it does not know and ignores fields that it does not know."
        + " Connect schemas carry the same version. LSNs as int64 are to be read as"
        + " unsigned.\n\n"
        + changedKey()
        + drift()
        + heartbeat()
        + "### Headers\n\nAll are strings.\n\n"
        + headers()
        + "## Records of the audit and the verify topic\n\nOne JSON object in UTF-8 a line of the"
        + " audit file, the same as the value of a record on the verify topic. Its key there names"
        + " table and row, so that a row's records share a partition.\n\n"
        + audit();
  }

  private String topics() {
    TopicNames names = new TopicNames("PREFIX");
    List<List<String>> rows = new ArrayList<>();
    Map<String, String> topics = new LinkedHashMap<>();
    topics.put("table", names.table(new TableId("SCHEMA", "TABLE")));
    topics.put("drift", names.drift());
    topics.put("dlq", names.dlq());
    topics.put("heartbeat", names.heartbeat());
    topics.put("verify", names.verify());
    topics.forEach((what, name) -> rows.add(List.of(code(name), text(meanings.of("topic", what)))));
    return table(List.of("Topic", "Holds"), rows);
  }

  private String changedKey() {
    List<ChangedKey> samples = SampleRecords.changedKeys();
    return "### Changed key, version "
        + ChangedKeyRecord.VERSION
        + "\n\n"
        + record(ChangedKeyRecord.KEY_NAME, "changed_key", samples, ChangedKeyRecord::key)
        + record(ChangedKeyRecord.VALUE_NAME, "changed_key", samples, ChangedKeyRecord::value)
        + part(ChangedKeyRecord.COLUMN_NAME, Part.COLUMN);
  }

  private String drift() {
    List<DriftEvent> samples = SampleRecords.driftEvents();
    return "### Drift event, version "
        + DriftRecord.VERSION
        + "\n\n"
        + record(DriftRecord.KEY_NAME, "drift_event", samples, DriftRecord::key)
        + record(DriftRecord.VALUE_NAME, "drift_event", samples, DriftRecord::value)
        + part(DriftRecord.CHANGE_NAME, Part.CHANGE);
  }

  private String heartbeat() {
    HeartbeatRecord sample = new HeartbeatRecord(Instant.EPOCH, Lsn.parse("0/16B3748"));
    return "### Heartbeat, version "
        + HeartbeatRecord.VERSION
        + "\n\n"
        + record(HeartbeatRecord.KEY_NAME, "heartbeat", List.of("shop"), HeartbeatRecord::key)
        + record(HeartbeatRecord.VALUE_NAME, "heartbeat", List.of(sample), HeartbeatRecord::value);
  }

  private String headers() throws IllegalAccessException {
    List<List<String>> rows = new ArrayList<>();
    for (Field field : RecordHeaders.class.getFields()) {
      String name = Modifier.isStatic(field.getModifiers()) ? String.valueOf(field.get(null)) : "";
      if (name.startsWith("walproof.")) {
        rows.add(List.of(code(name), text(meanings.of("header", name))));
      }
    }
    return table(List.of("Header", "Meaning"), rows);
  }

  private String audit() throws IOException {
    Fields common = new Fields(true);
    Map<String, Fields> types = new LinkedHashMap<>();
    List<String> shared = List.of("v", "seq", "prev", "ts", "run_id", "type");
    for (JsonNode line : lines()) {
      com.fasterxml.jackson.databind.node.ObjectNode own = line.deepCopy();
      com.fasterxml.jackson.databind.node.ObjectNode head = own.deepCopy().retain(shared);
      common.add(head);
      types
          .computeIfAbsent(line.path("type").asText(), any -> new Fields(true))
          .add(own.without(shared));
    }
    StringBuilder text = new StringBuilder("### All records\n\n");
    text.append(table(HEADINGS, common.rows("audit", meanings)));
    types.forEach(
        (type, fields) ->
            text.append("### ")
                .append(code(type))
                .append("\n\n")
                .append(text(meanings.of("audit_type", type)))
                .append("\n\n")
                .append(table(HEADINGS, fields.rows(type, meanings))));
    text.append("### Parts\n\n");
    for (Part part :
        List.of(
            Part.TABLE, Part.SNAPSHOT, Part.MATCHED, Part.COVERAGE, Part.TALLY, Part.DATABASE)) {
      text.append(part("", part));
    }
    return text.toString();
  }

  /** As a real audit has them, with the mark of a line that was cut off. */
  private List<JsonNode> lines() throws IOException {
    Path file;
    try (StateDirectory directory = StateDirectory.open(state)) {
      file = directory.auditFile();
      try (FileAuditLog log = FileAuditLog.open(directory, "run-1", Time.system())) {
        log.append(SampleRecords.auditEntries());
      }
      Files.writeString(file, "{\"v\":1,\"se", StandardOpenOption.APPEND);
      FileAuditLog.open(directory, "run-2", Time.system()).close();
    }
    List<JsonNode> lines = new ArrayList<>();
    for (String line : Files.readAllLines(file)) {
      if (line.endsWith("}")) {
        lines.add(JSON.readTree(line));
      }
    }
    return lines;
  }

  private <T> String record(
      String schema, String record, List<T> samples, Function<T, Map<String, Object>> map) {
    Fields fields = new Fields(false);
    samples.forEach(sample -> fields.add(JSON.valueToTree(map.apply(sample))));
    return code(schema) + ":\n\n" + table(HEADINGS, fields.rows(record, meanings));
  }

  private String part(String schema, Part part) {
    List<List<String>> rows = new ArrayList<>();
    for (String field : part.fields()) {
      rows.add(List.of(code(field), text(meanings.of(part.word(), field))));
    }
    return "A "
        + part.word()
        + (schema.isEmpty() ? "" : ", " + code(schema))
        + ":\n\n"
        + table(List.of("Field", "Meaning"), rows);
  }
}
