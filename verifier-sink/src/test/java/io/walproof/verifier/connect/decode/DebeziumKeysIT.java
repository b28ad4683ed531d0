package io.walproof.verifier.connect.decode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.walproof.contract.ChangedKey;
import io.walproof.contract.Time;
import io.walproof.embedded.PostgresServer;
import io.walproof.verifier.connect.decode.DebeziumModes.Binary;
import io.walproof.verifier.connect.decode.DebeziumModes.Decimal;
import io.walproof.verifier.connect.decode.DebeziumModes.TimePrecision;
import io.walproof.verifier.database.DatabaseIdentity;
import io.walproof.verifier.database.DatabaseSettings;
import io.walproof.verifier.database.Databases;
import io.walproof.verifier.model.Cancellation;
import io.walproof.verifier.model.Side;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.connect.data.SchemaAndValue;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.json.JsonConverter;
import org.apache.kafka.connect.sink.SinkRecord;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Keys of every type in every mode of a real Debezium, read by a snapshot and from the stream,
 * through no converter and through JSON with and without schemas. What PostgreSQL prints is right.
 */
class DebeziumKeysIT {

  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Set<String> NEVER = Set.of("k_timetz", "k_varbit", "k_money");

  private static PostgresServer server;
  private static DatabaseSettings settings;
  private static DatabaseIdentity identity;
  private static Map<String, String> printed;

  private enum Way {
    STRUCT,
    JSON_WITH_SCHEMAS,
    JSON_WITHOUT_SCHEMAS
  }

  @BeforeAll
  static void start() throws SQLException {
    server = PostgresServer.builder().major(17).start();
    server.execute("postgres", "CREATE DATABASE keys");
    server.execute(
        "keys",
        "CREATE EXTENSION citext",
        "CREATE TYPE mood AS ENUM ('glad', 'so so')",
        "CREATE DOMAIN posint AS int8 CHECK (VALUE > 0)");
    for (KeyTable table : KeyTable.ALL) {
      server.execute("keys", table.ddl());
    }
    settings =
        DatabaseSettings.of(Side.SOURCE, server.jdbcUrl("keys"), PostgresServer.SUPERUSER, "");
    try (io.walproof.verifier.database.Database database =
        Databases.open(settings, Time.system())) {
      identity = Databases.check(database, Time.system(), new Cancellation());
    }
  }

  @AfterAll
  static void stop() throws java.io.IOException {
    server.close();
  }

  @Test
  void adaptiveAndPrecise() throws Exception {
    Set<String> refused = new TreeSet<>(NEVER);
    run(
        Map.of("interval.handling.mode", "string"),
        new DebeziumModes(
            Optional.of(Binary.BYTES),
            Optional.of(TimePrecision.ADAPTIVE),
            Optional.of(Decimal.PRECISE)),
        refused,
        with(refused, "k_numeric_p"));
  }

  @Test
  void microsecondTimesAndStrings() throws Exception {
    Set<String> refused = new TreeSet<>(NEVER);
    run(
        Map.of(
            "time.precision.mode", "adaptive_time_microseconds",
            "decimal.handling.mode", "string",
            "binary.handling.mode", "base64",
            "interval.handling.mode", "string"),
        new DebeziumModes(
            Optional.of(Binary.BASE64),
            Optional.of(TimePrecision.ADAPTIVE_TIME_MICROSECONDS),
            Optional.of(Decimal.STRING)),
        refused,
        refused);
  }

  /** What loses digits is refused. */
  @Test
  void connectTimesAndDoubles() throws Exception {
    Set<String> refused =
        with(
            NEVER,
            "k_time",
            "k_timestamp",
            "k_timestamp_now",
            "k_numeric",
            "k_numeric_p",
            "k_interval");
    run(
        Map.of(
            "time.precision.mode", "connect",
            "decimal.handling.mode", "double",
            "binary.handling.mode", "base64-url-safe"),
        new DebeziumModes(
            Optional.of(Binary.BASE64_URL_SAFE),
            Optional.of(TimePrecision.CONNECT),
            Optional.of(Decimal.DOUBLE)),
        refused,
        refused);
  }

  /** The day's two midnights are written alike, so these rows of k_time are refused. */
  @Test
  void isoStringsAndHex() throws Exception {
    Set<String> refused = with(NEVER, "k_time");
    run(
        Map.of(
            "time.precision.mode", "isostring",
            "binary.handling.mode", "hex",
            "interval.handling.mode", "string"),
        new DebeziumModes(
            Optional.of(Binary.HEX),
            Optional.of(TimePrecision.ISOSTRING),
            Optional.of(Decimal.PRECISE)),
        refused,
        with(refused, "k_numeric_p"));
  }

  @Test
  void microseconds() throws Exception {
    Set<String> refused = new TreeSet<>(NEVER);
    run(
        Map.of("time.precision.mode", "microseconds", "interval.handling.mode", "string"),
        new DebeziumModes(
            Optional.of(Binary.BYTES),
            Optional.of(TimePrecision.MICROSECONDS),
            Optional.of(Decimal.PRECISE)),
        refused,
        with(refused, "k_numeric_p"));
  }

  /** Nothing is configured here: without schemas, what is ambiguous is refused. */
  @Test
  void nanosecondsWithUnknownModes() throws Exception {
    Set<String> refused = with(NEVER, "k_interval");
    run(
        Map.of(
            "time.precision.mode",
            "nanoseconds",
            "table.exclude.list",
            "public." + KeyTable.BEYOND_NANOSECONDS),
        DebeziumModes.UNKNOWN,
        refused,
        with(
            refused,
            "k_bytea",
            "k_time",
            "k_time3",
            "k_timestamp_now",
            "k_timestamp3",
            "k_numeric_p"));
  }

  private static Set<String> with(Set<String> some, String... more) {
    Set<String> all = new TreeSet<>(some);
    all.addAll(List.of(more));
    return all;
  }

  private static void run(
      Map<String, String> modes,
      DebeziumModes known,
      Set<String> refused,
      Set<String> refusedWithoutSchemas)
      throws Exception {
    int rows = 0;
    List<KeyTable> tables =
        KeyTable.ALL.stream()
            .filter(t -> !modes.getOrDefault("table.exclude.list", "").endsWith("." + t.name()))
            .toList();
    for (KeyTable table : tables) {
      server.execute("keys", "TRUNCATE " + table.name(), table.insert(0, 1));
      rows += table.values().size();
    }
    List<SourceRecord> changes;
    Map<String, String> settings = new HashMap<>(modes);
    settings.put("slot.drop.on.stop", "true");
    try (DebeziumRun debezium =
        new DebeziumRun(server.port(), "keys", PostgresServer.SUPERUSER, settings)) {
      await().atMost(PATIENCE).until(() -> changes(debezium.records()).size() == tables.size());
      for (KeyTable table : tables) {
        if (table.values().size() > 1) {
          server.execute("keys", table.insert(1, table.values().size()));
        }
      }
      int all = rows;
      await().atMost(PATIENCE).until(() -> changes(debezium.records()).size() == all);
      changes = changes(debezium.records());
    }
    printed = printed();
    for (Way way : Way.values()) {
      check(
          changes,
          known,
          way,
          switch (way) {
            case STRUCT -> refused;
            case JSON_WITH_SCHEMAS -> with(refused, KeyTable.NO_JSON_NUMBER);
            case JSON_WITHOUT_SCHEMAS -> refusedWithoutSchemas;
          });
    }
  }

  private static List<SourceRecord> changes(List<SourceRecord> records) {
    return records.stream()
        .filter(r -> r.value() instanceof Struct value && value.schema().field("op") != null)
        .toList();
  }

  private static void check(
      List<SourceRecord> changes, DebeziumModes known, Way way, Set<String> refused) {
    Map<String, String> wrong = new TreeMap<>();
    Set<String> skipped = new TreeSet<>();
    try (RecordDecoder decoder =
        RecordDecoder.open(settings, known, identity, false, Time.system())) {
      for (SourceRecord change : changes) {
        Struct value = (Struct) change.value();
        String table = value.getStruct("source").getString("table");
        String row = table + '#' + value.getStruct("after").getInt32("n");
        Decoded decoded = decoder.decode(sunk(change, way));
        if (decoded instanceof Decoded.Change found) {
          ChangedKey key = found.key();
          String text = key.key().columns().get(0).text();
          if (!same(table, text, printed.get(row))) {
            wrong.put(row, text + " for " + printed.get(row));
          }
          assertThat(key.table().name()).isEqualTo(table);
          assertThat(key.transactionId() == 0).isEqualTo("r".equals(value.getString("op")));
        } else {
          skipped.add(table);
        }
      }
    }
    assertThat(wrong).as("wrong keys, %s", way).isEmpty();
    assertThat(skipped).as("refused tables, %s", way).isEqualTo(refused);
  }

  /** Debezium sends a numeric without its trailing zeros; the values are the same key. */
  private static boolean same(String table, String text, String expected) {
    return table.equals("k_numeric")
        ? new BigDecimal(text).compareTo(new BigDecimal(expected)) == 0
        : text.equals(expected);
  }

  private static SinkRecord sunk(SourceRecord record, Way way) {
    SchemaAndValue key = new SchemaAndValue(record.keySchema(), record.key());
    SchemaAndValue value = new SchemaAndValue(record.valueSchema(), record.value());
    if (way != Way.STRUCT) {
      key = converted(record.topic(), key, true, way);
      value = converted(record.topic(), value, false, way);
    }
    return new SinkRecord(
        record.topic(),
        0,
        key.schema(),
        key.value(),
        value.schema(),
        value.value(),
        0,
        0L,
        TimestampType.CREATE_TIME);
  }

  private static SchemaAndValue converted(
      String topic, SchemaAndValue data, boolean isKey, Way way) {
    try (JsonConverter converter = new JsonConverter()) {
      converter.configure(
          Map.of("schemas.enable", Boolean.toString(way == Way.JSON_WITH_SCHEMAS)), isKey);
      return converter.toConnectData(
          topic, converter.fromConnectData(topic, data.schema(), data.value()));
    }
  }

  /** Every row's key as the type's output function writes it. */
  private static Map<String, String> printed() throws SQLException {
    Map<String, String> printed = new HashMap<>();
    List<String> selects = new ArrayList<>();
    for (KeyTable table : KeyTable.ALL) {
      selects.add("SELECT '" + table.name() + "#' || n, format('%s', k) FROM " + table.name());
    }
    try (Connection connection = server.connect("keys");
        Statement statement = connection.createStatement()) {
      statement.execute("SET TimeZone = 'UTC'");
      try (ResultSet rows = statement.executeQuery(String.join(" UNION ALL ", selects))) {
        while (rows.next()) {
          printed.put(rows.getString(1), rows.getString(2));
        }
      }
    }
    return printed;
  }
}
