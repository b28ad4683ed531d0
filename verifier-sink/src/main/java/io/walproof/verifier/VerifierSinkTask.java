package io.walproof.verifier;

import io.walproof.contract.Time;
import io.walproof.verifier.connect.SinkSession;
import io.walproof.verifier.connect.SinkSettings;
import java.util.Collection;
import java.util.Map;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.sink.SinkRecord;
import org.apache.kafka.connect.sink.SinkTask;

/** One task of the verifier: translates Connect's calls, all of them on one thread. */
public final class VerifierSinkTask extends SinkTask {

  private final Time time;
  private SinkSession session;

  /** Made by Connect. */
  public VerifierSinkTask() {
    this(Time.system());
  }

  VerifierSinkTask(Time time) {
    this.time = time;
  }

  @Override
  public String version() {
    return new VerifierSinkConnector().version();
  }

  @Override
  public void start(Map<String, String> settings) {
    session = SinkSession.start(SinkSettings.of(settings), context, time);
  }

  @Override
  public void open(Collection<TopicPartition> partitions) {
    session.open(partitions);
  }

  @Override
  public void close(Collection<TopicPartition> partitions) {
    session.close(partitions);
  }

  @Override
  public void put(Collection<SinkRecord> records) {
    session.put(records);
  }

  @Override
  public Map<TopicPartition, OffsetAndMetadata> preCommit(
      Map<TopicPartition, OffsetAndMetadata> delivered) {
    return session.committable();
  }

  @Override
  public void stop() {
    if (session != null) {
      session.stop();
    }
  }
}
