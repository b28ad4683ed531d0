package io.walproof.standalone.topic;

import io.walproof.contract.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Reads topics from their beginning and goes on with what is added, outside any group and without
 * creating them. Owned by one thread.
 */
public final class TopicFollower implements AutoCloseable {

  private static final int REQUEST_TIMEOUT_MILLIS = 10_000;
  private static final int MOST_RECORDS = 1_000;
  private static final int MOST_BYTES = 8 << 20;

  /**
   * How often the brokers are asked for something: a poll says nothing of brokers that are gone.
   */
  private static final Duration LOOK = Duration.ofSeconds(10);

  /** The client tries again for as long as it takes; not at its pace of once a second. */
  private static final int RECONNECT_MOST_MILLIS = 10_000;

  private static final Duration CLOSE = Duration.ofSeconds(2);

  private final KafkaConsumer<byte[], byte[]> consumer;
  private final String brokers;
  private final List<String> topics;
  private final Time time;
  private final Set<TopicPartition> assigned = new HashSet<>();
  private Map<TopicPartition, Long> ends = Map.of();
  private Optional<TopicException> unreachable = Optional.empty();
  private long lookedAt;

  private TopicFollower(
      KafkaConsumer<byte[], byte[]> consumer, String brokers, List<String> topics, Time time) {
    this.consumer = consumer;
    this.brokers = brokers;
    this.topics = topics;
    this.time = time;
  }

  /**
   * Opens the topics; nothing is read yet.
   *
   * @param client {@link KafkaOptions#client()}
   * @throws TopicException if the brokers do not answer, or a topic does not exist
   */
  public static TopicFollower open(Map<String, Object> client, List<String> topics, Time time) {
    Map<String, Object> config = new HashMap<>(client);
    config.keySet().retainAll(ConsumerConfig.configNames());
    config.remove(ConsumerConfig.GROUP_ID_CONFIG);
    config.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    config.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    config.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    config.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    config.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, MOST_RECORDS);
    config.put(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, MOST_BYTES);
    config.putIfAbsent(ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG, REQUEST_TIMEOUT_MILLIS);
    config.putIfAbsent(ConsumerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG, RECONNECT_MOST_MILLIS);
    config.putIfAbsent(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, REQUEST_TIMEOUT_MILLIS);
    String brokers = String.valueOf(config.get(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG));
    TopicFollower follower = null;
    try {
      follower =
          new TopicFollower(
              new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer()),
              brokers,
              List.copyOf(topics),
              time);
      follower.assign();
      follower.requireTopics();
      follower.ends = follower.consumer.endOffsets(follower.assigned);
      TopicFollower opened = follower;
      follower = null;
      return opened;
    } catch (KafkaException e) {
      throw unreadable(brokers, topics, e);
    } finally {
      if (follower != null) {
        follower.close();
      }
    }
  }

  /**
   * What came next, perhaps nothing.
   *
   * @param atMost how long to wait for the first record
   * @throws TopicException if the brokers cannot be read
   */
  public List<ConsumerRecord<byte[], byte[]>> poll(Duration atMost) {
    try {
      if (time.nanoTime() - lookedAt > LOOK.toNanos()) {
        look();
      }
      List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
      consumer.poll(atMost).forEach(records::add);
      return records;
    } catch (KafkaException e) {
      throw unreadable(brokers, topics, e);
    }
  }

  /**
   * What there is to be said while the brokers do not answer: nothing new arrives then. They are
   * asked again every now and then.
   */
  public Optional<TopicException> unreachable() {
    return unreachable;
  }

  private void look() {
    try {
      assign();
      consumer.endOffsets(assigned);
      unreachable = Optional.empty();
    } catch (RetriableException e) {
      unreachable = Optional.of(unreadable(brokers, topics, e));
    } finally {
      lookedAt = time.nanoTime();
    }
  }

  /**
   * Whether everything was read that the topics held when they were opened; false while that cannot
   * be told, see {@link #unreachable}.
   */
  public boolean caughtUp() {
    try {
      return ends.entrySet().stream()
          .allMatch(end -> consumer.position(end.getKey()) >= end.getValue());
    } catch (RetriableException e) {
      unreachable = Optional.of(unreadable(brokers, topics, e));
      return false;
    } catch (KafkaException e) {
      throw unreadable(brokers, topics, e);
    }
  }

  /** Ends the consumer. */
  @Override
  public void close() {
    consumer.close(CloseOptions.timeout(CLOSE));
  }

  /** Partitions are never taken away, and those added later are read from their beginning too. */
  private void assign() {
    lookedAt = time.nanoTime();
    boolean more = false;
    for (String topic : topics) {
      List<PartitionInfo> partitions = consumer.partitionsFor(topic);
      if (partitions != null) {
        for (PartitionInfo each : partitions) {
          more |= assigned.add(new TopicPartition(topic, each.partition()));
        }
      }
    }
    if (more) {
      consumer.assign(assigned);
    }
  }

  private void requireTopics() {
    for (String topic : topics) {
      if (assigned.stream().noneMatch(partition -> partition.topic().equals(topic))) {
        throw new TopicException(
            "There is no topic \""
                + topic
                + "\", or the principal may not describe it. Check its name (verify.topic of the"
                + " verifier, <topic.prefix>.drift of the source connector).");
      }
    }
  }

  private static TopicException unreadable(String brokers, List<String> topics, KafkaException e) {
    return new TopicException(
        "The topics "
            + topics
            + " at "
            + brokers
            + " cannot be read ("
            + e.getClass().getSimpleName()
            + (e.getMessage() == null ? "" : ": " + e.getMessage())
            + "). Check that the brokers run, --bootstrap-servers, --kafka-config, and that the"
            + " principal may read them.",
        e);
  }
}
