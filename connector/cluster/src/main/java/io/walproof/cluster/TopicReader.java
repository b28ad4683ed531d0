package io.walproof.cluster;

import io.walproof.contract.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Reads one topic from its start, outside any group, committed records only. The topic need not
 * exist yet, and never is created by reading. What was read stays here. Not thread-safe.
 */
public final class TopicReader implements AutoCloseable {

  private static final Duration POLL = Duration.ofMillis(100);

  private final String topic;
  private final KafkaConsumer<byte[], byte[]> consumer;
  private final List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();

  /** Opens a reader; nothing is read yet. */
  public TopicReader(String bootstrapServers, String topic) {
    this.topic = topic;
    Map<String, Object> config = new HashMap<>();
    config.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
    config.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    config.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    config.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    config.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    config.put(ConsumerConfig.METADATA_MAX_AGE_CONFIG, 1000);
    // A broker answers requests in order: behind a fetch that waits, the ends would wait with it.
    config.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, 20);
    config.put(ConsumerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG, 500);
    consumer =
        new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  /** Everything read so far, by partition in order. */
  public List<ConsumerRecord<byte[], byte[]>> records() {
    return List.copyOf(records);
  }

  /** Reads up to the ends that the partitions have now, and returns everything read so far. */
  public List<ConsumerRecord<byte[], byte[]>> readToEnd() {
    if (assign()) {
      Map<TopicPartition, Long> ends = consumer.endOffsets(consumer.assignment());
      Waiting.until(
          "the end of " + topic,
          () -> {
            consumer.poll(POLL).forEach(records::add);
            return ends.entrySet().stream()
                .allMatch(end -> consumer.position(end.getKey()) >= end.getValue());
          },
          () -> records.size() + " records read");
    }
    return records();
  }

  /**
   * Reads until the records fulfil the condition.
   *
   * @throws IllegalStateException if they do not within the bound
   */
  public List<ConsumerRecord<byte[], byte[]>> readUntil(
      String what, Duration bound, Predicate<List<ConsumerRecord<byte[], byte[]>>> condition) {
    Time time = Time.system();
    long end = time.nanoTime() + bound.toNanos();
    int tested = -1;
    while (true) {
      // Conditions look at everything: only when there is something new.
      if (records.size() != tested) {
        tested = records.size();
        if (condition.test(records())) {
          return records();
        }
      }
      if (time.nanoTime() - end > 0) {
        throw new IllegalStateException(
            "waited "
                + bound.toSeconds()
                + " s for "
                + what
                + "; "
                + topic
                + " has "
                + records.size()
                + " records");
      }
      if (assign()) {
        consumer.poll(POLL).forEach(records::add);
      } else {
        pauseBriefly(time);
      }
    }
  }

  @Override
  public void close() {
    consumer.close();
  }

  /** Takes all partitions that there are, also those added meanwhile; false without a topic. */
  private boolean assign() {
    List<PartitionInfo> partitions = consumer.partitionsFor(topic);
    List<TopicPartition> all = new ArrayList<>();
    if (partitions != null) {
      partitions.forEach(each -> all.add(new TopicPartition(topic, each.partition())));
    }
    if (!Set.copyOf(all).equals(consumer.assignment())) {
      consumer.assign(all);
    }
    return !all.isEmpty();
  }

  private static void pauseBriefly(Time time) {
    try {
      time.sleep(POLL);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while reading a topic", e);
    }
  }
}
