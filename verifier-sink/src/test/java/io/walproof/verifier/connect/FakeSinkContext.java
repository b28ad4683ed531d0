package io.walproof.verifier.connect;

import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.metrics.PluginMetrics;
import org.apache.kafka.connect.sink.ErrantRecordReporter;
import org.apache.kafka.connect.sink.SinkRecord;
import org.apache.kafka.connect.sink.SinkTaskContext;

/** A worker as a task sees it: what it was asked is kept. */
final class FakeSinkContext implements SinkTaskContext {

  final Set<TopicPartition> assigned = new HashSet<>();
  final Set<TopicPartition> paused = new HashSet<>();
  final List<SinkRecord> reported = new CopyOnWriteArrayList<>();
  boolean tolerates;
  long timeout = -1;

  @Override
  public Map<String, String> configs() {
    return Map.of();
  }

  @Override
  public void offset(Map<TopicPartition, Long> offsets) {
    throw new UnsupportedOperationException("the task never moves its offsets");
  }

  @Override
  public void offset(TopicPartition partition, long offset) {
    offset(new HashMap<>(Map.of(partition, offset)));
  }

  @Override
  public void timeout(long millis) {
    timeout = millis;
  }

  @Override
  public Set<TopicPartition> assignment() {
    return Set.copyOf(assigned);
  }

  @Override
  public void pause(TopicPartition... partitions) {
    paused.addAll(Arrays.asList(partitions));
  }

  @Override
  public void resume(TopicPartition... partitions) {
    Arrays.asList(partitions).forEach(paused::remove);
  }

  @Override
  public void requestCommit() {}

  @Override
  public ErrantRecordReporter errantRecordReporter() {
    return tolerates
        ? (record, error) -> {
          reported.add(record);
          return CompletableFuture.completedFuture(null);
        }
        : null;
  }

  /** As on a worker before 4.1, so that the gauges go to JMX. */
  @Override
  public PluginMetrics pluginMetrics() {
    throw new NoSuchMethodError("pluginMetrics");
  }
}
