package io.walproof.verifier.publish;

import io.walproof.verifier.audit.AuditException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sees to it that the verify topic is there and keeps what it is given. */
final class TopicSetup {

  private static final Logger LOG = LoggerFactory.getLogger(TopicSetup.class);

  private TopicSetup() {}

  static void ensure(VerifyTopic topic) {
    try (Admin admin = TopicClients.admin(topic, topic.timeout())) {
      if (!exists(admin, topic)) {
        create(admin, topic);
      }
      requireNoCompaction(admin, topic);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw refused(topic, "could not be looked up (interrupted).", e);
    }
  }

  private static boolean exists(Admin admin, VerifyTopic topic) throws InterruptedException {
    try {
      admin.describeTopics(List.of(topic.name())).allTopicNames().get();
      return true;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof UnknownTopicOrPartitionException) {
        return false;
      }
      throw refused(
          topic,
          "could not be looked up ("
              + plain(e.getCause())
              + "). Check verify.topic, verify.producer.bootstrap.servers ("
              + topic.brokers()
              + ") and the other verify.producer.* settings; the principal needs Describe and Write on the topic.",
          e.getCause());
    }
  }

  private static void create(Admin admin, VerifyTopic topic) throws InterruptedException {
    if (!topic.create()) {
      throw refused(
          topic,
          "does not exist, and verify.topic.create=false. Create it with cleanup.policy=delete, or"
              + " set verify.topic.create=true.",
          null);
    }
    NewTopic wanted =
        new NewTopic(
                topic.name(), java.util.Optional.of(topic.partitions()), topic.replicationFactor())
            .configs(Map.of(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_DELETE));
    try {
      admin.createTopics(List.of(wanted)).all().get();
      LOG.info("Created the verify topic {}", topic.name());
    } catch (ExecutionException e) {
      // Another task may have been faster.
      if (!(e.getCause() instanceof TopicExistsException)) {
        throw refused(
            topic,
            "could not be created ("
                + plain(e.getCause())
                + "). Check verify.topic.partitions and verify.topic.replication.factor, allow the"
                + " principal to create it, or create it yourself with cleanup.policy=delete and"
                + " set verify.topic.create=false.",
            e.getCause());
      }
    }
  }

  /** Compaction keeps the last record of a row only: a deletion of evidence. */
  private static void requireNoCompaction(Admin admin, VerifyTopic topic)
      throws InterruptedException {
    ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic.name());
    try {
      Config config = admin.describeConfigs(List.of(resource)).all().get().get(resource);
      ConfigEntry policy = config.get(TopicConfig.CLEANUP_POLICY_CONFIG);
      if (policy != null && policy.value().contains(TopicConfig.CLEANUP_POLICY_COMPACT)) {
        throw refused(
            topic,
            "has cleanup.policy="
                + policy.value()
                + ", which would remove evidence. Set its cleanup.policy to delete, or name another"
                + " topic in verify.topic.",
            null);
      }
    } catch (ExecutionException e) {
      if (!(e.getCause() instanceof AuthorizationException)
          && !(e.getCause() instanceof UnknownTopicOrPartitionException)) {
        throw refused(topic, "could not be looked up (" + plain(e.getCause()) + ").", e.getCause());
      }
      LOG.warn(
          "Whether the verify topic {} is compacted cannot be told ({}); it must not be",
          topic.name(),
          plain(e.getCause()));
    }
  }

  private static AuditException refused(VerifyTopic topic, String what, Throwable cause) {
    return new AuditException("The verify topic \"" + topic.name() + "\" " + what, cause);
  }

  /** A failure in one line; Kafka's messages name hosts, topics and settings, no credentials. */
  static String plain(Throwable failure) {
    String message = failure.getMessage();
    return failure.getClass().getSimpleName() + (message == null ? "" : ": " + message);
  }
}
