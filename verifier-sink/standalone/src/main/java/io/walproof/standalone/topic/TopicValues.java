package io.walproof.standalone.topic;

import io.walproof.contract.Time;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** The values of a topic of texts, from its beginning to its present end. Owned by one thread. */
public final class TopicValues implements AutoCloseable {

  private static final Duration POLL = Duration.ofMillis(500);

  private final TopicFollower follower;
  private final Deque<String> read = new ArrayDeque<>();

  private TopicValues(TopicFollower follower) {
    this.follower = follower;
  }

  /**
   * Opens the topic; nothing is read yet.
   *
   * @param client {@link KafkaOptions#client()}
   * @throws TopicException if the brokers do not answer, or the topic does not exist
   */
  public static TopicValues open(Map<String, Object> client, String topic, Time time) {
    return new TopicValues(TopicFollower.open(client, List.of(topic), time));
  }

  /**
   * The next value, null at the end; records without one are passed over.
   *
   * @throws TopicException if the brokers do not answer any more
   */
  public String next() {
    while (read.isEmpty() && !follower.caughtUp()) {
      for (ConsumerRecord<byte[], byte[]> each : follower.poll(POLL)) {
        if (each.value() != null) {
          read.add(new String(each.value(), StandardCharsets.UTF_8));
        }
      }
      if (follower.unreachable().isPresent()) {
        throw follower.unreachable().get();
      }
    }
    return read.poll();
  }

  @Override
  public void close() {
    follower.close();
  }
}
