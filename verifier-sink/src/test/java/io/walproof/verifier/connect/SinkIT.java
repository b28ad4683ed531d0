package io.walproof.verifier.connect;

import static io.walproof.verifier.connect.Pipeline.PATIENCE;
import static io.walproof.verifier.connect.Pipeline.SINK;
import static io.walproof.verifier.connect.Pipeline.SOURCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.fasterxml.jackson.databind.JsonNode;
import io.walproof.cluster.ConnectRest;
import io.walproof.cluster.EmbeddedBroker;
import io.walproof.cluster.EmbeddedWorker;
import io.walproof.cluster.KafkaBroker;
import io.walproof.cluster.TopicReader;
import io.walproof.cluster.WorkerSettings;
import io.walproof.contract.TableId;
import io.walproof.contract.Time;
import io.walproof.embedded.ReplicatedPair;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigValue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** The sink on a real worker, fed by a real Debezium connector, both databases real. */
class SinkIT {

  private static ReplicatedPair pair;
  private static EmbeddedBroker broker;
  private static EmbeddedWorker worker;
  private static ConnectRest rest;

  @BeforeAll
  static void start() throws Exception {
    pair = ReplicatedPair.start(17);
    pair.onBoth("CREATE TABLE orders (id int PRIMARY KEY, total numeric(10,2))");
    pair.join();
    broker =
        KafkaBroker.embedded(
            Map.of("num.partitions", "4", "group.initial.rebalance.delay.ms", "0"));
    worker = new WorkerSettings(broker.bootstrapServers()).embedded();
    rest = worker.rest();
    Pipeline.deploy(rest, SOURCE, Pipeline.source(pair, "debezium"), 1);
  }

  @AfterAll
  static void stop() throws Exception {
    try (ReplicatedPair databases = pair;
        EmbeddedBroker kafka = broker;
        EmbeddedWorker connect = worker) {
      assertThat(databases).isNotNull();
      assertThat(kafka).isNotNull();
      assertThat(connect).isNotNull();
    }
  }

  @AfterEach
  void deleteSink() {
    if (rest.connectors().contains(SINK)) {
      rest.delete(SINK);
      await().atMost(PATIENCE).until(() -> !rest.connectors().contains(SINK));
    }
  }

  /** V12 on the topic: what the summary counts is what was published. */
  @Test
  void verdictsAndSummariesAreOnTheTopic() throws Exception {
    Pipeline.deploy(rest, SINK, Pipeline.sink(pair, broker, "verdicts"), 1);
    pair.onSource("INSERT INTO orders SELECT g, g FROM generate_series(1, 500) AS g");
    pair.awaitApplied();
    pair.onTarget("UPDATE orders SET total = 0 WHERE id = 7", "DELETE FROM orders WHERE id = 8");
    // Touched again, so that their checks begin after the injection.
    pair.onSource(
        "INSERT INTO orders VALUES (501, 1)", "BEGIN; DELETE FROM orders WHERE id = 9; COMMIT");
    pair.pauseApplier();
    pair.onSource("UPDATE orders SET total = 1.5 WHERE id IN (7, 8)");
    pair.resumeApplier();
    try (TopicReader reader = new TopicReader(broker.bootstrapServers(), "verdicts")) {
      List<JsonNode> records =
          Pipeline.await(
              reader,
              "a summary of everything, key 8 decided among it",
              all -> endsWithSummaryOf(504, all) && unresolved(all, 8).isPresent());
      JsonNode start = records.get(0);
      assertThat(start.path("type").asText()).isEqualTo("run_start");
      assertThat(start.path("confirmation").asText()).isEqualTo("subscription");
      assertThat(start.at("/scope/topics.regex").asText()).contains("plain");
      // A topic that is new to the regular expression moves the partitions, which decides the
      // pending keys as incomplete and delivers them again.
      assertThat(Pipeline.decisions(records, 8))
          .filteredOn(each -> !each.path("reason").asText().equals("partition_revoked"))
          .extracting(each -> each.path("outcome").asText() + "_" + each.path("kind").asText())
          .containsOnly("unresolved_missing");
      List<JsonNode> summaries = Pipeline.ofType(records, "summary");
      summaries.forEach(SinkIT::addsUp);
      assertThat(counted(records)).isEqualTo(published(records));
      chained(records);
    }
    rest.delete(SINK);
    try (TopicReader reader = new TopicReader(broker.bootstrapServers(), "verdicts")) {
      List<JsonNode> records =
          Pipeline.await(
              reader, "the run's end", all -> !Pipeline.ofType(all, "run_end").isEmpty());
      assertThat(last(records).path("reason").asText()).isEqualTo("stopped");
    }
  }

  /** Every mismatch reaches a verdict, by one task or the other, and what is told twice says so. */
  @Test
  void aRebalanceInTheMiddleOfADeferralLosesNothing() throws Exception {
    Map<String, String> config = new HashMap<>(Pipeline.sink(pair, broker, "rebalanced"));
    config.put("verify.recheck.delay.ms", "4000");
    Pipeline.deploy(rest, SINK, config, 2);
    pair.onSource("INSERT INTO orders SELECT g, g FROM generate_series(1001, 1100) AS g");
    pair.awaitApplied();
    // The applier passes over updates of rows that it does not find.
    pair.onTarget("DELETE FROM orders WHERE id BETWEEN 1001 AND 1100");
    pair.onSource("UPDATE orders SET total = -1 WHERE id BETWEEN 1001 AND 1100");
    try (TopicReader reader = new TopicReader(broker.bootstrapServers(), "rebalanced")) {
      Pipeline.await(
          reader, "observations", all -> Pipeline.ofType(all, "observation").size() >= 40);
      Pipeline.deploy(rest, SINK, config, 1);
      List<JsonNode> records =
          Pipeline.await(
              reader,
              "verdicts of all",
              all -> {
                Set<String> judged = new HashSet<>();
                Pipeline.ofType(all, "decision").stream()
                    .filter(d -> d.path("outcome").asText().equals("unresolved"))
                    .forEach(d -> judged.add(d.at("/key/id").asText()));
                return judged.size() >= 100;
              });
      List<JsonNode> revoked =
          Pipeline.ofType(records, "decision").stream()
              .filter(d -> d.path("reason").asText().equals("partition_revoked"))
              .toList();
      assertThat(revoked).isNotEmpty();
      Set<String> runs = new HashSet<>();
      records.forEach(each -> runs.add(each.path("run_id").asText()));
      assertThat(runs).hasSize(3);
      for (String run : runs) {
        List<JsonNode> ofRun =
            records.stream().filter(each -> each.path("run_id").asText().equals(run)).toList();
        Pipeline.ofType(ofRun, "summary").forEach(SinkIT::addsUp);
        chained(ofRun);
      }
    }
  }

  /** Names that differ on the target are refused where they do not fit, and used where they do. */
  @Test
  void theTargetMayHaveOtherNames() throws Exception {
    pair.onTarget(
        "CREATE SCHEMA dwh",
        "CREATE TABLE dwh.orders_v2 (no int PRIMARY KEY, amount numeric(10,2))",
        "INSERT INTO dwh.orders_v2 VALUES (9001, 1.5), (9002, 9)");
    Map<String, String> config = new HashMap<>(Pipeline.sink(pair, broker, "renamed"));
    config.put("verify.replay.confirmation", "none");
    config.put("verify.table.mapping", "public.orders:dwh.orders_v2");
    config.put("verify.column.mapping", "public.orders.id:no,public.orders.total:amonut");
    assertThat(errors(config))
        .isEqualTo(
            Map.of(
                "verify.column.mapping",
                List.of(
                    "verify.column.mapping names a column that the target does not have:"
                        + " dwh.orders_v2.amonut. Mend or remove it there.")));
    config.put("verify.column.mapping", "public.orders.id:no,public.orders.total:amount");
    assertThat(errors(config)).isEmpty();

    Pipeline.deploy(rest, SINK, config, 1);
    pair.onSource("INSERT INTO orders VALUES (9001, 1.5), (9002, 1.5), (9003, 1.5)");
    try (TopicReader reader = new TopicReader(broker.bootstrapServers(), "renamed")) {
      List<JsonNode> records =
          Pipeline.await(
              reader,
              "two failures",
              all -> unresolved(all, 9002).isPresent() && unresolved(all, 9003).isPresent());
      assertThat(records.get(0).at("/scope/verify.table.mapping").asText())
          .isEqualTo("public.orders:dwh.orders_v2");
      JsonNode different = unresolved(records, 9002).orElseThrow();
      assertThat(different.at("/table/schema").asText() + different.at("/table/name").asText())
          .isEqualTo("publicorders");
      assertThat(different.path("kind").asText()).isEqualTo("different");
      assertThat(different.at("/columns/0").asText()).isEqualTo("total");
      assertThat(unresolved(records, 9003).orElseThrow().path("kind").asText())
          .isEqualTo("missing");
      assertThat(records)
          .filteredOn(each -> !each.path("reason").asText().equals("partition_revoked"))
          .noneMatch(each -> each.at("/key/id").asText().equals("9001"));
    }
  }

  /** What a task would refuse is refused when the connector is configured, field by field. */
  @Test
  void validationLooksAtColumnsAndReplay() throws Exception {
    Map<String, String> config = new HashMap<>(Pipeline.sink(pair, broker, "validated"));
    assertThat(errors(config)).isEmpty();
    config.put("verify.columns.exclude", "public.orders.nothing");
    config.put("verify.column.rules", "public.orders.total=exact_text");
    config.put("verify.replay.confirmation", "standby");
    Map<String, List<String>> errors = errors(config);
    assertThat(errors).containsOnlyKeys("verify.columns.exclude", "verify.replay.confirmation");
    assertThat(errors.get("verify.columns.exclude").get(0)).contains("public.orders.nothing");
    assertThat(errors.get("verify.replay.confirmation").get(0))
        .contains("the target is no standby", "marker_table");
    config.remove("verify.columns.exclude");
    config.put("verify.column.rules", "public.orders.total=json_as_jsonb");
    config.put("verify.replay.confirmation", "subscription");
    config.put("verify.replay.subscription", "nowhere");
    errors = errors(config);
    assertThat(errors).containsOnlyKeys("verify.column.rules", "verify.replay.confirmation");
    assertThat(errors.get("verify.column.rules").get(0)).contains("json_as_jsonb", "numeric");
    assertThat(errors.get("verify.replay.confirmation").get(0)).contains("nowhere");
    config.put("name", SINK);
    JsonNode answer = rest.validate("io.walproof.verifier.VerifierSinkConnector", config);
    assertThat(answer.path("error_count").asInt()).isEqualTo(2);
  }

  /** What would leave keys undecided though tasks start is in the log, before the first key. */
  @Test
  void validationWarnsOfWhatTasksWouldComeUpon() throws Exception {
    pair.onBoth("CREATE TABLE seen_well (id int PRIMARY KEY)");
    pair.onSource(
        "CREATE TABLE seen_gone (id int PRIMARY KEY)",
        "CREATE TABLE seen_bare (id int)",
        "CREATE TABLE seen_other (id int PRIMARY KEY)");
    pair.onTarget("CREATE TABLE seen_bare (id int)");
    Map<String, String> config = new HashMap<>(Pipeline.sink(pair, broker, "seen"));
    config.put("topics", "seen.public.seen_well,seen.public.seen_gone,seen.public.seen_bare");
    config.remove("topics.regex");
    ListAppender<ILoggingEvent> said = new ListAppender<>();
    Logger logger = (Logger) LoggerFactory.getLogger(Outlook.class);
    said.start();
    logger.addAppender(said);
    try {
      assertThat(errors(config)).isEmpty();
    } finally {
      logger.detachAppender(said);
      // The subscription is of all tables, and wants each on the target when it is refreshed.
      pair.onSource("DROP TABLE seen_gone, seen_other");
    }
    assertThat(said.list.stream().map(ILoggingEvent::getFormattedMessage))
        .anyMatch(
            text -> text.contains("table comparison: the target has no table public.seen_gone"))
        .anyMatch(
            text -> text.contains("keys: without a primary key") && text.contains("seen_bare"))
        .noneMatch(text -> text.contains("seen_well"))
        .noneMatch(text -> text.contains("seen_other"));
  }

  private static Map<String, List<String>> errors(Map<String, String> config) {
    Map<String, String> named = new HashMap<>(config);
    named.put("name", SINK);
    Map<String, List<String>> errors = new TreeMap<>();
    for (ConfigValue field : SinkValidation.validate(named, Time.system()).configValues()) {
      if (!field.errorMessages().isEmpty()) {
        errors.put(field.name(), field.errorMessages());
      }
    }
    return errors;
  }

  /** What a Debezium connector's offsets claim, on workers that come and go. */
  @Test
  void rangeChecksRunOnAWorkerAndEndWithTheirTasks() throws Exception {
    for (String table : List.of("claimed_a", "claimed_b", "claimed_c")) {
      pair.onBoth("CREATE TABLE " + table + " (id int PRIMARY KEY, total int)");
    }
    pair.refresh();
    for (String table : List.of("claimed_a", "claimed_b", "claimed_c")) {
      pair.onSource("INSERT INTO " + table + " SELECT g, g FROM generate_series(1, 50) AS g");
    }
    pair.awaitApplied();
    pair.onTarget("DELETE FROM claimed_b WHERE id = 3");
    Map<String, String> config = new HashMap<>(Pipeline.sink(pair, broker, "ranged"));
    config.put("verify.range.on.resume", "true");
    config.put("verify.range.retry.ms", "500");
    config.put("verify.range.table.include.list", "public\\.claimed_.");
    config.put("verify.range.claim.url", "http://" + worker.workerId() + "/connectors/" + SOURCE);
    // An offset does not show it once the connector streams.
    config.put("verify.range.claim.initial.snapshot", "true");
    Pipeline.deploy(rest, SINK, config, 2);
    try (TopicReader reader = new TopicReader(broker.bootstrapServers(), "ranged")) {
      List<JsonNode> records =
          Pipeline.await(
              reader, "range checks", all -> Pipeline.ofType(all, "range_end").size() == 3);
      assertThat(Pipeline.ofType(records, "range_start"))
          .allMatch(each -> each.path("origin").asText().equals("snapshot_completed"));
      assertThat(Pipeline.ofType(records, "range_end"))
          .extracting(each -> each.at("/table/name").asText() + each.path("outcome").asText())
          .containsExactlyInAnyOrder("claimed_aproved", "claimed_bfailed", "claimed_cproved");
      assertThat(Pipeline.ofType(records, "decision"))
          .filteredOn(each -> each.path("stratum").asText().equals("range"))
          .extracting(each -> each.at("/key/id").asText() + each.path("kind").asText())
          .containsExactly("3missing");
    }
    // One task less, which is stopped with its check under way.
    try (Connection holder = pair.target().connect(ReplicatedPair.DATABASE);
        Statement statement = holder.createStatement()) {
      holder.setAutoCommit(false);
      statement.execute("LOCK TABLE claimed_a, claimed_b, claimed_c IN ACCESS EXCLUSIVE MODE");
      Pipeline.deploy(rest, SINK, config, 1);
      await().atMost(PATIENCE).until(() -> statements("wait_event_type = 'Lock'") == 1);
      rest.delete(SINK);
      await().atMost(PATIENCE).until(() -> statements("state <> 'idle'") == 0);
    }
  }

  /** Statements on the target whose rows are held. */
  private static long statements(String condition) throws Exception {
    try (Connection connection = pair.target().connect(ReplicatedPair.DATABASE);
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'walproof' AND "
                    + condition)) {
      rows.next();
      return rows.getLong(1);
    }
  }

  /** Nothing is lost, and the task lives, while the broker is away for less than the timeout. */
  @Test
  void anOutageOfTheBrokerIsWaitedFor() throws Exception {
    pair.onSource("INSERT INTO orders SELECT g, g FROM generate_series(2001, 2100) AS g");
    pair.awaitApplied();
    pair.onTarget("DELETE FROM orders WHERE id BETWEEN 2001 AND 2100");
    pair.pauseApplier();
    pair.onSource("UPDATE orders SET total = 5 WHERE id BETWEEN 2001 AND 2100");
    // Only now, so that no key is first read ahead of its update and ends as stalled.
    Pipeline.deploy(rest, SINK, Pipeline.sink(pair, broker, "outage"), 1);
    try (TopicReader reader = new TopicReader(broker.bootstrapServers(), "outage")) {
      Pipeline.await(
          reader, "observations", all -> Pipeline.ofType(all, "observation").size() >= 100);
    }
    broker.stop();
    pair.resumeApplier();
    pair.awaitApplied();
    broker.start();
    try (TopicReader reader = new TopicReader(broker.bootstrapServers(), "outage")) {
      List<JsonNode> records =
          Pipeline.await(
              reader,
              "all verdicts",
              all -> {
                Set<String> judged = new HashSet<>();
                Pipeline.ofType(all, "decision").forEach(d -> judged.add(d.at("/key/id").asText()));
                return judged.size() >= 100;
              });
      assertThat(Pipeline.ofType(records, "decision"))
          .filteredOn(d -> d.path("outcome").asText().equals("unresolved"))
          .allMatch(d -> d.path("kind").asText().equals("missing"));
    }
    rest.awaitRunning(SINK, 1);
  }

  /** What is known of it is named as not judged; what comes after it is checked as ever. */
  @Test
  void aTopicThatIsDeletedLeavesItsKeysUnjudgedByName() throws Exception {
    pair.onBoth("CREATE TABLE deleted (id int PRIMARY KEY, total int)");
    pair.refresh();
    Map<String, String> config = new HashMap<>(Pipeline.sink(pair, broker, "undone"));
    config.put("topics.regex", "plain\\.public\\.deleted");
    config.put("verify.recheck.delay.ms", "5000");
    pair.pauseApplier();
    pair.onSource("INSERT INTO deleted SELECT g, g FROM generate_series(1, 20) AS g");
    Pipeline.deploy(rest, SINK, config, 1);
    try (TopicReader reader = new TopicReader(broker.bootstrapServers(), "undone");
        Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()))) {
      Pipeline.await(reader, "all on hold", all -> ids(all, "observation").size() == 20);
      admin.deleteTopics(List.of("plain.public.deleted")).all().get();
      List<JsonNode> records =
          Pipeline.await(reader, "what becomes of them", all -> ids(all, "decision").size() == 20);
      assertThat(Pipeline.ofType(records, "decision"))
          .allMatch(d -> d.path("reason").asText().equals("partition_revoked"));
      pair.onSource("INSERT INTO deleted SELECT g, g FROM generate_series(21, 40) AS g");
      Pipeline.await(reader, "the new ones on hold", all -> ids(all, "observation").size() == 40);
      pair.resumeApplier();
      Pipeline.await(reader, "their verdicts", all -> ids(all, "decision").size() == 40);
      assertThat(Pipeline.ofType(Pipeline.json(reader.records()), "decision"))
          .filteredOn(d -> d.at("/key/id").asInt() > 20)
          .allMatch(d -> d.path("outcome").asText().equals("converged"));
    }
    rest.awaitRunning(SINK, 1);
  }

  private static Set<String> ids(List<JsonNode> records, String type) {
    Set<String> ids = new HashSet<>();
    Pipeline.ofType(records, type).forEach(each -> ids.add(each.at("/key/id").asText()));
    return ids;
  }

  /**
   * Policy dlq: diverted keys are not judged, the offset stays before them, and the fault among
   * them is found once their table's shape is accepted; another diverted table's keys stay as they
   * are.
   */
  @Test
  void divertedKeysAreCheckedOnceTheirShapeIsAccepted() throws Exception {
    TableId orders = new TableId("public", "orders");
    TableId other = new TableId("public", "a.b,\"c\"");
    Map<String, String> config = new HashMap<>(Pipeline.sink(pair, broker, "diverted"));
    config.put("topics.regex", "aside\\.dlq");
    config.put("value.converter.schemas.enable", "false");
    config.put("value.converter", "org.apache.kafka.connect.json.JsonConverter");
    pair.onSource("INSERT INTO orders SELECT g, g FROM generate_series(3001, 3010) AS g");
    pair.awaitApplied();
    pair.onTarget("DELETE FROM orders WHERE id = 3002");
    try (DivertedTopic topic = new DivertedTopic(broker.bootstrapServers(), "aside.dlq");
        TopicReader reader = new TopicReader(broker.bootstrapServers(), "diverted")) {
      topic.begin(orders);
      topic.key(orders, 3001);
      topic.begin(other);
      topic.key(other, 1);
      topic.key(orders, 3002);
      Pipeline.deploy(rest, SINK, config, 1);
      List<JsonNode> aside =
          Pipeline.await(reader, "keys set aside", all -> incomplete(all).size() == 3);
      assertThat(incomplete(aside))
          .allMatch(d -> d.path("reason").asText().equals("shape_not_accepted"));
      topic.accept(orders);
      topic.key(other, 2);
      List<JsonNode> found =
          Pipeline.await(
              reader,
              "the fault, and the rest set aside",
              all ->
                  Pipeline.decisions(all, 3002).stream()
                          .anyMatch(d -> d.path("outcome").asText().equals("unresolved"))
                      && incomplete(all).size() == 4);
      assertThat(incomplete(found)).filteredOn(d -> !table(d).equals("orders")).hasSize(2);
      Pipeline.await(reader, "both checked", all -> !matchedOnce(all).isEmpty());
      Pipeline.ofType(found, "summary").forEach(SinkIT::addsUp);
      assertThat(Pipeline.ofType(found, "drift")).as("nothing was lost").isEmpty();
      // The other table waits, so a task that begins anew meets all of it again.
      rest.delete(SINK);
      await().atMost(PATIENCE).until(() -> !rest.connectors().contains(SINK));
      assertThat(committed("aside.dlq")).isZero();
      topic.accept(other);
      Pipeline.deploy(rest, SINK, config, 1);
      await().atMost(PATIENCE).until(() -> committed("aside.dlq") == 8);
      List<JsonNode> end = Pipeline.json(reader.readToEnd());
      assertThat(Pipeline.ofType(end, "drift")).as("nothing was lost").isEmpty();
      assertThat(incomplete(end)).hasSizeGreaterThanOrEqualTo(8);
    }
  }

  private static List<JsonNode> incomplete(List<JsonNode> records) {
    return Pipeline.ofType(records, "decision").stream()
        .filter(d -> d.path("reason").asText().equals("shape_not_accepted"))
        .toList();
  }

  private static List<JsonNode> matchedOnce(List<JsonNode> records) {
    return Pipeline.ofType(records, "summary").stream()
        .filter(s -> s.at("/coverage/outcomes/matched").asLong() == 1)
        .toList();
  }

  private static String table(JsonNode decision) {
    return decision.at("/table/name").asText();
  }

  /** The sink's committed offset in partition 0; 0 where it has none. */
  private static long committed(String topic) throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()))) {
      OffsetAndMetadata offset =
          admin
              .listConsumerGroupOffsets("connect-" + SINK)
              .partitionsToOffsetAndMetadata()
              .get()
              .get(new TopicPartition(topic, 0));
      return offset == null ? 0 : offset.offset();
    }
  }

  /** Whether all records up to a summary are there, which leaves nothing pending. */
  private static boolean endsWithSummaryOf(long observed, List<JsonNode> records) {
    if (records.isEmpty()) {
      return false;
    }
    JsonNode newest = newest(records);
    return newest.path("seq").asLong() == records.size()
        && newest.path("type").asText().equals("summary")
        && newest.at("/coverage/observed").asLong() >= observed
        && newest.at("/coverage/pending").asLong() == 0;
  }

  private static Optional<JsonNode> unresolved(List<JsonNode> records, int id) {
    return Pipeline.decisions(records, id).stream()
        .filter(each -> each.path("outcome").asText().equals("unresolved"))
        .findFirst();
  }

  private static JsonNode newest(List<JsonNode> records) {
    return Collections.max(records, Comparator.comparing(each -> each.path("seq").asLong()));
  }

  private static JsonNode last(List<JsonNode> records) {
    return records.get(records.size() - 1);
  }

  /** Invariant I, and the tables add up to the total. */
  private static void addsUp(JsonNode summary) {
    JsonNode coverage = summary.path("coverage");
    long skipped = 0;
    for (JsonNode reason : coverage.path("skipped")) {
      skipped += reason.asLong();
    }
    assertThat(coverage.path("observed").asLong())
        .isEqualTo(
            coverage.path("checked").asLong()
                + coverage.path("coalesced").asLong()
                + skipped
                + coverage.path("pending").asLong());
    long tables = 0;
    for (JsonNode table : summary.path("tables")) {
      tables += table.at("/coverage/observed").asLong();
    }
    assertThat(tables).isEqualTo(coverage.path("observed").asLong());
  }

  /** Outcomes by the last summary; matches leave no record. */
  private static Map<String, Long> counted(List<JsonNode> records) {
    Map<String, Long> counted = new TreeMap<>();
    newest(Pipeline.ofType(records, "summary"))
        .at("/coverage/outcomes")
        .properties()
        .forEach(outcome -> counted.put(outcome.getKey(), outcome.getValue().asLong()));
    counted.remove("matched");
    return counted;
  }

  private static Map<String, Long> published(List<JsonNode> records) {
    Map<String, Long> published = new TreeMap<>();
    for (JsonNode decision : Pipeline.ofType(records, "decision")) {
      String outcome = decision.path("outcome").asText();
      String kind = decision.path("kind").asText();
      published.merge(kind.isEmpty() ? outcome : outcome + "_" + kind, 1L, Long::sum);
    }
    return published;
  }

  /** Numbered without gaps from 1, by run. */
  private static void chained(List<JsonNode> run) {
    List<Long> numbers = run.stream().map(each -> each.path("seq").asLong()).sorted().toList();
    for (int i = 0; i < numbers.size(); i++) {
      assertThat(numbers.get(i)).isEqualTo(i + 1);
    }
  }
}
