package io.walproof.verifier.replay;

import io.walproof.contract.Lsn;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** The pipeline as its workers and brokers tell it. Reads only. */
final class LivePipeline implements KafkaPipeline {

  private static final Duration CLOSE = Duration.ofSeconds(5);

  private final KafkaSinkSettings settings;
  private final ConnectOffsets source;
  private final Admin admin;
  private KafkaConsumer<byte[], byte[]> consumer;

  LivePipeline(KafkaSinkSettings settings) {
    this.settings = settings;
    this.source = new ConnectOffsets(settings);
    Map<String, Object> config = new HashMap<>(settings.client());
    config.keySet().retainAll(AdminClientConfig.configNames());
    int timeout = millis(settings.requestTimeout());
    config.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, timeout);
    config.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, timeout);
    this.admin = Admin.create(config);
  }

  @Override
  public Optional<Lsn> sourcePosition() {
    return source.position();
  }

  @Override
  public Map<TopicPartition, Long> ends(Set<String> topics) {
    Map<TopicPartition, OffsetSpec> wanted = new HashMap<>();
    admin
        .describeTopics(topics)
        .topicNameValues()
        .forEach(
            (topic, future) ->
                description(future)
                    .ifPresent(
                        found ->
                            found
                                .partitions()
                                .forEach(
                                    partition ->
                                        wanted.put(
                                            new TopicPartition(topic, partition.partition()),
                                            OffsetSpec.latest()))));
    return offsets(wanted);
  }

  private static Optional<TopicDescription> description(KafkaFuture<TopicDescription> future) {
    try {
      return Optional.of(future.get());
    } catch (ExecutionException e) {
      if (e.getCause() instanceof UnknownTopicOrPartitionException) {
        return Optional.empty();
      }
      throw failed(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw failed(e);
    }
  }

  private Map<TopicPartition, Long> offsets(Map<TopicPartition, OffsetSpec> wanted) {
    Map<TopicPartition, Long> offsets = new HashMap<>();
    get(admin.listOffsets(wanted).all())
        .forEach((partition, found) -> offsets.put(partition, found.offset()));
    return offsets;
  }

  @Override
  public Optional<String> behind(Map<TopicPartition, Long> ends) {
    Map<TopicPartition, OffsetAndMetadata> committed =
        get(admin.listConsumerGroupOffsets(settings.sinkGroup()).partitionsToOffsetAndMetadata());
    Map<TopicPartition, Long> begins =
        offsets(
            ends.keySet().stream()
                .collect(Collectors.toMap(Function.identity(), p -> OffsetSpec.earliest())));
    for (Map.Entry<TopicPartition, Long> end : ends.entrySet()) {
      OffsetAndMetadata known = committed.get(end.getKey());
      long begin = begins.getOrDefault(end.getKey(), 0L);
      long from = known == null ? begin : Math.max(begin, known.offset());
      if (from < end.getValue() && hasRecords(end.getKey(), from, end.getValue())) {
        return Optional.of(
            "topic "
                + end.getKey().topic()
                + " partition "
                + end.getKey().partition()
                + " up to offset "
                + end.getValue()
                + " (it is at "
                + (known == null ? "no offset" : Long.toString(known.offset()))
                + ")");
      }
    }
    return Optional.empty();
  }

  /**
   * The end of a transaction takes an offset of its own, which no consumer is given and so none
   * commits past: what lies between may be nothing.
   */
  private boolean hasRecords(TopicPartition partition, long from, long end) {
    try {
      KafkaConsumer<byte[], byte[]> reader = consumer();
      reader.assign(List.of(partition));
      reader.seek(partition, from);
      for (ConsumerRecord<byte[], byte[]> each : reader.poll(settings.requestTimeout())) {
        if (each.offset() < end) {
          return true;
        }
      }
      return reader.position(partition, settings.requestTimeout()) < end;
    } catch (KafkaException e) {
      throw failed(e);
    }
  }

  private KafkaConsumer<byte[], byte[]> consumer() {
    if (consumer == null) {
      Map<String, Object> config = new HashMap<>(settings.client());
      config.keySet().retainAll(ConsumerConfig.configNames());
      config.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
      config.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
      config.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
      config.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 1);
      config.put(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, 1);
      config.put(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, millis(settings.requestTimeout()));
      config.put(ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG, millis(settings.requestTimeout()));
      config.remove(ConsumerConfig.GROUP_ID_CONFIG);
      config.remove(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG);
      consumer =
          new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }
    return consumer;
  }

  private static <T> T get(KafkaFuture<T> future) {
    try {
      return future.get();
    } catch (ExecutionException e) {
      throw failed(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw failed(e);
    }
  }

  private static PipelineException failed(Throwable cause) {
    String message = cause.getMessage();
    return new PipelineException(
        "the pipeline's brokers could not be asked ("
            + cause.getClass().getSimpleName()
            + (message == null ? "" : ": " + message)
            + "); check the verify.kafka.client.* settings",
        cause);
  }

  private static int millis(Duration duration) {
    return Math.toIntExact(Math.max(1, duration.toMillis()));
  }

  @Override
  public void close() {
    admin.close(CLOSE);
    if (consumer != null) {
      consumer.close();
    }
  }
}
