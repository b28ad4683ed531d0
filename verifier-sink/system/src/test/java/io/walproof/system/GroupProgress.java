package io.walproof.system;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/** How far a sink has committed. The verifier commits what it has decided, and nothing else. */
final class GroupProgress {

  private GroupProgress() {}

  /** Waits until the connector's group has committed the end of each of the topic's partitions. */
  static void awaitEnd(String bootstrapServers, String connector, String topic, Duration bound) {
    try (Admin admin =
        Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers))) {
      await()
          .atMost(bound)
          .pollInterval(Duration.ofMillis(500))
          .until(() -> committed(admin, connector, topic).equals(ends(admin, topic)));
    }
  }

  private static Map<TopicPartition, Long> committed(Admin admin, String connector, String topic)
      throws Exception {
    Map<TopicPartition, Long> offsets = new HashMap<>();
    for (Map.Entry<TopicPartition, OffsetAndMetadata> each :
        admin
            .listConsumerGroupOffsets("connect-" + connector)
            .partitionsToOffsetAndMetadata()
            .get()
            .entrySet()) {
      if (each.getKey().topic().equals(topic) && each.getValue().offset() > 0) {
        offsets.put(each.getKey(), each.getValue().offset());
      }
    }
    return offsets;
  }

  /** Without the partitions that never held anything. */
  private static Map<TopicPartition, Long> ends(Admin admin, String topic) throws Exception {
    TopicDescription described =
        admin.describeTopics(List.of(topic)).allTopicNames().get().get(topic);
    Map<TopicPartition, OffsetSpec> asked = new HashMap<>();
    described
        .partitions()
        .forEach(
            each -> asked.put(new TopicPartition(topic, each.partition()), OffsetSpec.latest()));
    Map<TopicPartition, Long> ends = new HashMap<>();
    for (Map.Entry<TopicPartition, ListOffsetsResultInfo> each :
        admin.listOffsets(asked).all().get().entrySet()) {
      if (each.getValue().offset() > 0) {
        ends.put(each.getKey(), each.getValue().offset());
      }
    }
    return ends;
  }
}
