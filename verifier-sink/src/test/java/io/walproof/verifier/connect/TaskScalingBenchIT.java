package io.walproof.verifier.connect;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.walproof.cluster.EmbeddedBroker;
import io.walproof.cluster.EmbeddedWorker;
import io.walproof.cluster.KafkaBroker;
import io.walproof.cluster.TopicReader;
import io.walproof.cluster.WorkerSettings;
import io.walproof.embedded.ReplicatedPair;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * How fast sinks with one, two and four tasks check the same backlog of a topic with four
 * partitions, in turns. The rate is over the time from the first summary that counts a key to the
 * one that has as many as there are, so that starts do not count; what tasks that join later make
 * others check again counts as what it is, a check. Servers, broker and tasks share the machine's
 * processors: where there are two, more tasks can gain little, and must lose little. Takes minutes;
 * run it with {@code -Dwalproof.bench=true}.
 */
@EnabledIfSystemProperty(named = "walproof.bench", matches = "true")
class TaskScalingBenchIT {

  private static final int ROWS = Integer.getInteger("walproof.bench.rows", 200_000);
  private static final int ROUNDS = Integer.getInteger("walproof.bench.rounds", 3);
  private static final double LEAST = 0.8;

  /** The rate of several tasks over one. */
  @Test
  void moreTasksAreNoSlower() throws Exception {
    Map<Integer, List<Double>> rates = new TreeMap<>();
    try (ReplicatedPair pair = ReplicatedPair.start(17);
        EmbeddedBroker broker =
            KafkaBroker.embedded(
                Map.of("num.partitions", "4", "group.initial.rebalance.delay.ms", "0"));
        EmbeddedWorker worker = new WorkerSettings(broker.bootstrapServers()).embedded()) {
      pair.onBoth(
          "CREATE TABLE orders (id int PRIMARY KEY, total numeric(10,2), note text)",
          "INSERT INTO orders SELECT g, g, 'note of ' || g FROM generate_series(1, "
              + ROWS
              + ") AS g");
      Pipeline.deploy(worker.rest(), Pipeline.SOURCE, Pipeline.source(pair, "scaling"), 1);
      for (int from = 0; from < ROWS; from += 1_000) {
        // The rows stay what they are: every check finds them equal.
        pair.onSource(
            "UPDATE orders SET total = total WHERE id > " + from + " AND id <= " + (from + 1_000));
      }
      try (TopicReader reader = new TopicReader(broker.bootstrapServers(), "plain.public.orders")) {
        reader.readUntil("the backlog", Pipeline.PATIENCE, records -> records.size() >= ROWS);
      }
      // The first round warms up.
      for (int round = 0; round <= ROUNDS; round++) {
        for (int tasks : new int[] {1, 2, 4}) {
          double rate = rate(pair, broker, worker, tasks, "verdicts-" + round + "-" + tasks);
          if (round > 0) {
            rates.computeIfAbsent(tasks, any -> new ArrayList<>()).add(rate);
          }
        }
      }
    }
    double one = median(rates.get(1));
    rates.forEach(
        (tasks, measured) ->
            System.out.printf(
                "tasks.max=%d: median %.0f keys/s, %.2f of one task's, all %s%n",
                tasks,
                median(measured),
                median(measured) / one,
                measured.stream().map(Math::round).toList()));
    assertThat(median(rates.get(2)) / one).isGreaterThanOrEqualTo(LEAST);
    assertThat(median(rates.get(4)) / one).isGreaterThanOrEqualTo(LEAST);
  }

  private static double rate(
      ReplicatedPair pair, EmbeddedBroker broker, EmbeddedWorker worker, int tasks, String name) {
    Map<String, String> config = new HashMap<>(Pipeline.sink(pair, broker, name));
    config.remove("topics.regex");
    config.put("topics", "plain.public.orders");
    config.put("verify.replay.confirmation", "none");
    config.put("verify.settle.ms", "0");
    config.put("verify.summary.interval.ms", "100");
    Pipeline.deploy(worker.rest(), name, config, tasks);
    try (TopicReader reader = new TopicReader(broker.bootstrapServers(), name)) {
      List<ConsumerRecord<byte[], byte[]>> records =
          reader.readUntil("all keys", Pipeline.PATIENCE, read -> matched(read).lastKey() >= ROWS);
      NavigableMap<Long, Long> progress = matched(records);
      Map.Entry<Long, Long> first = progress.firstEntry();
      Map.Entry<Long, Long> last = progress.lastEntry();
      assertThat(last.getValue()).as("time of the last summary").isGreaterThan(first.getValue());
      return (last.getKey() - first.getKey()) * 1000.0 / (last.getValue() - first.getValue());
    } finally {
      worker.rest().delete(name);
    }
  }

  /**
   * When so many checks were first told of by all tasks together, in milliseconds; at least none.
   */
  private static NavigableMap<Long, Long> matched(List<ConsumerRecord<byte[], byte[]>> records) {
    Map<String, Long> byTask = new HashMap<>();
    NavigableMap<Long, Long> progress = new TreeMap<>(Map.of(0L, 0L));
    for (ConsumerRecord<byte[], byte[]> record : records) {
      JsonNode json = Pipeline.json(record.value());
      long matched = json.at("/coverage/outcomes/matched").asLong();
      if (json.path("type").asText().equals("summary") && matched > 0) {
        byTask.merge(json.path("run_id").asText(), matched, Math::max);
        long sum = byTask.values().stream().mapToLong(Long::longValue).sum();
        progress.putIfAbsent(sum, record.timestamp());
      }
    }
    if (progress.size() > 1) {
      progress.remove(0L);
    }
    return progress;
  }

  private static double median(List<Double> values) {
    List<Double> sorted = new ArrayList<>(values);
    Collections.sort(sorted);
    return sorted.get(sorted.size() / 2);
  }
}
