package io.walproof.standalone.status;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.walproof.contract.Time;
import io.walproof.standalone.timeline.DriftEntry;
import io.walproof.standalone.topic.TopicException;
import io.walproof.standalone.topic.TopicFollower;
import io.walproof.verifier.audit.AuditException;
import io.walproof.verifier.audit.AuditRecord;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Follows a verify topic, and a drift topic where there is one, into a model. */
public final class TopicFeed implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(TopicFeed.class);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration POLL = Duration.ofMillis(300);
  private static final Duration END = Duration.ofSeconds(5);

  private final TopicFollower follower;
  private final String verifyTopic;
  private final StatusModel model;
  private final Thread thread = new Thread(this::run, "walproof-status-feed");
  private volatile boolean closed;
  private long unreadable;
  private boolean unreachable;

  private TopicFeed(TopicFollower follower, String verifyTopic, StatusModel model) {
    this.follower = follower;
    this.verifyTopic = verifyTopic;
    this.model = model;
    thread.setDaemon(true);
  }

  /**
   * Starts.
   *
   * @param client the consumer's settings
   * @throws TopicException if a topic cannot be read
   */
  public static TopicFeed start(
      Map<String, Object> client,
      String verifyTopic,
      Optional<String> driftTopic,
      StatusModel model,
      Time time) {
    List<String> topics = new ArrayList<>(List.of(verifyTopic));
    driftTopic.ifPresent(topics::add);
    TopicFeed feed = new TopicFeed(TopicFollower.open(client, topics, time), verifyTopic, model);
    feed.thread.start();
    return feed;
  }

  private void run() {
    try (follower) {
      while (!closed) {
        for (ConsumerRecord<byte[], byte[]> record : follower.poll(POLL)) {
          if (record.topic().equals(verifyTopic)) {
            model.add(AuditRecord.onTopic(verifyTopic, record.offset(), record.value()));
          } else if (record.value() != null) {
            drift(record);
          }
        }
        reachable();
        if (follower.caughtUp()) {
          model.caughtUp();
        }
      }
    } catch (AuditException | TopicException e) {
      LOG.warn("The status is not up to date any more: {}", e.getMessage());
      model.trouble("the evidence cannot be read any more: " + e.getMessage());
    } catch (RuntimeException e) {
      if (!closed) {
        LOG.warn("The status is not up to date any more", e);
        model.trouble("the evidence cannot be read any more; the log says why");
      }
    }
  }

  /** Said once, however long it lasts. */
  private void reachable() {
    Optional<String> why = follower.unreachable().map(TopicException::getMessage);
    if (why.isPresent() && !unreachable) {
      LOG.warn("The status is not up to date: {}", why.get());
    } else if (why.isEmpty() && unreachable) {
      LOG.info("The brokers answer again; the status is up to date");
    }
    unreachable = why.isPresent();
    model.unreachable(why.map(text -> "nothing new is seen: " + text));
  }

  /** Another converter's records cannot be read here, which must be seen. */
  private void drift(ConsumerRecord<byte[], byte[]> record) {
    Optional<DriftEntry> event = Optional.empty();
    try {
      JsonNode json = JSON.readTree(record.value());
      event = json == null ? Optional.empty() : DriftEntry.of(json);
    } catch (JsonProcessingException | IllegalArgumentException e) {
      LOG.debug("The drift record at offset {} is not JSON of ours", record.offset());
    } catch (IOException e) {
      LOG.debug("The drift record at offset {} cannot be read", record.offset());
    }
    if (event.isPresent()) {
      model.add(event.get().recordedAt(Instant.ofEpochMilli(record.timestamp()).toString()));
    } else {
      unreadable++;
      model.trouble(
          unreadable
              + " records of the drift topic cannot be read: the source connector needs the JSON"
              + " converter for them to be shown here");
    }
  }

  /** Stops following. */
  @Override
  public void close() {
    closed = true;
    try {
      thread.join(END.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
