package io.walproof.verifier.publish;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Makes the Kafka clients, with what must hold whatever the overrides say. */
final class TopicClients {

  private static final int REQUEST_TIMEOUT = 30_000;

  /**
   * The clients warn at each attempt to reach a broker, by default once a second and for each of
   * them: a dead cluster must not fill the worker's log.
   */
  private static final int RECONNECT_MOST = 10_000;

  private TopicClients() {}

  /** Idempotent, every replica must have a record, and no send takes longer than the timeout. */
  static Producer<byte[], byte[]> producer(VerifyTopic topic) {
    int timeout = millis(topic.timeout());
    Map<String, Object> config = new HashMap<>();
    config.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, "lz4");
    config.put(ProducerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG, RECONNECT_MOST);
    config.putAll(topic.client());
    config.put(ProducerConfig.ACKS_CONFIG, "all");
    config.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
    // On a partition that is just being made, a first batch may fail where a second is taken; the
    // first is then out of sequence for good.
    config.put(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, 1);
    config.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, timeout);
    config.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, Math.min(REQUEST_TIMEOUT, timeout));
    config.put(ProducerConfig.LINGER_MS_CONFIG, 0);
    config.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, timeout);
    return new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
  }

  /** With those of the producer's settings that every client has. */
  static Admin admin(VerifyTopic topic, Duration atMost) {
    int timeout = millis(atMost);
    Map<String, Object> config = new HashMap<>();
    config.put(AdminClientConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG, RECONNECT_MOST);
    config.putAll(topic.client());
    config.keySet().retainAll(AdminClientConfig.configNames());
    config.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, timeout);
    config.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, Math.min(REQUEST_TIMEOUT, timeout));
    return Admin.create(config);
  }

  private static int millis(Duration duration) {
    return Math.toIntExact(Math.max(1, duration.toMillis()));
  }
}
