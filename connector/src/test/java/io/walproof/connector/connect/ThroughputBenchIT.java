package io.walproof.connector.connect;

import static org.assertj.core.api.Assertions.assertThat;

import io.debezium.connector.postgresql.PostgresConnector;
import io.walproof.cluster.ConnectWorker;
import io.walproof.cluster.KafkaBroker;
import io.walproof.cluster.TopicReader;
import io.walproof.cluster.WorkerSettings;
import io.walproof.connector.engine.Servers;
import java.lang.management.ManagementFactory;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * How fast a backlog is worked off on one worker: the plain Debezium connector, and this one with
 * keys and with rows, in turns. The rate is over the time between the first and the last record, so
 * that starts do not count. Takes minutes; run it with {@code -Dwalproof.bench=true}.
 */
@EnabledIfSystemProperty(named = "walproof.bench", matches = "true")
class ThroughputBenchIT {

  private static final int ROWS = Integer.getInteger("walproof.bench.rows", 200_000);
  private static final int ROUNDS = Integer.getInteger("walproof.bench.rounds", 3);
  private static final String SCHEMAS = System.getProperty("walproof.bench.schemas", "false");

  @Test
  void aBacklogIsWorkedOffAsFastAsByThePlainConnector() throws Exception {
    Map<String, List<Double>> rates = new LinkedHashMap<>();
    Map<String, List<Double>> costs = new LinkedHashMap<>();
    try (KafkaBroker broker = KafkaBroker.embedded();
        ConnectWorker worker =
            new WorkerSettings(broker.bootstrapServers())
                .setting("key.converter.schemas.enable", SCHEMAS)
                .setting("value.converter.schemas.enable", SCHEMAS)
                .embedded()) {
      // The first round warms up.
      for (int round = 0; round <= ROUNDS; round++) {
        for (String kind : List.of("plain", "keys", "rows")) {
          Measured measured = measure(broker, worker, kind);
          if (round > 0) {
            rates.computeIfAbsent(kind, any -> new ArrayList<>()).add(measured.rate());
            costs.computeIfAbsent(kind, any -> new ArrayList<>()).add(measured.cost());
          }
        }
      }
    }
    rates.forEach(
        (kind, measured) ->
            System.out.printf(
                "%s: median %.0f records/s, all %s; CPU median %.1f us a record%n",
                kind,
                median(measured),
                measured.stream().map(Math::round).toList(),
                median(costs.get(kind))));
    double plain = median(rates.get("plain"));
    System.out.printf(
        "keys/plain %.2f, rows/plain %.2f%n",
        median(rates.get("keys")) / plain, median(rates.get("rows")) / plain);
    assertThat(median(rates.get("keys")) / plain).isGreaterThanOrEqualTo(0.9);
  }

  /**
   * One run.
   *
   * @param rate records a second
   * @param cost CPU time of this JVM, broker and worker together, in microseconds a record
   */
  private record Measured(double rate, double cost) {}

  private static long cpuNanos() {
    return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  private static Measured measure(KafkaBroker broker, ConnectWorker worker, String kind)
      throws SQLException {
    try (Deployment it =
        new Deployment(Servers.newest(), broker.bootstrapServers(), worker.rest())) {
      it.sql("CREATE TABLE t (id bigint PRIMARY KEY, a text, b numeric(12,2), c timestamptz)");
      it.config.keySet().removeAll(List.of("poll.interval.ms", "heartbeat.interval.ms"));
      if (kind.equals("plain")) {
        it.config.keySet().removeIf(key -> key.startsWith("feed."));
        it.with("connector.class", PostgresConnector.class.getName());
        it.with("plugin.name", "pgoutput").with("snapshot.mode", "no_data");
      } else {
        it.with("feed.values", kind);
      }
      it.deploy();
      it.stop();
      it.until(() -> "false".equals(it.slot("active::text")));
      backlog(it);
      long cpu = cpuNanos();
      it.resume();
      try (TopicReader reader = new TopicReader(broker.bootstrapServers(), it.name + ".public.t")) {
        List<ConsumerRecord<byte[], byte[]>> records =
            reader.readUntil("the backlog", Deployment.PATIENCE, read -> read.size() >= ROWS);
        long first = records.stream().mapToLong(ConsumerRecord::timestamp).min().orElseThrow();
        long last = records.stream().mapToLong(ConsumerRecord::timestamp).max().orElseThrow();
        double cost = (cpuNanos() - cpu) / 1000.0 / records.size();
        return new Measured(records.size() * 1000.0 / (last - first), cost);
      }
    }
  }

  private static void backlog(Deployment it) throws SQLException {
    try (Connection connection = it.server.connect(it.database);
        Statement statement = connection.createStatement()) {
      for (int from = 1; from <= ROWS; from += 1000) {
        statement.execute(
            "INSERT INTO t SELECT i, repeat('x', 60), i / 7.0, now() FROM generate_series("
                + from
                + ", "
                + (from + 999)
                + ") i");
      }
    }
  }

  private static double median(List<Double> values) {
    List<Double> sorted = new ArrayList<>(values);
    Collections.sort(sorted);
    return sorted.get(sorted.size() / 2);
  }
}
