package io.walproof.connector.connect;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.walproof.contract.ChangedKey;
import io.walproof.contract.DriftEvent;
import io.walproof.contract.DriftEvent.ColumnChange;
import io.walproof.contract.DriftEvent.Kind;
import io.walproof.contract.DriftEvent.Occurrence;
import io.walproof.contract.Lsn;
import io.walproof.contract.Operation;
import io.walproof.contract.RowKey;
import io.walproof.contract.ShapeHash;
import io.walproof.contract.TableId;
import io.walproof.contract.topic.ChangedKeyRecord;
import io.walproof.contract.topic.DriftRecord;
import io.walproof.contract.topic.HeartbeatRecord;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaAndValue;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.json.JsonConverter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The records are what the contract says, through JSON with and without schemas (invariant K). */
class RecordFormsTest {

  private static final ObjectMapper JSON = new ObjectMapper();

  /** What Avro allows as a part of a name; names of schemas are such parts with dots between. */
  private static final Pattern AVRO = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  private static final ShapeHash SHAPE = new ShapeHash("0123456789abcdef0123456789abcdef");

  private static ChangedKey change(Operation operation) {
    return new ChangedKey(
        new TableId("s\u00e9", "x#y/z"),
        new RowKey(List.of(new RowKey.Column("1st col", "a\"b"), new RowKey.Column("select", ""))),
        operation,
        new Lsn(-5),
        4_294_967_295L,
        Instant.ofEpochMilli(1_767_225_600_123L),
        operation == Operation.READ ? null : SHAPE);
  }

  private static DriftEvent event(List<ColumnChange> changes) {
    return new DriftEvent(
        Kind.SHAPE_CHANGED,
        Occurrence.ACROSS_RESTART,
        Optional.of(new TableId("s", "t")),
        Lsn.parse("1/2"),
        9,
        Optional.of(SHAPE),
        Optional.empty(),
        changes,
        Optional.of(true),
        "report",
        "reported",
        "columns changed");
  }

  @ParameterizedTest
  @EnumSource(Operation.class)
  void aChangedKeyIsReadBack(Operation operation) {
    ChangedKey change = change(operation);
    List<Struct> columns = ChangedKeyData.columns(change);
    Struct value = ChangedKeyData.value(change, columns);
    Struct key = ChangedKeyData.key(change, columns);
    value.validate();
    key.validate();
    for (boolean schemas : new boolean[] {true, false}) {
      assertThat(throughJson(ChangedKeyData.VALUE, value, schemas))
          .isEqualTo(json(ChangedKeyRecord.value(change)));
      assertThat(throughJson(ChangedKeyData.KEY, key, schemas))
          .isEqualTo(json(ChangedKeyRecord.key(change)));
      assertThat(ChangedKeyRecord.of(map(throughJson(ChangedKeyData.VALUE, value, schemas))))
          .isEqualTo(change);
    }
  }

  @Test
  void aDriftEventIsReadBack() {
    DriftEvent event =
        event(List.of(new ColumnChange("v", ColumnChange.What.TYPE, "text", "int", true)));
    Struct value = DriftData.value(event, 1_000_000);
    value.validate();
    for (boolean schemas : new boolean[] {true, false}) {
      JsonNode json = throughJson(DriftData.VALUE, value, schemas);
      assertThat(json).isEqualTo(json(DriftRecord.value(event)));
      assertThat(DriftRecord.of(map(json))).isEqualTo(event);
      assertThat(throughJson(DriftData.KEY, DriftData.key(event), schemas))
          .isEqualTo(json(DriftRecord.key(event)));
    }
  }

  @Test
  void aHeartbeatIsReadBack() {
    HeartbeatRecord heartbeat = new HeartbeatRecord(Instant.ofEpochMilli(5), new Lsn(7));
    JsonNode json = throughJson(HeartbeatData.VALUE, HeartbeatData.value(heartbeat), false);
    assertThat(HeartbeatRecord.of(map(json))).isEqualTo(heartbeat);
    assertThat(HeartbeatData.key("shop").getString("server")).isEqualTo("shop");
  }

  /** O5: 1,600 columns with long names, all of another type. */
  @Test
  void aDriftEventStaysBelowTheSizeOfAMessage() {
    String name = "\"".repeat(60);
    List<ColumnChange> changes =
        IntStream.range(0, 1600)
            .mapToObj(i -> new ColumnChange(name + i, ColumnChange.What.TYPE, name, name, true))
            .toList();
    Struct value = DriftData.value(event(changes), 262_144);
    byte[] bytes = converter(true).fromConnectData("t", DriftData.VALUE, value);
    assertThat(bytes.length).isLessThan(1_000_000);
    int kept = value.getArray("changes").size();
    assertThat(kept).isPositive().isLessThan(1600);
    assertThat(value.getString("detail"))
        .contains("columns changed", (1600 - kept) + " more column changes");
  }

  @ParameterizedTest
  @ValueSource(strings = {"key", "value", "drift key", "drift", "beat key", "beat"})
  void namesAreLegalInAvro(String which) {
    Schema schema =
        switch (which) {
          case "key" -> ChangedKeyData.KEY;
          case "value" -> ChangedKeyData.VALUE;
          case "drift key" -> DriftData.KEY;
          case "drift" -> DriftData.VALUE;
          case "beat key" -> HeartbeatData.KEY;
          case "beat" -> HeartbeatData.VALUE;
          default -> throw new IllegalArgumentException(which);
        };
    Map<String, Schema> named = new HashMap<>();
    checkNames(schema, named);
    assertThat(schema.version()).isEqualTo(1);
  }

  private static void checkNames(Schema schema, Map<String, Schema> named) {
    if (schema.type() == Schema.Type.ARRAY) {
      checkNames(schema.valueSchema(), named);
    }
    if (schema.type() != Schema.Type.STRUCT) {
      return;
    }
    assertThat(schema.name().split("\\.")).allMatch(part -> AVRO.matcher(part).matches());
    Schema before = named.put(schema.name(), schema);
    // One name is one record type.
    assertThat(before == null || before.equals(schema)).isTrue();
    for (Field field : schema.fields()) {
      assertThat(field.name()).matches(AVRO);
      checkNames(field.schema(), named);
    }
  }

  private static JsonConverter converter(boolean schemas) {
    JsonConverter converter = new JsonConverter();
    converter.configure(Map.of("schemas.enable", Boolean.toString(schemas)), false);
    return converter;
  }

  /** To bytes, back to Connect's data, and once more to bytes without a schema. */
  private static JsonNode throughJson(Schema schema, Object value, boolean schemas) {
    try (JsonConverter there = converter(schemas);
        JsonConverter plain = converter(false)) {
      byte[] bytes = there.fromConnectData("t", schema, value);
      SchemaAndValue back = there.toConnectData("t", bytes);
      byte[] again = plain.fromConnectData("t", back.schema(), back.value());
      return JSON.readTree(new String(again, StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Through text, so that widths of numbers do not count. */
  private static JsonNode json(Map<String, Object> record) {
    try {
      return JSON.readTree(JSON.writeValueAsBytes(record));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Map<String, Object> map(JsonNode json) {
    return JSON.convertValue(json, new TypeReference<Map<String, Object>>() {});
  }
}
