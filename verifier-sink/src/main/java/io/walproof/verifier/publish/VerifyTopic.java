package io.walproof.verifier.publish;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.apache.kafka.clients.CommonClientConfigs;

/**
 * Where records are published.
 *
 * @param name {@code verify.topic}
 * @param create {@code verify.topic.create}: whether the topic may be created
 * @param partitions {@code verify.topic.partitions}, of a topic that is created
 * @param replicationFactor {@code verify.topic.replication.factor}; the broker's default if empty
 * @param timeout {@code verify.publish.timeout.ms}: bound of one batch of records, and of the look
 *     at the topic at start
 * @param client {@code verify.producer.*} without the prefix; holds secrets
 */
public record VerifyTopic(
    String name,
    boolean create,
    int partitions,
    Optional<Short> replicationFactor,
    Duration timeout,
    Map<String, Object> client) {

  /** Copies. */
  public VerifyTopic {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(replicationFactor, "replicationFactor");
    client = Map.copyOf(client);
    if (partitions < 1 || timeout.isNegative() || timeout.isZero()) {
      throw new IllegalArgumentException("a topic has a partition, and a timeout is positive");
    }
  }

  /** Where the brokers are, for messages; no secret. */
  String brokers() {
    return String.valueOf(client.get(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG));
  }

  /** The name only. */
  @Override
  public String toString() {
    return "topic " + name;
  }
}
