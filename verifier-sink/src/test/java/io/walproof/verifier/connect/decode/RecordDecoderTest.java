package io.walproof.verifier.connect.decode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.walproof.contract.ChangedKey;
import io.walproof.contract.DriftEvent;
import io.walproof.contract.Lsn;
import io.walproof.contract.Operation;
import io.walproof.contract.RowKey;
import io.walproof.contract.ShapeHash;
import io.walproof.contract.TableId;
import io.walproof.contract.topic.ChangedKeyRecord;
import io.walproof.contract.topic.DriftRecord;
import io.walproof.contract.topic.RecordHeaders;
import io.walproof.verifier.database.DatabaseIdentity;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.errors.DataException;
import org.apache.kafka.connect.header.ConnectHeaders;
import org.apache.kafka.connect.sink.SinkRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecordDecoderTest {

  private static final TableId ORDERS = new TableId("public", "orders");
  private static final ShapeHash SHAPE = new ShapeHash("0123456789abcdef0123456789abcdef");
  private static final DatabaseIdentity SOURCE =
      new DatabaseIdentity("7000000000000000001", "shop", "now", false, 170000);

  private boolean identityIsIndex;

  private final RecordDecoder decoder =
      new RecordDecoder(
          new SourceColumns() {
            @Override
            public Optional<Table> table(TableId table, Set<String> names) {
              return table.equals(ORDERS)
                  ? Optional.of(
                      Table.of(
                          List.of(
                              new ColumnType(1, "region", true, "text", 'b', -1),
                              new ColumnType(2, "id", true, "int8", 'b', -1),
                              new ColumnType(3, "blob", true, "bytea", 'b', -1),
                              new ColumnType(4, "day", true, "date", 'b', -1)),
                          identityIsIndex))
                  : Optional.empty();
            }

            @Override
            public void close() {}
          },
          DebeziumModes.UNKNOWN,
          SOURCE,
          false);

  private static SinkRecord record(Object key, Object value, Map<String, Object> headers) {
    ConnectHeaders all = new ConnectHeaders();
    headers.forEach((name, header) -> all.add(name, header, null));
    return new SinkRecord(
        "any.topic", 3, null, key, null, value, 42, 0L, TimestampType.CREATE_TIME, all);
  }

  private Decoded decode(Object key, Object value) {
    return decoder.decode(record(key, value, Map.of()));
  }

  private static Map<String, Object> envelope(String op) {
    Map<String, Object> source = new HashMap<>();
    source.put("connector", "postgresql");
    source.put("db", "shop");
    source.put("schema", "public");
    source.put("table", "orders");
    source.put("lsn", 17L);
    source.put("txId", 5_000_000_001L);
    source.put("ts_ms", 1000L);
    Map<String, Object> envelope = new HashMap<>();
    envelope.put("op", op);
    envelope.put("source", source);
    return envelope;
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> with(String name, Object value) {
    Map<String, Object> envelope = envelope("u");
    ((Map<String, Object>) envelope.get("source")).put(name, value);
    return envelope;
  }

  private static ChangedKey changed() {
    return new ChangedKey(
        new TableId("a.b", "x#y/z"),
        new RowKey(List.of(new RowKey.Column("1st", "a::b"), new RowKey.Column("\u00fc", ""))),
        Operation.UPDATE,
        new Lsn(-1),
        0xFFFFFFFFL,
        Instant.ofEpochMilli(5),
        SHAPE);
  }

  @Test
  void ourOwnRecordsComeBackAsTheyWere() {
    assertThat(
            decode(
                ChangedKeyRecord.key(changed()), new HashMap<>(ChangedKeyRecord.value(changed()))))
        .isEqualTo(new Decoded.Change(changed()));
  }

  @Test
  void anUnknownVersionIsRefusedWithItsPlace() {
    Map<String, Object> value = new HashMap<>(ChangedKeyRecord.value(changed()));
    value.put("v", 2);
    assertThatThrownBy(() -> decode(Map.of(), value))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("any.topic")
        .hasMessageContaining("partition 3")
        .hasMessageContaining("offset 42")
        .hasMessageContaining("version 2");
  }

  /** Not skippable: the other records of that cluster would follow. */
  @Test
  void anotherClusterIsRefused() {
    Map<String, Object> value = ChangedKeyRecord.value(changed());
    assertThatThrownBy(
            () ->
                decoder.decode(
                    record(Map.of(), value, Map.of(RecordHeaders.SYSTEM_IDENTIFIER, "7"))))
        .isInstanceOf(ConnectException.class)
        .isNotInstanceOf(DataException.class)
        .hasMessageContaining("system identifier 7");
    // Connect's own header converter makes a number of it.
    assertThat(
            decoder.decode(
                record(
                    Map.of(),
                    value,
                    Map.of(RecordHeaders.SYSTEM_IDENTIFIER, 7000000000000000001L))))
        .isInstanceOf(Decoded.Change.class);
  }

  @Test
  void anEnvelopeNamesItsTableAndItsKeyInTheCatalogsOrder() {
    Map<String, Object> key = new HashMap<>(Map.of("id", 7L, "region", "EU"));
    Decoded decoded =
        decoder.decode(record(key, envelope("u"), Map.of(RecordHeaders.SHAPE, SHAPE.hex())));
    assertThat(decoded)
        .isEqualTo(
            new Decoded.Change(
                new ChangedKey(
                    ORDERS,
                    new RowKey(
                        List.of(new RowKey.Column("region", "EU"), new RowKey.Column("id", "7"))),
                    Operation.UPDATE,
                    new Lsn(17),
                    5_000_000_001L & 0xFFFFFFFFL,
                    Instant.ofEpochMilli(1000),
                    SHAPE)));
  }

  @Test
  void operationsAreWhatTheySay() {
    assertThat(operation("c")).isEqualTo(Operation.INSERT);
    assertThat(operation("u")).isEqualTo(Operation.UPDATE);
    assertThat(operation("d")).isEqualTo(Operation.DELETE);
    assertThat(operation("r")).isEqualTo(Operation.READ);
    // Debezium may name another row then; it is looked up and not taken for gone.
    identityIsIndex = true;
    assertThat(operation("d")).isEqualTo(Operation.UPDATE);
  }

  private Operation operation(String op) {
    return ((Decoded.Change) decode(Map.of("id", 7L), envelope(op))).key().operation();
  }

  @Test
  void whatNamesNoRowIsCountedForItsTable() {
    assertThat(reason(decode(Map.of("id", 7L), envelope("t")))).isEqualTo("truncate");
    assertThat(reason(decode(null, envelope("u")))).isEqualTo("no_usable_key");
    assertThat(reason(decode(Map.of("id", "7"), envelope("u")))).isEqualTo("key_value_unavailable");
    assertThat(reason(decode(Map.of("blob", "AQID"), envelope("u"))))
        .isEqualTo("key_value_unavailable");
    assertThat(reason(decode(Map.of("renamed", 7L), envelope("u")))).isEqualTo("key_type_unknown");
    assertThat(reason(decode(Map.of("id", 7L), with("table", "dropped"))))
        .isEqualTo("key_type_unknown");
    Decoded.Skipped skipped = (Decoded.Skipped) decode(Map.of("blob", "AQID"), envelope("u"));
    assertThat(skipped.detail()).contains("verify.debezium.binary.handling.mode");
    assertThat(skipped.detail()).doesNotContain("AQID");
    for (int early : new int[] {-142_000, -141_428}) {
      assertThat(decode(Map.of("day", early), envelope("r"))).isInstanceOf(Decoded.Skipped.class);
      assertThat(decode(Map.of("day", early), envelope("u"))).isInstanceOf(Decoded.Change.class);
    }
    assertThat(decode(Map.of("day", -141_000), envelope("r"))).isInstanceOf(Decoded.Change.class);
    byte[] placeholder = "__debezium_unavailable_value".getBytes(StandardCharsets.UTF_8);
    Decoded.Skipped leftOut = (Decoded.Skipped) decode(Map.of("blob", placeholder), envelope("u"));
    assertThat(leftOut.detail()).contains("stored out of line");
  }

  @Test
  void recordsOfDivertedTablesAreToldFromOthersByTheirHeader() {
    ChangedKey key =
        new ChangedKey(
            new TableId("public", "dlq"),
            new RowKey(List.of(new RowKey.Column("id", "1"))),
            Operation.UPDATE,
            new Lsn(1),
            1,
            Instant.EPOCH,
            SHAPE);
    Map<String, Object> reason = Map.of("walproof.dlq.reason", "shape_not_accepted");
    Map<String, Object> value = ChangedKeyRecord.value(key);
    assertThat(decoder.decode(record(null, value, Map.of()))).isEqualTo(new Decoded.Change(key));
    assertThat(decoder.decode(record(null, value, reason))).isEqualTo(new Decoded.Diverted(key));
    DriftEvent event =
        new DriftEvent(
            DriftEvent.Kind.SHAPE_CHANGED,
            DriftEvent.Occurrence.IN_PROCESS,
            Optional.of(key.table()),
            new Lsn(1),
            1,
            Optional.empty(),
            Optional.empty(),
            List.of(),
            Optional.empty(),
            "dlq",
            "diverted",
            "");
    Map<String, Object> drift = DriftRecord.value(event);
    assertThat(decoder.decode(record(null, drift, Map.of())))
        .isEqualTo(new Decoded.Ignored("drift_event"));
    assertThat(decoder.decode(record(null, drift, reason)))
        .isEqualTo(new Decoded.Diversion(event, false));
    Map<String, Object> begin = new HashMap<>(reason);
    begin.put("walproof.dlq.mark", "begin");
    assertThat(decoder.decode(record(null, drift, begin)))
        .isEqualTo(new Decoded.Diversion(event, true));
  }

  private static String reason(Decoded decoded) {
    Decoded.Skipped skipped = (Decoded.Skipped) decoded;
    return skipped.reason();
  }

  @Test
  void whatConcernsNoRowIsIgnoredByName() {
    assertThat(decode(Map.of("id", 7L), null)).isEqualTo(new Decoded.Ignored("tombstone"));
    assertThat(decode(null, envelope("m"))).isEqualTo(new Decoded.Ignored("message"));
    assertThat(decode(Map.of("serverName", "shop"), Map.of("ts_ms", 1L)))
        .isEqualTo(new Decoded.Ignored("heartbeat"));
    assertThat(decode(Map.of("server", "shop"), Map.of("v", 1L, "ts_ms", 1L, "lsn", 1L)))
        .isEqualTo(new Decoded.Ignored("heartbeat"));
    Map<String, Object> begin = new HashMap<>();
    begin.put("status", "BEGIN");
    begin.put("id", "1:2");
    begin.put("event_count", null);
    begin.put("data_collections", null);
    begin.put("ts_ms", 1L);
    assertThat(decode(Map.of("id", "1:2"), begin))
        .isEqualTo(new Decoded.Ignored("transaction_metadata"));
    assertThat(
            decode(
                Map.of(),
                Map.of("v", 1L, "seq", 1L, "prev", "0", "ts", "", "run_id", "", "type", "")))
        .isEqualTo(new Decoded.Ignored("verify_record"));
  }

  /** Rows of a flattened topic may look like anything; none is ignored in silence. */
  @Test
  void flattenedRecordsAreRefusedWithTheReason() {
    assertThatThrownBy(() -> decode(Map.of("id", 7L), Map.of("id", 7L, "__op", "u")))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("ExtractNewRecordState");
    assertThatThrownBy(() -> decode(Map.of("id", 7L), Map.of("ts_ms", 7L)))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("ExtractNewRecordState");
    assertThatThrownBy(() -> decode(Map.of("id", 7L), Map.of("status", "x", "id", 7L)))
        .isInstanceOf(DataException.class);
  }

  @Test
  void foreignRecordsAreRefusedWithTheReason() {
    assertThatThrownBy(() -> decode(Map.of("id", 7L), with("connector", "mysql")))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("mysql");
    assertThatThrownBy(() -> decode(Map.of("id", 7L), with("db", "other")))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("\"other\"")
        .hasMessageContaining("\"shop\"");
    assertThatThrownBy(() -> decode(Map.of("id", 7L), envelope("x")))
        .isInstanceOf(DataException.class);
    assertThatThrownBy(() -> decode("7", envelope("u")))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("key.converter");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{\"op\":\"c\"}"})
  void textIsNoRecord(String text) {
    assertThatThrownBy(() -> decode(null, text))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("value.converter");
  }
}
