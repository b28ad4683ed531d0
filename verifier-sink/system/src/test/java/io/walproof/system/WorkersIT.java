package io.walproof.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.walproof.cluster.ClassPath;
import io.walproof.cluster.ConnectRest;
import io.walproof.cluster.KafkaBroker;
import io.walproof.cluster.PluginFolder;
import io.walproof.cluster.TopicReader;
import io.walproof.cluster.WorkerProcess;
import io.walproof.cluster.WorkerSettings;
import io.walproof.embedded.FreePort;
import io.walproof.embedded.PostgresServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The archives run on the workers of three Kafka releases, with the libraries of their times. */
class WorkersIT {

  private static final Duration BOUND = Duration.ofMinutes(2);
  private static final String CONNECTOR = "io.walproof.connector.PostgresDriftConnector";
  private static final String VERIFIER = "io.walproof.verifier.VerifierSinkConnector";

  private enum Release {
    KAFKA_3_9("io.walproof:*"),
    KAFKA_4_0("io.walproof:*"),
    KAFKA_4_3("kafka.connect:type=plugins,*");

    /** Where this worker shows a plugin's gauges. */
    private final String beans;

    Release(String beans) {
      this.beans = beans;
    }

    List<Path> classPath() {
      return switch (this) {
        case KAFKA_3_9 -> Delivered.worker("3.9");
        case KAFKA_4_0 -> Delivered.worker("4.0");
        case KAFKA_4_3 -> ClassPath.ofThisJvm();
      };
    }

    String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private static KafkaBroker broker;
  private static PostgresServer server;
  private static PluginFolder plugins;

  @BeforeAll
  static void start() {
    broker = KafkaBroker.embedded();
    server = PostgresServer.builder().start();
    plugins = new PluginFolder().unpack(Delivered.CONNECTOR).unpack(Delivered.VERIFIER);
  }

  @AfterAll
  static void stop() throws Exception {
    plugins.close();
    server.close();
    broker.close();
  }

  @ParameterizedTest
  @EnumSource(Release.class)
  void bothConnectorsRun(Release release) throws Exception {
    String database = release.word();
    for (String side : List.of(database, target(database))) {
      server.execute("postgres", "CREATE DATABASE " + side);
      server.execute(side, "CREATE TABLE orders (id bigint PRIMARY KEY, note text)");
    }
    int jmx = FreePort.next();
    int exporter = FreePort.next();
    WorkerSettings settings =
        new WorkerSettings(broker.bootstrapServers())
            .group(database)
            .pluginPath(plugins.path())
            .classPath(release.classPath());
    Jmx.arguments(jmx).forEach(settings::jvmArgument);
    settings.jvmArgument(Scrape.argument(exporter));
    try (WorkerProcess worker = settings.process();
        TopicReader keys = reader(database + ".public.orders");
        TopicReader verify = reader(database + ".verify")) {
      ConnectRest rest = worker.rest();
      assertThat(rest.plugins()).contains(CONNECTOR, VERIFIER);
      rest.deploy("source", source(database));
      rest.awaitRunning("source", 1);
      Slots.awaitActive(server, database);
      for (String side : List.of(target(database), database)) {
        server.execute(side, "INSERT INTO orders VALUES (1, 'one')");
      }
      keys.readUntil("a changed key", BOUND, read -> !read.isEmpty());
      rest.deploy("verifier", verifier(database));
      rest.awaitRunning("verifier", 1);
      verify.readUntil("a summary with the key", BOUND, WorkersIT::hasCheckedAKey);
      assertThat(JsonRecords.decisions(verify.readToEnd(), "unresolved")).isEmpty();
      assertThat(rest.status("source").isRunning(1)).isTrue();
      assertThat(rest.status("verifier").isRunning(1)).isTrue();

      Map<String, String> gauges = Jmx.described(jmx, release.beans);
      assertThat(gauges.keySet())
          .contains("changes-total", "slot-lag-bytes", "checked-total", "verdicts-total");
      assertThat(gauges.values()).allSatisfy(text -> assertThat(text).isNotBlank());
      prometheusGetsWhatARunShows(Scrape.of(exporter));
    }
  }

  /** Dashboard and alert rules, which are held against a run's metrics, work for a worker too. */
  private static void prometheusGetsWhatARunShows(Scrape scrape) throws Exception {
    assertThat(scrape.metrics()).isEqualTo(Scrape.reference());
    assertThat(scrape.lines())
        .contains(
            "# TYPE walproof_verifier_checked_total counter",
            "# TYPE walproof_verifier_replay_wait_seconds gauge")
        .anySatisfy(
            line ->
                assertThat(line)
                    .startsWith("walproof_verifier_checked_total{")
                    .contains("connector=\"verifier\"", "task=\"0\"", "stratum=\"cdc\"")
                    .endsWith(" 1.0"))
        .anySatisfy(
            line ->
                assertThat(line)
                    .startsWith("walproof_verifier_range_last_end_seconds{")
                    .endsWith(" 0.0"));
  }

  private static boolean hasCheckedAKey(List<ConsumerRecord<byte[], byte[]>> records) {
    return JsonRecords.values(records).stream()
        .anyMatch(
            each ->
                each.path("type").asText().equals("summary")
                    && each.at("/coverage/checked").asLong() == 1);
  }

  private static TopicReader reader(String topic) {
    return new TopicReader(broker.bootstrapServers(), topic);
  }

  /** The copy that the test writes by itself. */
  private static String target(String database) {
    return database + "_target";
  }

  private static Map<String, String> verifier(String database) {
    Map<String, String> config = new TreeMap<>();
    config.put("connector.class", VERIFIER);
    config.put("topics", database + ".public.orders");
    config.put("verify.source.jdbc.url", server.jdbcUrl(database));
    config.put("verify.source.user", PostgresServer.SUPERUSER);
    config.put("verify.target.jdbc.url", server.jdbcUrl(target(database)));
    config.put("verify.target.user", PostgresServer.SUPERUSER);
    config.put("verify.replay.confirmation", "none");
    config.put("verify.topic", database + ".verify");
    config.put("verify.topic.replication.factor", "1");
    config.put("verify.producer.bootstrap.servers", broker.bootstrapServers());
    config.put("verify.settle.ms", "500");
    // Their gauges are there from the start, and no check begins.
    config.put("verify.range.interval.ms", "86400000");
    config.put("verify.summary.interval.ms", "1000");
    return config;
  }

  private static Map<String, String> source(String database) {
    Map<String, String> config = new TreeMap<>();
    config.put("connector.class", CONNECTOR);
    config.put("topic.prefix", database);
    config.put("database.hostname", "127.0.0.1");
    config.put("database.port", Integer.toString(server.port()));
    config.put("database.dbname", database);
    config.put("database.user", PostgresServer.SUPERUSER);
    config.put("database.password", "unused");
    config.put("slot.name", database);
    config.put("publication.name", "walproof");
    config.put("table.include.list", "public\\.orders");
    return config;
  }
}
