package io.walproof.verifier.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.BasicAuthenticator;
import com.sun.net.httpserver.HttpServer;
import io.walproof.cluster.EmbeddedBroker;
import io.walproof.cluster.KafkaBroker;
import io.walproof.cluster.TopicReader;
import io.walproof.contract.ChangedKey;
import io.walproof.contract.DriftEvent;
import io.walproof.contract.Lsn;
import io.walproof.contract.Operation;
import io.walproof.contract.RowKey;
import io.walproof.contract.ShapeHash;
import io.walproof.contract.TableId;
import io.walproof.contract.Time;
import io.walproof.contract.topic.ChangedKeyRecord;
import io.walproof.contract.topic.DriftRecord;
import io.walproof.embedded.PostgresServer;
import io.walproof.verifier.range.RangeOutcome;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;
import javax.management.ObjectName;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.sink.SinkRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Range checks of a task without a worker: two databases of one server, and a real broker. */
class SinkRangesIT {

  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final String SECRET = "Hunter2-s3cr3t";
  private static final TopicPartition KEYS = new TopicPartition("p.public.orders", 0);
  private static final TopicPartition DRIFT = new TopicPartition("p.drift", 0);

  private static PostgresServer server;
  private static EmbeddedBroker broker;

  @TempDir Path folder;

  private final FakeSinkContext context = new FakeSinkContext();

  @BeforeAll
  static void start() throws Exception {
    server = PostgresServer.builder().major(17).start();
    for (String database : List.of("here", "there")) {
      server.execute("postgres", "CREATE DATABASE " + database);
    }
    both(
        "CREATE TABLE orders (id int PRIMARY KEY, total int)",
        "INSERT INTO orders SELECT g, g FROM generate_series(1, 100) AS g");
    broker = KafkaBroker.embedded();
  }

  @AfterAll
  static void stop() throws Exception {
    try (PostgresServer databases = server;
        EmbeddedBroker kafka = broker) {
      assertThat(databases).isNotNull();
      assertThat(kafka).isNotNull();
    }
  }

  private static void both(String... sql) throws SQLException {
    server.execute("here", sql);
    server.execute("there", sql);
  }

  private static void table(String name, int rows) throws SQLException {
    both(
        "CREATE TABLE " + name + " (id int PRIMARY KEY, total int)",
        "INSERT INTO " + name + " SELECT g, g FROM generate_series(1, " + rows + ") AS g");
  }

  /** A sink of the orders' and the drift topic whose range checks cover these tables. */
  private static Map<String, String> settings(String topic, String tables) {
    Map<String, String> settings = new HashMap<>();
    settings.put("name", topic);
    settings.put("topics", "p.public.orders,p.drift");
    settings.put("verify.source.jdbc.url", server.jdbcUrl("here"));
    settings.put("verify.source.user", PostgresServer.SUPERUSER);
    settings.put("verify.target.jdbc.url", server.jdbcUrl("there"));
    settings.put("verify.target.user", PostgresServer.SUPERUSER);
    settings.put("verify.topic", topic);
    settings.put("verify.producer.bootstrap.servers", broker.bootstrapServers());
    settings.put("verify.settle.ms", "100");
    settings.put("verify.recheck.delay.ms", "100");
    settings.put("verify.replay.confirmation", "none");
    settings.put("verify.range.table.include.list", "public\\.(" + tables + ")");
    return settings;
  }

  private SinkSession session(Map<String, String> settings, TopicPartition... partitions) {
    SinkSession session = SinkSession.start(SinkSettings.of(settings), context, Time.system());
    session.open(List.of(partitions));
    return session;
  }

  /** Reads the topic and drives the task until the records fulfil the condition. */
  private static List<JsonNode> until(
      SinkSession session, String topic, Predicate<List<JsonNode>> condition) {
    List<JsonNode> records = new ArrayList<>();
    try (TopicReader reader = new TopicReader(broker.bootstrapServers(), topic)) {
      await()
          .atMost(PATIENCE)
          .until(
              () -> {
                session.put(List.of());
                records.clear();
                records.addAll(Pipeline.json(reader.readToEnd()));
                return condition.test(records);
              });
    }
    return records;
  }

  private static List<JsonNode> published(String topic) {
    try (TopicReader reader = new TopicReader(broker.bootstrapServers(), topic)) {
      return Pipeline.json(reader.readToEnd());
    }
  }

  private static List<JsonNode> ends(List<JsonNode> records, String table) {
    return Pipeline.ofType(records, "range_end").stream()
        .filter(each -> each.at("/table/name").asText().equals(table))
        .toList();
  }

  private static Set<String> outcomes(List<JsonNode> records, String table) {
    Set<String> outcomes = new TreeSet<>();
    ends(records, table).forEach(each -> outcomes.add(each.path("outcome").asText()));
    return outcomes;
  }

  /** Failing keys, each with its kind. */
  private static Set<String> failing(List<JsonNode> records) {
    Set<String> failing = new TreeSet<>();
    for (JsonNode each : Pipeline.ofType(records, "decision")) {
      if (each.path("outcome").asText().equals("unresolved")) {
        assertThat(each.path("stratum").asText()).isEqualTo("range");
        failing.add(
            each.at("/table/name").asText()
                + ' '
                + each.at("/key/id").asText()
                + ' '
                + each.path("kind").asText());
      }
    }
    return failing;
  }

  private static long active() throws SQLException {
    return number("state <> 'idle'");
  }

  private static long blocked() throws SQLException {
    return number("wait_event_type = 'Lock'");
  }

  private static long number(String condition) throws SQLException {
    try (Connection connection = server.connect("postgres");
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'walproof' AND "
                    + condition)) {
      rows.next();
      return rows.getLong(1);
    }
  }

  private static SinkRecord changed(long offset, int id) {
    ChangedKey key =
        new ChangedKey(
            new TableId("public", "orders"),
            new RowKey(List.of(new RowKey.Column("id", Integer.toString(id)))),
            Operation.UPDATE,
            new Lsn(1),
            0,
            Instant.EPOCH,
            new ShapeHash("0123456789abcdef0123456789abcdef"));
    return record(KEYS, offset, ChangedKeyRecord.value(key));
  }

  private static SinkRecord record(TopicPartition partition, long offset, Object value) {
    return new SinkRecord(
        partition.topic(), partition.partition(), null, Map.of(), null, value, offset);
  }

  private static SinkRecord drift(
      TopicPartition partition, long offset, DriftEvent.Kind kind, String table) {
    DriftEvent event =
        new DriftEvent(
            kind,
            DriftEvent.Occurrence.ACROSS_RESTART,
            Optional.ofNullable(table).map(name -> new TableId("public", name)),
            new Lsn(1),
            0,
            Optional.empty(),
            Optional.empty(),
            List.of(),
            Optional.empty(),
            "report",
            "reported",
            "");
    return record(partition, offset, DriftRecord.value(event));
  }

  private static void awaitOffset(SinkSession session, TopicPartition partition, long offset) {
    await()
        .atMost(PATIENCE)
        .until(
            () -> {
              session.put(List.of());
              return new OffsetAndMetadata(offset).equals(session.committable().get(partition));
            });
  }

  /** Holds a table of the target, whose rows nobody can read meanwhile. */
  private static Connection hold(String table) throws SQLException {
    Connection holder = server.connect("there");
    holder.setAutoCommit(false);
    try (Statement statement = holder.createStatement()) {
      statement.execute("LOCK TABLE " + table + " IN ACCESS EXCLUSIVE MODE");
    }
    return holder;
  }

  private static String serialised(int key) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(new Object[] {key});
    }
    return HexFormat.of().formatHex(bytes.toByteArray());
  }

  /** A worker that tells a connector's offset to those who know the password. */
  private static HttpServer connect(String offset) throws IOException {
    HttpServer rest =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    byte[] body =
        ("{\"offsets\":[{\"partition\":{\"server\":\"p\"},\"offset\":" + offset + "}]}")
            .getBytes(StandardCharsets.UTF_8);
    rest.createContext(
            "/connectors/pipeline/offsets",
            exchange -> {
              exchange.sendResponseHeaders(200, body.length);
              exchange.getResponseBody().write(body);
              exchange.close();
            })
        .setAuthenticator(
            new BasicAuthenticator("connect") {
              @Override
              public boolean checkCredentials(String user, String password) {
                return user.equals("reader") && password.equals(SECRET);
              }
            });
    rest.start();
    return rest;
  }

  /** Rows below a cursor that nobody changes: the key checks never see them. */
  @Test
  void onResumeACursorsClaimIsChecked() throws Exception {
    table("resumed", 1000);
    table("later", 10);
    table("whole", 10);
    server.execute(
        "there",
        "DELETE FROM resumed WHERE id IN (500, 701, 900)",
        "UPDATE resumed SET total = 0 WHERE id = 700",
        "DELETE FROM later",
        "INSERT INTO whole VALUES (11, 11)");
    String listed = "[{\\\"%s_id\\\":\\\"public.resumed\\\"},{\\\"%s_id\\\":\\\"public.later\\\"}]";
    String name = "incremental_snapshot_collections";
    HttpServer rest =
        connect(
            "{\"lsn\":1,\""
                + name
                + "\":\""
                + listed.replace("%s", name)
                + "\",\"incremental_snapshot_primary_key\":\""
                + serialised(700)
                + "\"}");
    Map<String, String> settings = settings("resume", "resumed|later|whole");
    settings.put("verify.range.on.resume", "true");
    settings.put(
        "verify.range.claim.url",
        "http://127.0.0.1:" + rest.getAddress().getPort() + "/connectors/pipeline");
    settings.put("verify.range.claim.tables", "public\\.(resumed|later|whole)");
    settings.put("verify.range.claim.user", "reader");
    settings.put("verify.range.claim.password", SECRET);
    SinkSession session = session(settings, KEYS);
    try {
      until(session, "resume", all -> Pipeline.ofType(all, "range_end").size() == 2);
      ObjectName names = new ObjectName("*:connector=resume,*");
      assertThat(gauge(names, "range-failing-rows-total")).isEqualTo(2L);
      assertThat(gauge(names, "range-rows-total")).isEqualTo(710L);
      assertThat(gauge(names, "range-tables")).isEqualTo(2L);
      assertThat(gauge(names, "range-tables-covered")).isEqualTo(2L);
      assertThat(gauge(names, "range-target-only-rows-total")).isEqualTo(1L);
      assertThat(gauge(names, "range-checks-running")).isEqualTo(0L);
      assertThat((Long) gauge(names, "range-last-end-ms")).isPositive();
    } finally {
      session.stop();
      rest.stop(0);
    }
    List<JsonNode> records = published("resume");
    assertThat(failing(records))
        .containsExactlyInAnyOrder("resumed 500 missing", "resumed 700 different");
    assertThat(outcomes(records, "resumed")).containsExactly("failed");
    assertThat(outcomes(records, "whole")).containsExactly("proved");
    assertThat(ends(records, "later")).isEmpty();
    assertThat(Pipeline.ofType(records, "range_start"))
        .allMatch(each -> each.path("origin").asText().equals("snapshot_cursor"));
    // One run, whose counts have the range checks' keys in them.
    assertThat(Pipeline.ofType(records, "run_start")).hasSize(1);
    JsonNode end = records.get(records.size() - 1);
    assertThat(end.path("type").asText()).isEqualTo("run_end");
    assertThat(end.at("/coverage/outcomes/unresolved_missing").asLong()).isEqualTo(1);
    assertThat(end.at("/coverage/outcomes/unresolved_different").asLong()).isEqualTo(1);
    assertThat(records.toString()).doesNotContain(SECRET);
  }

  private static Object gauge(ObjectName names, String attribute) throws Exception {
    var beans = ManagementFactory.getPlatformMBeanServer();
    for (ObjectName name : beans.queryNames(names, null)) {
      if (Stream.of(beans.getMBeanInfo(name).getAttributes())
          .anyMatch(each -> each.getName().equals(attribute))) {
        return beans.getAttribute(name, attribute);
      }
    }
    throw new AssertionError("no gauge " + attribute);
  }

  /** Keys are checked and offsets committed while a check hangs; its end is quick and clean. */
  @Test
  void aCheckStandsInNobodysWayAndAStopLeavesNoStatementAndARestartGoesOn() throws Exception {
    table("large", 5000);
    server.execute("there", "DELETE FROM large WHERE id = 4990");
    Map<String, String> settings = settings("stopped", "large");
    settings.put("state.dir", folder.toString());
    settings.put("verify.range.on.resume", "true");
    settings.put("verify.range.chunk.rows", "50");
    settings.put("verify.range.digest", "client");
    settings.put("verify.duty.cycle", "0.01");
    SinkSession session = session(settings, KEYS);
    boolean stopped = false;
    try {
      await().atMost(PATIENCE).until(() -> ledgerLines(folder.resolve("stopped-0/range")) > 4);
      try (Connection holder = hold("large")) {
        assertThat(holder.isClosed()).isFalse();
        await().atMost(PATIENCE).until(() -> blocked() > 0);
        for (int offset = 1; offset <= 3; offset++) {
          session.put(List.of(changed(offset, offset)));
          awaitOffset(session, KEYS, offset + 1);
        }
        assertThat(session.verifier().total().outcomes()).isEqualTo(Map.of("matched", 3L));
        assertThat(session.ranges().runningChecks()).isEqualTo(1);
        stopped = true;
        session.stop();
        assertThat(active()).isZero();
      }
    } finally {
      if (!stopped) {
        session.stop();
      }
    }
    assertThat(outcomes(published("stopped"), "large")).containsExactly("incomplete");
    settings.put("verify.duty.cycle", "1");
    SinkSession next = session(settings, KEYS);
    try {
      List<JsonNode> records =
          until(next, "stopped", all -> outcomes(all, "large").contains("failed"));
      assertThat(Pipeline.ofType(records, "range_start"))
          .extracting(each -> each.path("resumed").asBoolean())
          .containsExactly(false, true);
      assertThat(ends(records, "large").get(1).path("rows").asLong()).isEqualTo(5000);
      assertThat(failing(records)).containsExactly("large 4990 missing");
    } finally {
      next.stop();
    }
  }

  private static long ledgerLines(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      return 0;
    }
    long lines = 0;
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.filter(each -> each.toString().endsWith(".jsonl")).toList()) {
        lines += Files.readAllLines(file).size();
      }
    }
    return lines;
  }

  /** The drift topic's holder does all checks; its offset waits for them, so none is lost. */
  @Test
  void driftSetsOffChecksAndARebalanceHandsThemOn() throws Exception {
    table("recreated", 100);
    table("bystander", 100);
    server.execute(
        "there", "DELETE FROM recreated WHERE id = 3", "DELETE FROM bystander WHERE id = 4");
    Map<String, String> settings = settings("drifted", "recreated|bystander");
    settings.put("verify.range.on.drift", "true");
    settings.put("verify.range.drift.topic", "p.drift");
    SinkSession session = session(SinkSettings.forTask(settings, 0, 2), KEYS);
    try {
      assertThat(session.ranges().isActive()).isFalse();
      session.open(List.of(DRIFT));
      assertThat(session.ranges().isActive()).isTrue();
      SinkRecord recreated = drift(DRIFT, 1, DriftEvent.Kind.TABLE_RECREATED, "recreated");
      try (Connection holder = hold("recreated")) {
        assertThat(holder.isClosed()).isFalse();
        session.put(
            List.of(drift(DRIFT, 0, DriftEvent.Kind.SHAPE_CHANGED, "bystander"), recreated));
        await().atMost(PATIENCE).until(() -> blocked() > 0);
        // The shape's change sets off nothing, and what is being checked is not committed.
        assertThat(session.committable().get(DRIFT)).isNotEqualTo(new OffsetAndMetadata(2));
        session.put(List.of(changed(1, 1)));
        awaitOffset(session, KEYS, 2);
        session.close(List.of(DRIFT));
        assertThat(session.ranges().isActive()).isFalse();
        assertThat(active()).isZero();
      }
      // Whoever holds it next.
      session.open(List.of(DRIFT));
      session.put(List.of(recreated));
      awaitOffset(session, DRIFT, 2);
      List<JsonNode> records = published("drifted");
      assertThat(outcomes(records, "recreated")).containsExactlyInAnyOrder("failed", "incomplete");
      assertThat(failing(records)).containsExactly("recreated 3 missing");

      session.put(List.of(drift(DRIFT, 2, DriftEvent.Kind.GAP, null)));
      awaitOffset(session, DRIFT, 3);
      assertThat(failing(published("drifted")))
          .containsExactlyInAnyOrder("recreated 3 missing", "bystander 4 missing");

      TopicPartition second = new TopicPartition("p.drift", 1);
      session.open(List.of(second));
      assertThatThrownBy(
              () -> session.put(List.of(drift(second, 0, DriftEvent.Kind.GAP, "recreated"))))
          .isInstanceOf(ConnectException.class)
          .hasMessageContaining("tasks.max");
    } finally {
      session.stop();
    }
    List<JsonNode> records = published("drifted");
    JsonNode end = records.get(records.size() - 1);
    assertThat(end.path("reason").asText()).isEqualTo("failed");
    // Both lives of the checks are in the counts.
    assertThat(end.at("/coverage/outcomes/unresolved_missing").asLong()).isEqualTo(3);
    // The gap that the drift topic told of: whose verdicts start behind it.
    JsonNode summary = records.get(records.size() - 2);
    assertThat(summary.path("type").asText()).isEqualTo("summary");
    assertThat(summary.path("tables")).isNotEmpty();
    summary
        .path("tables")
        .forEach(table -> assertThat(table.path("verdicts_after").asText()).isEqualTo("0/1"));
  }

  /** Found without a change, at the latest an interval after the fault; one check at a time. */
  @Test
  void theScheduleFindsWhatHappensLater() throws Exception {
    table("scheduled", 200);
    table("dropped", 1);
    Map<String, String> settings = settings("schedule", "scheduled");
    settings.put("verify.columns.exclude", "public.dropped.total");
    settings.put("verify.range.interval.ms", "300");
    SinkSession session = session(settings, KEYS);
    try {
      List<JsonNode> records =
          until(session, "schedule", all -> ends(all, "scheduled").size() >= 2);
      assertThat(outcomes(records, "scheduled")).containsExactly("proved");
      assertThat(session.ranges().figures().ended(RangeOutcome.FAILED)).isZero();
      // A setting that names what is gone by now keeps no round from beginning.
      both("DROP TABLE dropped");
      server.execute("there", "UPDATE scheduled SET total = -1 WHERE id = 77");
      records = until(session, "schedule", all -> outcomes(all, "scheduled").contains("failed"));
      assertThat(failing(records)).containsExactly("scheduled 77 different");
      boolean open = false;
      for (JsonNode each : records) {
        boolean begins = each.path("type").asText().equals("range_start");
        if (begins || each.path("type").asText().equals("range_end")) {
          assertThat(begins).isNotEqualTo(open);
          open = begins;
        }
      }
    } finally {
      session.stop();
    }
  }

  /**
   * A fault in each of two tables: the second is read while the first one's key is on hold, and the
   * first ends with its verdict, however long the second is read.
   */
  @Test
  void aTableThatAwaitsVerdictsLetsTheNextOneRead() throws Exception {
    table("holding_a", 10);
    table("holding_b", 10);
    server.execute(
        "there", "DELETE FROM holding_a WHERE id = 1", "DELETE FROM holding_b WHERE id = 2");
    Map<String, String> settings = settings("holding", "holding_.");
    settings.put("verify.range.on.resume", "true");
    settings.put("verify.recheck.delay.ms", "3000");
    Connection holder = hold("holding_b");
    SinkSession session = session(settings, KEYS);
    try {
      assertThat(
              ends(
                  until(session, "holding", all -> ends(all, "holding_a").size() == 1),
                  "holding_b"))
          .isEmpty();
      await("the second to be read").atMost(Duration.ofMinutes(3)).until(() -> blocked() > 0);
      holder.close();
      List<JsonNode> records =
          until(session, "holding", all -> Pipeline.ofType(all, "range_end").size() == 2);
      assertThat(records)
          .filteredOn(each -> each.path("type").asText().startsWith("range_"))
          .extracting(each -> each.path("type").asText())
          .containsExactly("range_start", "range_start", "range_end", "range_end");
      assertThat(failing(records))
          .containsExactlyInAnyOrder("holding_a 1 missing", "holding_b 2 missing");
    } finally {
      holder.close();
      session.stop();
    }
  }

  @Test
  void tablesAreDividedAmongTasks() throws Exception {
    Set<String> tables = new TreeSet<>();
    for (int i = 0; i < 8; i++) {
      table("part_" + i, 5);
      tables.add("part_" + i);
    }
    Map<String, String> settings = settings("divided", "part_.");
    settings.put("verify.range.on.resume", "true");
    Map<String, Set<String>> byRun = new HashMap<>();
    SinkSession first = session(SinkSettings.forTask(settings, 0, 2), KEYS);
    SinkSession second = session(SinkSettings.forTask(settings, 1, 2));
    try {
      for (JsonNode end :
          Pipeline.ofType(
              until(first, "divided", all -> Pipeline.ofType(all, "range_end").size() >= 8),
              "range_end")) {
        assertThat(
                byRun
                    .computeIfAbsent(end.path("run_id").asText(), run -> new TreeSet<>())
                    .add(end.at("/table/name").asText()))
            .isTrue();
      }
    } finally {
      first.stop();
      second.stop();
    }
    assertThat(byRun).hasSize(2);
    Set<String> all = new HashSet<>();
    byRun.values().forEach(part -> assertThat(all.addAll(part)).isTrue());
    assertThat(all).isEqualTo(tables);
    assertThat(byRun.values().stream().mapToInt(Set::size).sum()).isEqualTo(8);
  }
}
