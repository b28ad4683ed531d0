package io.walproof.standalone.topic;

import io.walproof.contract.Time;
import io.walproof.verifier.audit.AuditRecord;
import io.walproof.verifier.audit.AuditSummary;
import io.walproof.verifier.audit.RunTally;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** The figures of the runs whose records a verify topic holds. */
public final class TopicSummary {

  private static final Duration POLL = Duration.ofMillis(500);

  private TopicSummary() {}

  /**
   * Reads the topic up to its present end.
   *
   * @param runId one run; empty for all of them together
   * @throws TopicException if the topic cannot be read, or holds no such run
   */
  public static AuditSummary read(
      Map<String, Object> client, String topic, Optional<String> runId, Time time) {
    Map<String, RunTally> runs = new LinkedHashMap<>();
    try (TopicFollower follower = TopicFollower.open(client, List.of(topic), time)) {
      while (!follower.caughtUp()) {
        for (ConsumerRecord<byte[], byte[]> each : follower.poll(POLL)) {
          AuditRecord record = AuditRecord.onTopic(topic, each.offset(), each.value());
          if (runId.isEmpty() || runId.get().equals(record.runId())) {
            runs.computeIfAbsent(record.runId(), id -> RunTally.ofTopic(topic, record)).add(record);
          }
        }
        if (follower.unreachable().isPresent()) {
          throw follower.unreachable().get();
        }
      }
    }
    if (runs.isEmpty()) {
      throw new TopicException(
          "The topic "
              + topic
              + (runId.isPresent() ? " holds no run with this id." : " holds no run yet."));
    }
    List<RunTally> inOrder = new ArrayList<>(runs.values());
    // One that has not ended comes last, so that the sum has not ended either.
    inOrder.sort(
        Comparator.comparing(RunTally::hasEnded).reversed().thenComparing(RunTally::startedAt));
    return AuditSummary.of(inOrder);
  }
}
