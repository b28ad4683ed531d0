package io.walproof.verifier.replay;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * A pipeline of a Debezium source connector and a sink, as strategy {@code kafka_sink} looks at it.
 *
 * @param connect {@code verify.kafka.connect.url}: the REST address of the source connector's
 *     workers
 * @param user {@code verify.kafka.connect.user}
 * @param password {@code verify.kafka.connect.password}
 * @param sourceConnector {@code verify.kafka.source.connector}: its name
 * @param sinkGroup {@code verify.kafka.sink.group}: the sink's consumer group
 * @param topicPrefix {@code verify.kafka.topic.prefix}: a table's topic is prefix.schema.table
 * @param topics {@code verify.kafka.topics}: instead, all the topics that carry the tables
 * @param offsetFlush {@code verify.kafka.offset.flush.interval.ms}: how often the workers store how
 *     far their connectors are
 * @param requestTimeout bound of one request to a worker or broker
 * @param client {@code verify.kafka.client.*} without the prefix; holds secrets
 */
public record KafkaSinkSettings(
    URI connect,
    Optional<String> user,
    Optional<String> password,
    String sourceConnector,
    String sinkGroup,
    Optional<String> topicPrefix,
    List<String> topics,
    Duration offsetFlush,
    Duration requestTimeout,
    Map<String, Object> client) {

  /** Copies, and refuses what leaves a table's topics unknown. */
  public KafkaSinkSettings {
    Objects.requireNonNull(connect, "connect");
    Objects.requireNonNull(user, "user");
    Objects.requireNonNull(password, "password");
    Objects.requireNonNull(sourceConnector, "sourceConnector");
    Objects.requireNonNull(sinkGroup, "sinkGroup");
    Objects.requireNonNull(topicPrefix, "topicPrefix");
    Objects.requireNonNull(offsetFlush, "offsetFlush");
    topics = List.copyOf(topics);
    client = Map.copyOf(client);
    if (topicPrefix.isPresent() != topics.isEmpty()) {
      throw new IllegalArgumentException(
          "verify.replay.confirmation=kafka_sink needs either verify.kafka.topic.prefix (a table's"
              + " topic is prefix.schema.table) or verify.kafka.topics (all topics that carry the"
              + " tables)");
    }
  }

  /**
   * Why a wait for replay may end before this pipeline can tell that it has replayed, with the way
   * out.
   *
   * @param replayTimeout {@code verify.replay.timeout.ms}
   */
  public Optional<String> contradiction(Duration replayTimeout) {
    Duration most = offsetFlush.multipliedBy(2);
    return replayTimeout.compareTo(most) > 0
        ? Optional.empty()
        : Optional.of(
            "verify.replay.timeout.ms="
                + replayTimeout.toMillis()
                + " may pass before the source connector's worker and then the sink's have stored"
                + " their offsets, each every verify.kafka.offset.flush.interval.ms="
                + offsetFlush.toMillis()
                + "; give it more than "
                + most.toMillis()
                + ", or flush more often on the workers");
  }

  /** The names only. */
  @Override
  public String toString() {
    return "kafka_sink[" + sourceConnector + ", " + sinkGroup + "]";
  }
}
