package io.walproof.verifier.publish;

import io.walproof.contract.Time;
import io.walproof.verifier.audit.AuditException;
import io.walproof.verifier.audit.EncodedEntry;
import io.walproof.verifier.audit.EvidenceCopy;
import io.walproof.verifier.model.Deadline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;

/**
 * Publishes records and waits until the brokers have them. A batch that is not acknowledged in time
 * stops verification: the producer tries again by itself for as long as it may. Thread-safe.
 */
public final class TopicPublisher implements EvidenceCopy {

  private static final Duration CLOSE = Duration.ofSeconds(5);

  private final VerifyTopic topic;
  private final Duration timeout;
  private final Producer<byte[], byte[]> producer;
  private final RecordKey keys;
  private final Time time;
  private AuditException failure;

  TopicPublisher(VerifyTopic topic, Producer<byte[], byte[]> producer, String runId, Time time) {
    this.topic = topic;
    this.timeout = topic.timeout();
    this.producer = producer;
    this.keys = new RecordKey(runId);
    this.time = time;
  }

  /**
   * Finds or creates the topic and makes the producer.
   *
   * @param runId what the run's records carry
   * @throws AuditException if the topic cannot be used; names it, the settings, and the way out
   */
  public static TopicPublisher open(VerifyTopic topic, String runId, Time time) {
    try {
      TopicSetup.ensure(topic);
      return new TopicPublisher(topic, TopicClients.producer(topic), runId, time);
    } catch (KafkaException e) {
      throw new AuditException(
          "The clients for the verify topic \""
              + topic.name()
              + "\" could not be made ("
              + TopicSetup.plain(e)
              + "). Check the verify.producer.* settings.",
          e);
    }
  }

  @Override
  public synchronized void append(List<EncodedEntry> entries) {
    if (failure != null) {
      throw new AuditException(failure.getMessage(), failure);
    }
    Deadline deadline = Deadline.in(time, timeout);
    try {
      List<Future<RecordMetadata>> sent = new ArrayList<>(entries.size());
      for (EncodedEntry entry : entries) {
        sent.add(
            producer.send(
                new ProducerRecord<>(topic.name(), keys.of(entry.entry()), entry.line())));
      }
      for (Future<RecordMetadata> each : sent) {
        // Acknowledged in the last moment is acknowledged: one more look.
        each.get(Math.max(1, deadline.remaining(timeout).toMillis()), TimeUnit.MILLISECONDS);
      }
    } catch (ExecutionException e) {
      throw failed(TopicSetup.plain(e.getCause()), e.getCause());
    } catch (TimeoutException e) {
      throw failed("no acknowledgement within verify.publish.timeout.ms=" + timeout.toMillis(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw failed("interrupted", e);
    } catch (KafkaException | IllegalStateException e) {
      throw failed(TopicSetup.plain(e), e);
    }
  }

  private AuditException failed(String why, Throwable cause) {
    failure =
        new AuditException(
            "Records could not be published to the verify topic \""
                + topic.name()
                + "\" at "
                + topic.brokers()
                + " ("
                + why
                + "). Verification stops, because nothing may happen without evidence. Check the"
                + " brokers, the topic, and the verify.producer.* settings, or raise"
                + " verify.publish.timeout.ms to outlast a longer outage; after a restart of the"
                + " task its keys are checked again.",
            cause);
    return failure;
  }

  /** Ends the producer; everything that was appended is acknowledged already. */
  @Override
  public void close() {
    producer.close(CLOSE);
  }
}
